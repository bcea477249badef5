//! `krs watch`: a table that is always right, from an informer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_cache::{Delivery, FactoryOptions, HandlerOptions, Notification};
use client_rs_client::discovery::RestMapping;
use client_rs_informers::DynamicSharedInformerFactory;
use client_rs_machinery::{Object, ObjectKey, Time, Unstructured};

use crate::output::{Table, TableOptions, TablePrinter};
use crate::session::Session;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams};

/// A terminal is drawn at most so often.
const FRAME: Duration = Duration::from_millis(100);
/// Without any change, ages still go on.
const BREATH: Duration = Duration::from_secs(1);
/// The height of a terminal that does not report it.
const HEIGHT: usize = 24;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The resource type to watch
    #[arg(value_name = "TYPE")]
    kind: String,
    /// Only the object with this name
    name: Option<String>,
    /// Watch all namespaces
    #[arg(long, short = 'A')]
    all_namespaces: bool,
    /// Only objects that match this label selector
    #[arg(long, short = 'l', value_name = "LABELS")]
    selector: Option<String>,
    /// Only objects that match this field selector
    #[arg(long, value_name = "FIELDS")]
    field_selector: Option<String>,
    /// Show more columns
    #[arg(long)]
    wide: bool,
    /// Exit after this many changes, including the initial list
    #[arg(long, value_name = "COUNT")]
    count: Option<u64>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    if args.kind.contains(',') {
        bail!("you may only specify a single resource type");
    }
    // Listened for before anything is printed: a signal between two listeners would be nobody's.
    let mut signal = EndSignal::interrupt()?;
    let session = Session::open(global)?;
    let (kind, name) = match args.kind.split_once('/') {
        Some((kind, name)) => (kind, Some(name)),
        None => (args.kind.as_str(), args.name.as_deref()),
    };
    let mapping = tokio::select! {
        mapping = session.find(kind) => mapping?,
        () = signal.heard() => return Ok(()),
    };
    if !mapping.has_verb("watch") {
        bail!("{} can't be watched", mapping.resource.group_resource());
    }
    let factory = informers(&session, args, name, &mapping);
    let informer = if mapping.namespaced {
        factory.for_resource(mapping.resource.clone())
    } else {
        factory.for_cluster_resource(mapping.resource.clone())
    };
    // In line mode each line is an event.
    let options = HandlerOptions::default().with_delivery(Delivery::EveryEvent);
    let mut changes = informer.informer().subscribe_with(options).context("can't listen to the informer")?;
    factory.start();
    let mut view = View::new(args, &mapping);
    let shown = async {
        if streams.out_is_terminal {
            live(&mut changes, &mut view, args.count, streams).await
        } else {
            lines(&mut changes, &mut view, args.count, streams).await
        }
    };
    let ended = tokio::select! {
        ended = shown => ended,
        () = signal.heard() => Ok(()),
    };
    drop(changes);
    factory.shutdown().await;
    ended
}

fn informers(
    session: &Session,
    args: &Args,
    name: Option<&str>,
    mapping: &RestMapping,
) -> DynamicSharedInformerFactory {
    let labels = args.selector.clone().unwrap_or_default();
    let mut fields: Vec<String> = args.field_selector.clone().into_iter().collect();
    fields.extend(name.map(|name| format!("metadata.name={name}")));
    let fields = fields.join(",");
    let namespaces = if args.all_namespaces || !mapping.namespaced {
        Vec::new()
    } else {
        vec![session.namespace.as_str()]
    };
    let options =
        FactoryOptions::default().with_namespaces(namespaces).with_tweak(Arc::new(move |options| {
            options.label_selector = labels.as_str().into();
            options.field_selector = fields.as_str().into();
        }));
    DynamicSharedInformerFactory::with_options(&session.client, options)
}

type Changes = client_rs_cache::Subscription<Unstructured>;

/// One line a change.
async fn lines(
    changes: &mut Changes,
    view: &mut View,
    count: Option<u64>,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut shown = 0;
    while count.is_none_or(|count| shown < count) {
        let Some(change) = changes.next().await else { return Ok(()) };
        shown += 1;
        if let Some((event, object)) = view.take(&change) {
            let table = view.table(std::iter::once(&*object), Time::now());
            view.printer.print(&table, Some(event), &mut streams.out)?;
            streams.out.flush()?;
        }
    }
    Ok(())
}

/// The whole table, again and again.
async fn live(
    changes: &mut Changes,
    view: &mut View,
    count: Option<u64>,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut shown = 0;
    let mut ticks = tokio::time::interval(FRAME);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (mut stale, mut drawn) = (true, tokio::time::Instant::now());
    let colours = streams.colours();
    loop {
        tokio::select! {
            change = changes.next() => {
                let Some(change) = change else { return Ok(()) };
                shown += 1;
                view.take(&change);
                stale = true;
            }
            _ = ticks.tick() => {
                if stale || drawn.elapsed() >= BREATH {
                    let frame = view.frame(Time::now(), height(), shown, colours)?;
                    // Its objects are printable, and the rest is for the terminal.
                    streams.out.raw().write_all(frame.as_bytes())?;
                    streams.out.flush()?;
                    (stale, drawn) = (false, tokio::time::Instant::now());
                }
                if count.is_some_and(|count| shown >= count) && !stale {
                    return Ok(());
                }
            }
        }
    }
}

/// The current objects, and how they are shown.
struct View {
    objects: BTreeMap<ObjectKey, Arc<Unstructured>>,
    group: String,
    resource: String,
    options: TableOptions,
    printer: TablePrinter,
}

impl View {
    fn new(args: &Args, mapping: &RestMapping) -> Self {
        let options = TableOptions {
            wide: args.wide,
            with_namespace: args.all_namespaces && mapping.namespaced,
            ..TableOptions::default()
        };
        Self {
            objects: BTreeMap::new(),
            group: mapping.resource.group.to_string(),
            resource: mapping.resource.resource.to_string(),
            printer: TablePrinter::new(options.clone()),
            options,
        }
    }

    /// Applies a change. Returns its type and the object.
    fn take(&mut self, change: &Notification<Unstructured>) -> Option<(&'static str, Arc<Unstructured>)> {
        match change {
            Notification::Added { object, .. } => {
                self.objects.insert(object.key(), Arc::clone(object));
                Some(("ADDED", Arc::clone(object)))
            }
            Notification::Updated { new, .. } => {
                self.objects.insert(new.key(), Arc::clone(new));
                Some(("MODIFIED", Arc::clone(new)))
            }
            Notification::Deleted(deleted) => {
                let last = self.objects.remove(&deleted.key());
                Some(("DELETED", deleted.object().cloned().or(last)?))
            }
        }
    }

    fn table<'o>(&self, objects: impl Iterator<Item = &'o Unstructured>, now: Time) -> Table {
        Table::of_kind(&self.group, &self.resource, objects, now)
    }

    /// The content of the terminal: the table, as far as it fits, and a last line.
    fn frame(&self, now: Time, height: usize, shown: u64, colours: bool) -> Result<String> {
        let mut text = Vec::new();
        let table = self.table(self.objects.values().map(|object| &**object), now);
        TablePrinter::new(self.options.clone()).print(&table, None, &mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let fits = height.saturating_sub(2).max(1);
        let mut frame = String::from("\x1b[H");
        for line in text.lines().take(fits) {
            frame.push_str(&if colours { coloured(line) } else { line.to_owned() });
            frame.push_str("\x1b[K\n");
        }
        let hidden = text.lines().count().saturating_sub(fits);
        let more = if hidden > 0 { format!(", {hidden} not shown") } else { String::new() };
        let count = self.objects.len();
        let last = format!("{count} {}, {shown} changes{more}; Ctrl-C ends it\x1b[K\x1b[J", self.resource);
        Ok(frame + &last)
    }
}

/// Healthy states are green, waiting states yellow, failures red.
fn coloured(line: &str) -> String {
    const WORDS: [(&str, &str); 10] = [
        ("Running", "32"),
        ("Ready", "32"),
        ("Active", "32"),
        ("Completed", "2"),
        ("Pending", "33"),
        ("ContainerCreating", "33"),
        ("Terminating", "33"),
        ("NotReady", "31"),
        ("Error", "31"),
        ("CrashLoopBackOff", "31"),
    ];
    let found = WORDS.iter().find(|(word, _)| line.split_whitespace().any(|cell| cell == *word));
    match found {
        Some((word, colour)) => line.replacen(word, &format!("\x1b[{colour}m{word}\x1b[0m"), 1),
        None => line.to_owned(),
    }
}

#[cfg(unix)]
fn height() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stdout());
    size.ok().map(|size| usize::from(size.ws_row)).filter(|rows| *rows > 0).unwrap_or(HEIGHT)
}

#[cfg(not(unix))]
fn height() -> usize {
    HEIGHT
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn view(names: &[&str]) -> View {
        let mut view = View {
            objects: BTreeMap::new(),
            group: String::new(),
            resource: "pods".to_owned(),
            options: TableOptions::default(),
            printer: TablePrinter::default(),
        };
        for name in names {
            let pod = json!({
                "metadata": {"name": *name, "namespace": "ns"}, "spec": {"containers": [{"name": "c"}]},
                "status": {"phase": "Running"},
            });
            let object: Arc<Unstructured> = Arc::new(pod.try_into().unwrap());
            view.take(&Notification::Added { object, is_initial: true });
        }
        view
    }

    #[test]
    fn a_frame_fits_and_says_what_it_leaves_out() {
        let view = view(&["a", "b", "c"]);
        let frame = view.frame(Time::now(), 5, 3, false).unwrap();
        assert!(
            frame.starts_with("\x1b[HNAME   READY   STATUS    RESTARTS   AGE\x1b[K\na      0/1     Running"),
            "{frame:?}"
        );
        assert!(frame.contains("3 pods, 3 changes, 1 not shown"), "{frame:?}");
        assert!(!frame.contains("\x1b[32m"));
        assert!(view.frame(Time::now(), 50, 3, true).unwrap().contains("\x1b[32mRunning\x1b[0m"));
    }

    #[test]
    fn a_deleted_object_is_reported_and_forgotten() {
        let mut view = view(&["a"]);
        let object = view.objects.values().next().cloned().unwrap();
        let (event, _) = view.take(&Notification::Deleted(client_rs_cache::Deleted::Object(object))).unwrap();
        assert_eq!((event, view.objects.len()), ("DELETED", 0));
    }
}
