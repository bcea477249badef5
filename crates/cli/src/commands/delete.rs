//! `krs delete`

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use client_rs_client::api::{DeleteResponse, Propagation};
use client_rs_client::discovery::RestMapping;
use client_rs_client::wait::WaitError;
use client_rs_machinery::Json;
use client_rs_machinery::meta::v1::ListOptions;

use crate::arguments::duration;
use crate::dry_run::DryRun;
use crate::failure::{self, Failures};
use crate::files::FileArgs;
use crate::selection::{Wanted, Words};
use crate::session::Session;
use crate::{GlobalArgs, Streams};

/// As long as kubectl waits where it waits without end.
const FOREVER: Duration = Duration::from_hours(168);

/// kubectl's flags, with its meaning.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Args {
    /// The objects to delete: TYPE NAME…, TYPE/NAME…, or TYPE[,TYPE…] with -l or --all
    #[arg(value_name = "TYPE|NAME")]
    words: Vec<String>,
    #[command(flatten)]
    files: FileArgs,
    /// Delete objects that match this label selector
    #[arg(long, short = 'l', value_name = "LABELS", conflicts_with = "all")]
    selector: Option<String>,
    /// Delete objects that match this field selector
    #[arg(long, value_name = "FIELDS", conflicts_with = "all")]
    field_selector: Option<String>,
    /// Delete all objects of the type in the namespace
    #[arg(long)]
    all: bool,
    /// Delete in all namespaces; requires -l, --field-selector or --all
    #[arg(long, short = 'A')]
    all_namespaces: bool,
    /// How to delete dependents: objects that have an owner reference to a deleted object
    #[arg(long, value_enum, default_value = "background", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
    cascade: Cascade,
    /// Seconds that each object has to terminate gracefully; -1 for the object's own period; 0 only with --force
    #[arg(long, default_value_t = -1, allow_negative_numbers = true, value_name = "SECONDS")]
    grace_period: i64,
    /// Delete immediately, without waiting for running processes to terminate
    #[arg(long)]
    force: bool,
    /// Use a grace period of one second
    #[arg(long, conflicts_with = "grace_period")]
    now: bool,
    /// Wait until the objects are gone, including their finalizers
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true, default_missing_value = "true", value_name = "BOOL")]
    wait: bool,
    /// How long to wait: 30s, 5m; 0 for no limit
    #[arg(long, default_value = "0s", value_parser = duration, value_name = "TIME")]
    timeout: Duration,
    /// Do not fail for objects that are not found [default: false; true with -l, --field-selector or --all]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    ignore_not_found: Option<bool>,
    /// Whether to send the change, and whether the server persists it
    #[arg(long, value_enum, default_value = "none", num_args = 0..=1, require_equals = true, default_missing_value = "client")]
    dry_run: DryRun,
    /// Output format: name
    #[arg(long, short = 'o', value_name = "FORM")]
    output: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cascade {
    /// Delete dependents after the object
    Background,
    /// Delete dependents before the object
    Foreground,
    /// Keep dependents
    Orphan,
}

/// One object to delete.
struct Target {
    mapping: Arc<RestMapping>,
    namespace: String,
    name: String,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let grace = args.validate()?;
    if args.force && grace == Some(0) {
        writeln!(
            streams.err,
            "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. \
             The resource may continue to run on the cluster indefinitely."
        )?;
    }
    let session = Session::open(global)?;
    let mut failures = Failures(Vec::new());
    let targets = args.targets(&session, &mut failures).await?;
    let forgives = args.ignore_not_found.unwrap_or(args.is_selected());
    let found = !targets.is_empty();
    let mut deleted = Vec::new();
    let mut warned = !session.namespace_is_explicit || args.all_namespaces;
    for target in targets {
        if !warned && !target.mapping.namespaced {
            writeln!(
                streams.err,
                "Warning: deleting cluster-scoped resources, not scoped to the provided namespace"
            )?;
            warned = true;
        }
        match args.delete(&session, &target, grace).await {
            Ok(uid) => {
                args.print(&target, grace, streams)?;
                deleted.push((target, uid));
            }
            Err(error) if forgives && failure::is_not_found(&error) => {}
            Err(error) => failures.0.push(error),
        }
    }
    if !failures.0.is_empty() {
        return failures.into_result();
    }
    if !found {
        writeln!(streams.out, "No resources found")?;
    }
    if args.wait && args.dry_run == DryRun::None {
        streams.out.flush()?;
        wait(&session, &deleted, args.timeout, streams).await?;
    }
    Ok(())
}

impl Args {
    fn is_selected(&self) -> bool {
        self.all || self.selector.is_some() || self.field_selector.is_some()
    }

    /// Whether it makes sense, and the grace period.
    fn validate(&self) -> Result<Option<i64>> {
        if !matches!(self.output.as_deref(), None | Some("" | "name")) {
            bail!(
                "unexpected -o output mode: {}. We only support '-o name'",
                self.output.as_deref().unwrap_or_default()
            );
        }
        if self.words.is_empty() && self.files.is_empty() {
            bail!("you must specify the objects to delete: TYPE NAME, TYPE with -l or --all, or -f FILE");
        }
        if !self.words.is_empty() && !self.files.is_empty() {
            bail!(
                "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well"
            );
        }
        Ok(match (self.grace_period, self.force) {
            _ if self.now => Some(1),
            (1.., true) => bail!("--force and --grace-period greater than 0 cannot be specified together"),
            (..=0, true) => Some(0),
            // Nobody loses data by a zero alone.
            (0, false) => Some(1),
            (..0, false) => None,
            (seconds, false) => Some(seconds),
        })
    }

    async fn targets(&self, session: &Session, failures: &mut Failures) -> Result<Vec<Target>> {
        let mut targets = Vec::new();
        if !self.files.is_empty() {
            for manifest in self.files.read()? {
                let mapping = session.mapping_of(&manifest.object).await?;
                let namespace = session.namespace_for(&manifest.object)?;
                targets.push(Target { mapping, namespace, name: manifest.object.name().to_owned() });
            }
            return Ok(targets);
        }
        match Words::parse(&self.words)?.resolve(session).await? {
            Wanted::Named(_) if self.is_selected() => {
                bail!("name cannot be provided when a selector is specified")
            }
            Wanted::Named(_) if self.all_namespaces => {
                bail!("a resource cannot be retrieved by name across all namespaces")
            }
            Wanted::Named(named) => targets.extend(named.into_iter().map(|(mapping, name)| Target {
                mapping,
                namespace: session.namespace.clone(),
                name,
            })),
            Wanted::All(_) if !self.is_selected() => {
                bail!("resource(s) were provided, but no name was specified")
            }
            Wanted::All(mappings) => {
                for mapping in mappings {
                    let options = ListOptions {
                        label_selector: self.selector.as_deref().unwrap_or_default().into(),
                        field_selector: self.field_selector.as_deref().unwrap_or_default().into(),
                        ..ListOptions::EMPTY
                    };
                    let mut pages =
                        session.collection(&mapping, self.all_namespaces).pages().options(options);
                    loop {
                        match pages.try_next().await {
                            Ok(None) => break,
                            Ok(Some(page)) => targets.extend(page.items.iter().map(|object| Target {
                                mapping: Arc::clone(&mapping),
                                namespace: object.namespace().to_owned(),
                                name: object.name().to_owned(),
                            })),
                            Err(error) => {
                                failures.0.push(error.into());
                                break;
                            }
                        }
                    }
                }
            }
        }
        Ok(targets)
    }

    /// Deletes the object, and returns its UID.
    async fn delete(&self, session: &Session, target: &Target, grace: Option<i64>) -> Result<String> {
        if self.dry_run == DryRun::Client {
            return Ok(String::new());
        }
        let api = session.api(&target.mapping, &target.namespace);
        let mut request = api.delete(&target.name).propagation(match self.cascade {
            Cascade::Background => Propagation::Background,
            Cascade::Foreground => Propagation::Foreground,
            Cascade::Orphan => Propagation::Orphan,
        });
        if let Some(seconds) = grace {
            request = request.grace_period(Duration::from_secs(seconds.unsigned_abs()));
        }
        if self.dry_run == DryRun::Server {
            request = request.dry_run();
        }
        Ok(match request.await? {
            DeleteResponse::Object(object) => object.uid().to_owned(),
            DeleteResponse::Status(status) => {
                status.details.as_ref().map(|details| details.uid.to_string()).unwrap_or_default()
            }
        })
    }

    fn print(&self, target: &Target, grace: Option<i64>, streams: &mut Streams<'_>) -> Result<()> {
        let kind = target.mapping.kind.group_kind().to_string().to_lowercase();
        let name = &target.name;
        if self.output.as_deref() == Some("name") {
            writeln!(streams.out, "{kind}/{name}")?;
            return Ok(());
        }
        let force = if grace == Some(0) { "force " } else { "" };
        let from = if target.mapping.namespaced {
            format!(" from {} namespace", target.namespace)
        } else {
            String::new()
        };
        writeln!(streams.out, "{kind} \"{name}\" {force}deleted{from}{}", self.dry_run.suffix())?;
        Ok(())
    }
}

async fn wait(
    session: &Session,
    deleted: &[(Target, String)],
    timeout: Duration,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let timeout = if timeout.is_zero() { FOREVER } else { timeout };
    let deadline = tokio::time::Instant::now() + timeout;
    for (at, (target, uid)) in deleted.iter().enumerate() {
        streams.progress(&format!("waiting for {} of {}: {}", at + 1, deleted.len(), target.name))?;
        let api = session.api(&target.mapping, &target.namespace);
        let uid = uid.clone();
        let gone = move |object: Option<&Json>| {
            object.is_none_or(|object| !uid.is_empty() && object["metadata"]["uid"] != uid.as_str())
        };
        let left = deadline.saturating_duration_since(tokio::time::Instant::now());
        let outcome = api.wait_for(&target.name, gone, left).await;
        match outcome {
            Ok(_) => {}
            Err(WaitError::Timeout { .. }) => {
                streams.progress("")?;
                let resource = target.mapping.resource.group_resource();
                return Err(anyhow!("timed out waiting for the condition on {resource}/{}", target.name));
            }
            // A user without the right to read the object has still deleted it.
            Err(WaitError::Request(error))
                if error.api().is_some_and(|api| api.is_forbidden() || api.is_method_not_supported()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(streams.progress("")?)
}
