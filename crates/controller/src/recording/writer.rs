//! [`Writer`]: takes the lines of a recording, for a file or for a reader.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::format::{Header, Line, Target, What};
use super::hide::Hider;
use super::kept::{Exchange, Kept};
use super::runs::{RunStart, Seen, Tape};
use super::tap::{METADATA, news};
use super::{RecordingOptions, RecordingSummary};
use crate::ReconcileOutcome;

/// A reader that has not asked for so long does not come back.
const ABANDONED: Duration = Duration::from_secs(30);

/// Takes lines. Their order is that of the calls. Nothing waits for a reader.
pub(super) struct Writer {
    requests: AtomicU64,
    runs: AtomicU64,
    outputs: AtomicU64,
    state: Mutex<State>,
    keeps: Keeps,
}

/// The state that is kept for readers that come later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    Nothing,
    Keys,
    Values,
}

#[derive(Default)]
struct State {
    output: Option<Output>,
    kept: Kept,
    summary: RecordingSummary,
    error: Option<io::Error>,
}

/// A file, or the lines for a reader.
struct Output {
    number: u64,
    began: Instant,
    hider: Arc<Hider>,
    has_values: bool,
    sink: Sink,
    left: u64,
    versions: BTreeMap<String, String>,
    /// The versions with which it began, and whether there were objects. Runs that see less are not recorded.
    first: BTreeMap<String, (u64, bool)>,
    /// Recorded runs in progress.
    runs: BTreeSet<u64>,
    /// Recorded requests without a response.
    open: BTreeSet<u64>,
    /// Why nothing follows.
    ended: Option<&'static str>,
}

enum Sink {
    File(BufWriter<File>),
    Lines { lines: VecDeque<String>, bytes: usize, most: usize, asked: Instant },
}

/// The beginning of a recording that a reader has asked for.
pub(super) struct Begun {
    pub(super) number: u64,
    pub(super) header: Header,
    pub(super) hider: Arc<Hider>,
    pub(super) collections: Vec<super::kept::Copied>,
    pub(super) exchanges: Vec<Exchange>,
}

fn salt(now: Duration) -> String {
    use std::hash::{BuildHasher as _, RandomState};
    let random = || RandomState::new().hash_one(now);
    format!("{:016x}{:016x}", random(), random())
}

fn header(options: &RecordingOptions, values: bool) -> Header {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let began = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
    Header { values, ..Header::new(began, salt(now), options.hidden.clone()) }
}

impl Writer {
    fn with(options: &RecordingOptions, keeps: Keeps) -> io::Result<Self> {
        let is_field = |field: &String| {
            field.split_once(':').is_some_and(|(resource, path)| !resource.is_empty() && !path.is_empty())
        };
        if let Some(wrong) = options.hidden.iter().find(|field| !is_field(field)) {
            let text = format!("{wrong:?} is not a field: a resource, `:` and a path are needed");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let kept = Kept::new(options.kept_bytes);
        Ok(Self {
            requests: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            outputs: AtomicU64::new(0),
            state: Mutex::new(State { kept, ..State::default() }),
            keeps,
        })
    }

    /// Writes to a file.
    pub(super) fn create(path: &Path, options: &RecordingOptions) -> io::Result<Self> {
        let writer = Self::with(options, Keeps::Nothing)?;
        let (began, header) = (Instant::now(), header(options, true));
        let mut open = File::options();
        open.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let mut file = BufWriter::new(open.open(path)?);
        let text = serde_json::to_string(&header).map_err(io::Error::other)?;
        writeln!(file, "{text}")?;
        let left = options.max_bytes.saturating_sub(text.len() as u64);
        let hider = Arc::new(Hider::new(&header));
        writer.state().output = Some(Output::new(0, began, hider, true, Sink::File(file), left));
        Ok(writer)
    }

    /// Keeps the state until a reader asks.
    pub(super) fn on_request(options: &RecordingOptions) -> io::Result<Self> {
        Self::with(options, if options.values_on_request { Keeps::Values } else { Keeps::Keys })
    }

    /// Begins a recording for a reader.
    pub(super) fn begin(&self, options: &RecordingOptions, values: bool) -> Result<Begun, &'static str> {
        const OVER: &str =
            "the objects of the caches need more memory than `RecordingOptions::kept_bytes` allows";
        if self.keeps == Keeps::Nothing {
            return Err("the recording goes to a file");
        }
        let (began, header) = (Instant::now(), header(options, values));
        let hider = Arc::new(Hider::new(&header));
        if values {
            // First all secrets, so that their copies in other objects are known.
            let secret = self.state().kept.copied(|target| hider.hides(target));
            for copied in secret.ok_or(OVER)? {
                copied.objects.iter().for_each(|text| drop(hidden(&hider, &copied.target, text)));
            }
        }
        let mut state = self.state();
        let mut collections = state.kept.copied(|_| true).ok_or(OVER)?;
        collections.sort_by_key(|copied| !hider.hides(&copied.target));
        let exchanges = state.kept.exchanges();
        let number = self.outputs.fetch_add(1, Ordering::Relaxed) + 1;
        let sink = Sink::Lines {
            lines: VecDeque::new(),
            bytes: 0,
            most: options.buffered_bytes,
            asked: Instant::now(),
        };
        let mut output = Output::new(number, began, Arc::clone(&hider), values, sink, options.max_bytes);
        for copied in &collections {
            let name = copied.of.strip_suffix(METADATA).unwrap_or(&copied.of);
            let first = output.first.entry(name.to_owned()).or_default();
            *first = (copied.version.max(first.0), first.1 || !copied.objects.is_empty());
        }
        (state.output, state.summary) = (Some(output), RecordingSummary::default());
        Ok(Begun { number, header, hider, collections, exchanges })
    }

    /// Whether a reader is being served.
    pub(super) fn is_read(&self) -> bool {
        let mut state = self.state();
        state.output.as_mut().is_some_and(|output| {
            output.check_reader();
            output.ended.is_none()
        })
    }

    /// Takes lines for the reader. Returns why there will be no more, if that is so.
    pub(super) fn take(&self, number: u64, most: usize, text: &mut String) -> Option<&'static str> {
        let mut state = self.state();
        let output = state.output.as_mut().filter(|output| output.number == number);
        let Some(output) = output else { return Some("another one has begun") };
        output.check_reader();
        let Sink::Lines { lines, bytes, asked, .. } = &mut output.sink else { return None };
        *asked = Instant::now();
        while text.len() < most
            && let Some(line) = lines.pop_front()
        {
            *bytes -= line.len();
            text.push_str(&line);
        }
        output.ended.filter(|_| lines.is_empty())
    }

    /// The reader still reads what was kept.
    pub(super) fn is_asked(&self) {
        if let Some(Output { sink: Sink::Lines { asked, .. }, .. }) = &mut self.state().output {
            *asked = Instant::now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The text of an object, as it is kept.
    fn kept_text(&self, object: &Value) -> Arc<str> {
        match self.keeps {
            Keeps::Values => object.to_string().into(),
            _ => key_only(object).to_string().into(),
        }
    }

    /// An informer got a list, or a page of one.
    pub(super) fn listed(&self, target: &Target, of: String, version: String, items: Vec<Value>, more: bool) {
        if self.keeps != Keeps::Nothing {
            let texts = items.iter().map(|item| (key(item), self.kept_text(item))).collect();
            let mut state = self.state();
            let number = state.output.as_ref().map(|output| output.number);
            state.kept.page(target, &of, &version, texts, more, number);
        }
        self.write(|hider| {
            let mut items = items;
            for item in &mut items {
                hider.object(target, item);
            }
            What::List { of, version, items, more }
        });
    }

    /// A watch begins after a list: what was listed is the state of the collection.
    pub(super) fn watched(&self, of: &str, version: &str) {
        if self.keeps == Keeps::Nothing {
            return;
        }
        let copied = {
            let mut state = self.state();
            let number = state.output.as_ref().map(|output| output.number);
            state.kept.commit(of, version, number)
        };
        // The list has arrived before the recording began.
        if let Some(copied) = copied {
            self.write(|hider| copied.list(hider));
        }
    }

    /// An informer got an event.
    pub(super) fn event(&self, target: &Target, of: String, kind: String, mut object: Value) {
        if self.keeps != Keeps::Nothing {
            let (key, version) = (key(&object), version_of(&object));
            let text = (kind != "DELETED").then(|| self.kept_text(&object));
            self.state().kept.event(&of, key, version, text);
        }
        self.write(|hider| {
            hider.object(target, &mut object);
            What::Event { of, kind, object }
        });
    }

    /// A request outside of runs has a response.
    pub(super) fn exchanged(&self, exchange: impl FnOnce() -> Exchange) {
        if self.keeps == Keeps::Values {
            self.state().kept.exchanged(exchange());
        }
    }

    /// Writes a line.
    pub(super) fn write(&self, what: impl FnOnce(&Hider) -> What) {
        let state = self.state();
        let open = state.output.as_ref().filter(|output| output.ended.is_none());
        let Some((number, hider)) = open.map(|output| (output.number, Arc::clone(&output.hider))) else {
            return;
        };
        drop(state);
        let what = what(&hider);
        let mut state = self.state();
        let State { output, summary, error, .. } = &mut *state;
        let Some(output) = output.as_mut().filter(|output| output.number == number) else { return };
        if let Err(failed) = output.line(what, summary) {
            *error = Some(failed);
            output.ended = Some("the file failed");
        }
    }

    /// Ends the recording. Later lines are not written.
    pub(super) fn finish(&self) -> io::Result<RecordingSummary> {
        let mut state = self.state();
        let output = state.output.take();
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if let Some(Output { sink: Sink::File(mut file), .. }) = output {
            file.flush()?;
        }
        Ok(state.summary.clone())
    }
}

impl Output {
    fn new(number: u64, began: Instant, hider: Arc<Hider>, has_values: bool, sink: Sink, left: u64) -> Self {
        let (versions, first) = (BTreeMap::new(), BTreeMap::new());
        let (runs, open, ended) = (BTreeSet::new(), BTreeSet::new(), None);
        Self { number, began, hider, has_values, sink, left, versions, first, runs, open, ended }
    }

    /// Whether a line belongs to it: not the parts of runs and requests that began before it.
    fn has(&mut self, what: &What) -> bool {
        match what {
            What::Run { run, versions, derived, .. } => {
                let is_less = |(of, version): (&String, &String)| {
                    let (first, has_objects) = self.first.get(of).copied().unwrap_or_default();
                    // A graph that has taken nothing has version 0.
                    let sees_all = |version: u64| version >= first || (version == 0 && !has_objects);
                    version.parse::<u64>().is_ok_and(|version| !sees_all(version))
                };
                let sees_less = versions.iter().chain(derived).any(is_less);
                if !sees_less {
                    self.runs.insert(*run);
                }
                !sees_less
            }
            What::Read { run, .. } => self.runs.contains(run),
            What::End { run, .. } => self.runs.remove(run),
            What::Request { request, run, .. } => {
                let has = run.is_none_or(|run| self.runs.contains(&run));
                if has {
                    self.open.insert(*request);
                }
                has
            }
            What::Response { request, .. } | What::Lost { request, .. } => self.open.remove(request),
            _ => true,
        }
    }

    fn line(&mut self, mut what: What, summary: &mut RecordingSummary) -> io::Result<()> {
        self.check_reader();
        if self.ended.is_some() || !self.has(&what) {
            return Ok(());
        }
        if let Some(new) = what.versions_mut() {
            news(&mut self.versions, new);
        }
        let runs = u64::from(matches!(what, What::Run { .. }));
        let text = self.text(if self.has_values { what } else { without_values(what) })?;
        let length = text.len() as u64;
        if length > self.left {
            summary.is_full = true;
            return self.close("the limit of its size was reached", What::Full {});
        }
        if let Sink::Lines { bytes, most, .. } = &self.sink
            && bytes + text.len() > *most
        {
            let why = "the reader was slower than the controllers";
            return self.close(why, What::Cut { why: why.to_owned() });
        }
        self.left -= length;
        summary.bytes += length;
        summary.runs += runs;
        self.put(text)
    }

    /// A line at this time.
    fn text(&self, what: What) -> io::Result<String> {
        let at = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(serde_json::to_string(&Line { at, what }).map_err(io::Error::other)? + "\n")
    }

    fn put(&mut self, text: String) -> io::Result<()> {
        match &mut self.sink {
            Sink::File(file) => file.write_all(text.as_bytes()),
            Sink::Lines { lines, bytes, .. } => {
                *bytes += text.len();
                lines.push_back(text);
                Ok(())
            }
        }
    }

    /// Writes the last line.
    fn close(&mut self, why: &'static str, last: What) -> io::Result<()> {
        let text = self.text(last)?;
        self.ended = Some(why);
        self.put(text)?;
        if let Sink::File(file) = &mut self.sink {
            file.flush()?;
        }
        Ok(())
    }

    /// Drops the lines of a reader that does not come back.
    fn check_reader(&mut self) {
        if let Sink::Lines { lines, bytes, asked, .. } = &mut self.sink
            && self.ended.is_none()
            && asked.elapsed() > ABANDONED
        {
            (*lines, *bytes) = (VecDeque::new(), 0);
            let why = "nobody asked for its lines for 30 seconds";
            // Lines in memory do not fail.
            let _ = self.close(why, What::Cut { why: why.to_owned() });
        }
    }
}

/// The namespace and the name of an object.
pub(super) fn key(object: &Value) -> (String, String) {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
    (text("namespace"), text("name"))
}

fn version_of(object: &Value) -> u64 {
    object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The key and the version of an object.
fn key_only(object: &Value) -> Value {
    let fields = ["namespace", "name", "resourceVersion"];
    let meta = fields.iter().filter_map(|field| {
        let value = object.get("metadata")?.get(field)?;
        Some(((*field).to_owned(), value.clone()))
    });
    serde_json::json!({"metadata": meta.collect::<serde_json::Map<_, _>>()})
}

/// A line with keys and versions alone.
pub(super) fn without_values(mut what: What) -> What {
    match &mut what {
        What::List { items, .. } => items.iter_mut().for_each(|item| *item = key_only(item)),
        What::Event { object, .. } => *object = key_only(object),
        What::Request { body, .. } | What::Response { body, .. } => body.clear(),
        _ => {}
    }
    what
}

/// An object that was kept, with its secrets hidden.
pub(super) fn hidden(hider: &Hider, target: &Target, text: &str) -> Value {
    let mut object = serde_json::from_str(text).unwrap_or_default();
    hider.object(target, &mut object);
    object
}

impl Tape for Writer {
    fn began(&self, start: &RunStart<'_>, _: Option<u64>) -> Option<u64> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        self.write(|_| What::Run {
            run,
            controller: start.controller.to_owned(),
            namespace: start.namespace.to_owned(),
            name: start.name.to_owned(),
            failures: start.failures,
            versions: start.seen.versions.clone(),
            derived: start.seen.derived.clone(),
        });
        Some(run)
    }

    fn has_read(&self, run: u64, seen: Seen) {
        self.write(|_| What::Read { run, versions: seen.versions, derived: seen.derived });
    }

    fn ended(&self, run: u64, outcome: ReconcileOutcome) {
        self.write(|_| What::End { run, outcome: outcome.label().to_owned() });
    }
}
