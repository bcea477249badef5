//! The replay itself: it goes through the lines of a recording, and makes the program do the same.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use client_rs_client::{RestClient, RestClientOptions};
use client_rs_controller::recording::{self, Direction, Tape, Versions, What, own_server};
use client_rs_machinery::ObjectKey;
use client_rs_transport::Config;
use client_rs_transport::http::{InProcess, Transport};
use http::Uri;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::compare::Sent;
use super::log::{Log, METADATA};
use super::report::{Difference, ReplayReport};
use super::server::{Answer, Pending, Server, answer_of, status};
use crate::os;
use crate::simulation::{Program, Replica};

/// The time in which everything that is ready runs.
const SETTLE: Duration = Duration::from_millis(1);
/// How long the replay waits for what the recorded program did, by the clock of the program.
const PATIENCE: Duration = Duration::from_mins(2);
/// The most seconds in which a run may have read the clock.
const MOST_SECONDS: usize = 60;
/// The outcome of a run that was interrupted when it was recorded, as metrics name it.
const CANCELLED: &str = "cancelled";

pub(super) struct Driver<'a> {
    log: &'a Log,
    ignored: &'a BTreeSet<String>,
    server: Arc<Server>,
    runtime: Runtime,
    start: Instant,
    /// The next change of each collection.
    next: BTreeMap<&'a str, usize>,
    /// The versions that the caches have.
    versions: BTreeMap<&'a str, u64>,
    /// The next state of derived collections that no graph has.
    next_state: usize,
    /// Those that graphs have taken, by their numbers.
    taken: BTreeMap<u64, BTreeMap<&'a str, u64>>,
    /// Runs in progress.
    runs: BTreeMap<u64, Replayed<'a>>,
    /// Requests that wait for their response.
    open: BTreeMap<u64, Pending>,
    program: tokio::task::JoinHandle<Result<(), String>>,
    report: ReplayReport,
    _tape: Arc<dyn Tape>,
    _server: InProcess,
}

struct Replayed<'a> {
    controller: &'a str,
    key: String,
    at: u64,
    differs: bool,
    /// The time of the last step after which it continued.
    went_on: u64,
}

/// Replays a recording in this process, whose clock and random numbers it takes over for good.
pub(super) fn replay(
    path: &Path,
    program: &Program,
    ignored: &BTreeSet<String>,
    most: usize,
) -> io::Result<ReplayReport> {
    let log = Log::read(path)?;
    set_time(&log, 0);
    let mut driver = Driver::new(&log, program, ignored)?;
    for place in 0..log.lines.len() {
        if driver.report.differences.len() >= most {
            driver.report.is_stopped = true;
            break;
        }
        driver.line(place)?;
        if driver.report.ends_early.is_some() {
            break;
        }
    }
    driver.report.unknown = driver.server.state().unknown.iter().cloned().collect();
    Ok(driver.report)
}

/// The versions that are numbers.
fn numbers(versions: &Versions) -> impl Iterator<Item = (&str, u64)> {
    versions.iter().filter_map(|(of, version)| Some((&**of, version.parse().ok()?)))
}

fn set_time(log: &Log, at: u64) {
    let (seconds, micros) = (log.header.began / 1_000_000, log.header.began % 1_000_000);
    os::set_skew(seconds.cast_signed().saturating_sub_unsigned(os::START));
    os::set_time(Duration::from_micros(micros.saturating_add(at)));
}

impl<'a> Driver<'a> {
    fn new(log: &'a Log, program: &Program, ignored: &'a BTreeSet<String>) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
        let start = runtime.block_on(async { Instant::now() });
        let server = Arc::new(Server::new(log));
        let own = own_server(&Config::new(Uri::from_static("http://replay")), "replay")?;
        let sending = Arc::clone(&server);
        let service = tower::service_fn(move |request| Arc::clone(&sending).send(request));
        let transport = Transport::from_service(own.target, service);
        let registration = InProcess::register(&own.config.server, transport.clone());
        let options = RestClientOptions::from_config(&own.config);
        let tape: Arc<dyn Tape> = server.clone();
        recording::connect(options.server_id.clone(), &tape);
        let client =
            RestClient::with_options(&own.config.server, transport, options).map_err(io::Error::other)?;
        let (stop, identity) = (CancellationToken::new(), "replay".to_owned());
        let replica = Replica { number: 1, identity, config: own.config, client, stop };
        let program = runtime.spawn(program(replica));
        Ok(Self {
            log,
            ignored,
            server,
            runtime,
            start,
            next: BTreeMap::new(),
            versions: BTreeMap::new(),
            next_state: 0,
            taken: BTreeMap::new(),
            runs: BTreeMap::new(),
            open: BTreeMap::new(),
            program,
            report: ReplayReport::default(),
            _tape: tape,
            _server: registration,
        })
    }

    /// Runs everything that is ready.
    fn settle(&self) {
        // The paused clock moves when no task can run.
        self.runtime.block_on(async { tokio::time::sleep(SETTLE).await });
    }

    /// Runs everything until something is true, for some time. Returns whether it is.
    fn wait(&self, is_done: impl Fn(&Self) -> bool) -> bool {
        let mut step = SETTLE;
        let end = self.runtime.block_on(async { Instant::now() }) + PATIENCE;
        while !is_done(self) {
            if self.runtime.block_on(async { Instant::now() }) >= end {
                return false;
            }
            self.runtime.block_on(async { tokio::time::sleep(step).await });
            step = (step * 2).min(Duration::from_secs(1));
        }
        true
    }

    fn line(&mut self, place: usize) -> io::Result<()> {
        let log = self.log;
        let line = &log.lines[place];
        set_time(log, line.at);
        let due = self.start + Duration::from_micros(line.at);
        self.runtime.block_on(async { tokio::time::sleep_until(due).await });
        if let Some(versions) = line.what.versions() {
            self.versions.extend(numbers(versions));
            self.derive_before(place)?;
        }
        match &line.what {
            What::List { of, .. } | What::Event { of, .. } => self.changed(of, place),
            What::Run { run, controller, namespace, name, failures, derived, .. } => {
                self.derive(controller, derived)?;
                self.catch_up(None);
                let key = ObjectKey::new(namespace.as_str(), name.as_str());
                let replayed = Replayed {
                    controller,
                    key: key.to_string(),
                    at: line.at,
                    differs: false,
                    went_on: line.at,
                };
                self.runs.insert(*run, replayed);
                self.begin(*run, controller, key, *failures)?;
            }
            What::Read { run, derived, .. } => {
                if let Some(controller) = self.runs.get(run).map(|replayed| replayed.controller) {
                    self.derive(controller, derived)?;
                }
                self.catch_up(None);
                self.wait(|driver| {
                    let state = driver.server.state();
                    let reads = state.reads.iter().any(|(reader, _)| reader == run);
                    reads || state.sends(*run) || state.runs.get(run).copied().unwrap_or(true)
                });
                self.goes_on(*run, line.at);
                self.let_read(*run);
            }
            What::Request { request, run: Some(run), method, path, content, body, .. } => {
                self.catch_up(Some(*run));
                let recorded = Sent {
                    method: method.clone(),
                    path: path.clone(),
                    content: content.clone(),
                    body: body.clone(),
                };
                self.request(*request, *run, line.at, &recorded);
            }
            What::Response { request, .. } | What::Lost { request, .. } => {
                self.catch_up(None);
                if let (Some(open), Some(answer)) = (self.open.remove(request), answer_of(&line.what)) {
                    self.goes_on(open.run, line.at);
                    // A run that was dropped does not wait any more.
                    let _ = open.answer.send(answer);
                    self.settle();
                }
            }
            What::End { run, outcome } => self.end(*run, outcome),
            What::Cut { why } => self.report.ends_early = Some(why.clone()),
            What::Full {} => {
                self.report.ends_early = Some("the limit of its size was reached".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// A list or an event arrived. If a run has the version of the cache, that says when the cache had it.
    fn changed(&mut self, of: &'a str, place: usize) {
        let Some(changes) = self.log.changes.get(of) else { return };
        let next = self.next.entry(of).or_default();
        let is_first = *next == 0;
        if !is_first && self.log.is_tracked(of) {
            return;
        }
        let mut applied = false;
        let mut state = self.server.state();
        let collection = state.collections.entry(of.to_owned()).or_default();
        while let Some(change) = changes.get(*next).filter(|change| change.line <= place) {
            collection.apply(change);
            *next += 1;
            applied = true;
        }
        drop(state);
        if applied {
            self.server.has_listed();
            self.settle();
        }
    }

    /// Brings the derived collections of a controller to the state that they had. Its caches may have had more.
    fn derive(&mut self, controller: &str, derived: &'a Versions) -> io::Result<()> {
        if derived.is_empty() {
            return Ok(());
        }
        // Until it runs, its graph takes everything by itself.
        self.started(controller)?;
        let Some(graph) = self.server.state().graphs.get(controller).cloned() else { return Ok(()) };
        let has = self.taken.entry(graph.number).or_default();
        // The caches may have more by now than the collections had: then nothing is taken.
        if numbers(derived).all(|(of, version)| has.get(of).is_some_and(|has| *has >= version)) {
            return Ok(());
        }
        has.extend(numbers(derived));
        self.catch_up_to(&numbers(derived).collect(), None);
        (graph.flush)();
        self.settle();
        Ok(())
    }

    /// Lets a graph take its next state before caches have more than that state: the recording has the state when somebody read it, and
    /// that may have been long after the graph took it.
    fn derive_before(&mut self, place: usize) -> io::Result<()> {
        let log = self.log;
        while let Some((line, controller)) = log.derived.get(self.next_state) {
            let Some(derived) = log.derived_at(*line) else { return Ok(()) };
            let Some(graph) = self.server.state().graphs.get(controller).cloned() else { return Ok(()) };
            let has = self.taken.entry(graph.number).or_default();
            let is_taken =
                numbers(derived).all(|(of, version)| has.get(of).is_some_and(|has| *has >= version));
            if *line < place || is_taken {
                self.next_state += 1;
                continue;
            }
            let goes_beyond =
                |(of, version): (&str, u64)| self.versions.get(of).is_some_and(|to| *to > version);
            let has_arrived = |(of, version): (&str, u64)| {
                let next = self.next.get(of).copied().unwrap_or_default();
                let rest = log.changes.get(of).and_then(|changes| changes.get(next..)).unwrap_or_default();
                rest.iter().take_while(|change| change.version <= version).all(|change| change.line <= place)
            };
            if !(numbers(derived).any(goes_beyond) && numbers(derived).all(has_arrived)) {
                return Ok(());
            }
            self.derive(controller, derived)?;
        }
        Ok(())
    }

    /// Brings the caches to the versions that they had, one change at a time until a run has sent something.
    fn catch_up(&mut self, until: Option<u64>) {
        let versions = self.versions.clone();
        self.catch_up_to(&versions, until);
    }

    fn catch_up_to(&mut self, versions: &BTreeMap<&str, u64>, until: Option<u64>) {
        let log = self.log;
        loop {
            let mut first: Option<(usize, &'a str)> = None;
            for (of, changes) in &log.changes {
                let name = of.strip_suffix(METADATA).unwrap_or(of);
                let Some(version) = versions.get(name) else { continue };
                let next = self.next.get(of.as_str()).copied().unwrap_or_default();
                // The first list comes with its line.
                if let Some(change) =
                    changes.get(next).filter(|change| next > 0 && change.version <= *version)
                    && first.is_none_or(|(line, _)| change.line < line)
                {
                    first = Some((change.line, of.as_str()));
                }
            }
            let Some((_, of)) = first else { return };
            let next = self.next.entry(of).or_default();
            if let Some(collection) = self.server.state().collections.get_mut(of) {
                collection.apply(&log.changes[of][*next]);
            }
            *next += 1;
            if until.is_none_or(|run| !self.server.state().sends(run)) {
                self.settle();
            }
        }
    }

    fn begin(&mut self, run: u64, controller: &str, key: ObjectKey, failures: u32) -> io::Result<()> {
        self.started(controller)?;
        let direction = Direction { run, key, failures };
        let sender = self.server.state().controllers.get(controller).cloned();
        if sender.is_none_or(|sender| sender.send(direction).is_err()) {
            return Err(self.does_not_run(controller));
        }
        self.settle();
        Ok(())
    }

    /// Waits until a controller works.
    fn started(&mut self, controller: &str) -> io::Result<()> {
        let works = |driver: &Self| {
            driver.program.is_finished() || driver.server.state().controllers.contains_key(controller)
        };
        if self.wait(works) && !self.program.is_finished() {
            Ok(())
        } else {
            Err(self.does_not_run(controller))
        }
    }

    fn does_not_run(&mut self, controller: &str) -> io::Error {
        let why = if self.program.is_finished() {
            match self.runtime.block_on(&mut self.program) {
                Ok(Err(error)) => format!("the program has ended: {error}"),
                _ => "the program has ended".to_owned(),
            }
        } else {
            let unknown: Vec<String> = self.server.state().unknown.iter().cloned().collect();
            format!("the controller {controller} does not run; not in the recording: {}", unknown.join(", "))
        };
        io::Error::other(why)
    }

    fn has_ended(&self, run: u64) -> bool {
        self.server.state().runs.get(&run).copied().unwrap_or_default()
    }

    fn goes_on(&mut self, run: u64, at: u64) {
        if let Some(replayed) = self.runs.get_mut(&run) {
            replayed.went_on = at;
        }
    }

    /// Lets the first read of a run go on, if one waits. Returns whether one did.
    fn let_read(&self, run: u64) -> bool {
        let mut state = self.server.state();
        let Some(place) = state.reads.iter().position(|(reader, _)| *reader == run) else { return false };
        let (_, ready) = state.reads.remove(place);
        drop(state);
        // A run that was dropped does not wait any more.
        let _ = ready.send(());
        self.settle();
        true
    }

    /// Waits until a run has sent a request, or has ended. Reads that are not in the recording do not wait.
    fn wait_for_request(&self, run: u64) {
        self.wait(|driver| {
            while driver.let_read(run) {}
            driver.has_ended(run) || driver.server.state().sends(run)
        });
    }

    fn request(&mut self, request: u64, run: u64, at: u64, recorded: &Sent) {
        let is_known = self.runs.get(&run).is_some_and(|replayed| !replayed.differs);
        if !is_known {
            return;
        }
        self.wait_for_request(run);
        let found = {
            let mut state = self.server.state();
            let is_it = |pending: &Pending| pending.run == run && pending.sent.is_to(recorded);
            state.pending.iter().position(is_it).map(|place| state.pending.remove(place))
        };
        let Some(pending) = found else {
            let mut lines = vec!["the request was recorded, and was not sent now".to_owned()];
            let state = self.server.state();
            lines.extend(
                state
                    .pending
                    .iter()
                    .filter(|pending| pending.run == run)
                    .map(|pending| format!("sent instead: {}", pending.sent.title())),
            );
            drop(state);
            self.differs(run, recorded.title(), lines);
            self.refuse(run);
            return;
        };
        if recorded.method != "GET" {
            self.report.writes += 1;
            let mut lines = pending.sent.differences(recorded, self.ignored);
            let second = |at: u64| (self.log.header.began + at) / 1_000_000;
            let began = second(self.runs.get(&run).map_or(at, |replayed| replayed.went_on));
            for later in (began + 1..=second(at)).take(MOST_SECONDS) {
                if !lines.is_empty() {
                    lines = pending.sent.at_second(began, later).differences(recorded, self.ignored);
                }
            }
            if !lines.is_empty() {
                self.differs(run, recorded.title(), lines);
            }
        }
        self.open.insert(request, pending);
    }

    fn end(&mut self, run: u64, outcome: &str) {
        if outcome != CANCELLED {
            self.wait_for_request(run);
            let state = self.server.state();
            let sent = state.pending.iter().find(|pending| pending.run == run);
            let title = sent.map(|pending| pending.sent.title());
            drop(state);
            if let Some(title) = title {
                self.differs(run, title, vec!["the request is sent now, and was not recorded".to_owned()]);
            }
        }
        self.refuse(run);
        let Some(replayed) = self.runs.remove(&run) else { return };
        if outcome == CANCELLED {
            self.report.interrupted += 1;
            return;
        }
        self.report.runs += 1;
        self.report.equal += u64::from(!replayed.differs);
    }

    /// Notes the first difference of a run. Those that follow are its consequences.
    fn differs(&mut self, run: u64, request: String, lines: Vec<String>) {
        let Some(replayed) = self.runs.get_mut(&run).filter(|replayed| !replayed.differs) else { return };
        replayed.differs = true;
        self.report.differences.push(Difference {
            run,
            at: replayed.at,
            controller: replayed.controller.to_owned(),
            key: replayed.key.clone(),
            request,
            lines,
        });
    }

    /// Refuses requests that are not in the recording, so that the run ends.
    fn refuse(&mut self, run: u64) {
        loop {
            let found = {
                let mut state = self.server.state();
                let place = state.pending.iter().position(|pending| pending.run == run);
                place.map(|place| state.pending.remove(place))
            };
            let Some(pending) = found else { return };
            let body = status(403, "Forbidden");
            let _ = pending.answer.send(Answer::Response { status: 403, retry_after: String::new(), body });
            self.settle();
        }
    }
}
