//! Detectors: patterns that are almost always a mistake. They speak without being asked: a warning in the log once, a metric, and
//! the state of the controller.
//!
//! This module is pure: facts and times go in, findings come out. It gets the runs when they are recorded, many at a time, and looks at the rest
//! every few seconds while there is work, and when a watch may have become silent.

mod managers;
mod objects;

use std::collections::BTreeMap;

use client_rs_machinery::{MicroTime, ObjectKey, collections::sort_by_key};
use serde::Serialize;

pub(crate) use self::managers::Managers;
use self::objects::Objects;
pub(crate) use self::objects::WriteFact;
use crate::ReconcileOutcome;
use crate::hashed::HashedMap;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;

/// Runs of one key in a minute that are too many.
const HOT_RUNS: u32 = 120;
/// Failures in a row, and how long, until a key counts as failing forever.
const FAILING_RUNS: u32 = 12;
const FAILING_FOR: i64 = 5 * MINUTE;
/// Terminal errors in a row, although a terminal error says that a retry can't help.
const TERMINAL_RUNS: u32 = 5;
/// Runs in a row that write, each soon after the one before, until the causes are looked at.
const WRITING_RUNS: u32 = 10;
const WRITING_GAP: i64 = 10 * SECOND;
/// The lag of a handler that is too long.
const HANDLER_LAG: i64 = 5 * SECOND;
/// The time without any event or bookmark that is too long for an informer.
const SILENT_FOR: i64 = 10 * MINUTE;
/// The time between two looks while the controller works.
pub(crate) const LOOK: i64 = 5 * SECOND;
/// Looks in a row at which the queue was longer than at the look before, and its length.
const GROWING_LOOKS: u32 = 12;
const GROWING_TO: usize = 100;
/// How long a finding stays after it was seen for the last time.
const KEPT_FOR: i64 = 10 * MINUTE;
/// How many keys are observed: as many as a hash table with 4,096 places takes.
const MOST_KEYS: usize = 3584;
/// How many findings are kept.
const MOST_FINDINGS: usize = 256;

/// A pattern that is almost always a mistake; see [`ControllerState::findings`](crate::ControllerState::findings).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finding {
    /// `ownWriteLoop`, `hotKey`, `failsForever`, `terminalRetried`, `managersFight`, `noOpWrites`, `handlerLags`, `informerSilent`,
    /// `queueGrows` or `unsyncedRead`.
    pub kind: &'static str,
    /// The key, the object or the informer.
    pub subject: String,
    /// The same in a sentence, with what to do.
    pub text: String,
    /// When it was seen for the first time.
    pub since: MicroTime,
    /// When it was seen for the last time.
    pub last: MicroTime,
}

/// A finding, with times of the recorder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) kind: &'static str,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) since: i64,
    pub(crate) last: i64,
    /// Whether it was logged.
    logged: bool,
}

/// A run that has ended.
pub(crate) struct RunFacts<'a> {
    pub(crate) at: i64,
    pub(crate) began: i64,
    pub(crate) key: &'a ObjectKey,
    pub(crate) outcome: ReconcileOutcome,
    /// The informers whose caches it has read although they had no first list.
    pub(crate) unsynced: &'a [String],
}

/// The state of an informer.
pub(crate) struct InformerFacts {
    pub(crate) name: String,
    /// Microseconds since its last event, if it has had one and watches.
    pub(crate) silent: Option<i64>,
    /// The lag of the controller's handler, in microseconds; `None` if no notification waits for it.
    pub(crate) lag: Option<i64>,
}

impl InformerFacts {
    /// After how many microseconds the informer has to be looked at, even if nothing happens: it counts as silent then, or its
    /// finding would be forgotten.
    fn look_after(&self) -> i64 {
        match self.silent {
            Some(silent) if silent < SILENT_FOR => SILENT_FOR - silent,
            Some(_) => KEPT_FOR / 2,
            None => SILENT_FOR,
        }
    }
}

/// The time until the next look, in microseconds, if nothing happens: `busy` if something is in progress or waits.
pub(crate) fn look_after(busy: bool, informers: &[InformerFacts]) -> i64 {
    if busy || informers.iter().any(|informer| informer.lag.is_some()) {
        return LOOK;
    }
    informers.iter().map(InformerFacts::look_after).min().unwrap_or(i64::MAX).max(LOOK)
}

struct KeyStats {
    key: ObjectKey,
    window: i64,
    runs: u32,
    failures: u32,
    failing_since: i64,
    terminal: u32,
    writing: u32,
    ended: i64,
}

impl KeyStats {
    fn new(key: ObjectKey, window: i64) -> Self {
        Self { key, window, runs: 0, failures: 0, failing_since: 0, terminal: 0, writing: 0, ended: 0 }
    }
}

/// The detectors of one controller.
#[derive(Default)]
pub(crate) struct Detectors {
    /// By the hashes of their keys, as [`Objects`].
    keys: HashedMap<KeyStats>,
    objects: Objects,
    /// The length of the queue at the last look, how many times in a row it had grown, and when that was.
    queue: (usize, u32, i64),
    #[cfg(test)]
    pub(crate) looks: u64,
    /// Whether there is something that is worth a look at once.
    urgent: bool,
    /// Whether a key may have written in enough runs to be a suspect.
    writing: bool,
    found: BTreeMap<(&'static str, String), Found>,
}

impl Detectors {
    /// A run has ended. Returns whether there is something new to report or to look at.
    pub(crate) fn ended<'a>(
        &mut self,
        run: &RunFacts<'_>,
        writes: impl Iterator<Item = WriteFact<'a>>,
    ) -> bool {
        self.count(run, writes);
        std::mem::take(&mut self.urgent)
    }

    fn count<'a>(&mut self, run: &RunFacts<'_>, writes: impl Iterator<Item = WriteFact<'a>>) {
        let mut has_written = false;
        let writes = writes.inspect(|write| has_written |= write.is_effective());
        let hashed = self.objects.hashed(run.key);
        for (kind, object, text) in self.objects.written(hashed, writes) {
            self.find(run.at, kind, object, text);
        }
        for informer in run.unsynced {
            let text = format!(
                "the run of {} read the cache of {informer} before its first list: an object that it did not find may exist. Name \
                 the informer with Controller::reads, so that the controller waits for it, and check that it is started",
                run.key
            );
            self.find(run.at, "unsyncedRead", informer.clone(), text);
        }
        if self.keys.len() >= MOST_KEYS && !self.keys.contains_key(&hashed.hash) {
            // Keys that run rarely and succeed need no memory between their runs.
            self.keys.retain(|_, stats| stats.failures > 0 || run.at - stats.ended < MINUTE);
            if self.keys.len() >= MOST_KEYS {
                return;
            }
        }
        let new = || KeyStats::new(run.key.clone(), run.at);
        let stats = self.keys.entry(hashed.hash).or_insert_with(new);
        if run.at - stats.window > MINUTE {
            (stats.window, stats.runs) = (run.at, 0);
        }
        stats.runs += 1;
        let failed = matches!(
            run.outcome,
            ReconcileOutcome::Error | ReconcileOutcome::Panic | ReconcileOutcome::Timeout
        );
        if failed {
            if stats.failures == 0 {
                stats.failing_since = run.at;
            }
            stats.failures += 1;
        } else if run.outcome != ReconcileOutcome::Cancelled {
            stats.failures = 0;
        }
        stats.terminal = if run.outcome == ReconcileOutcome::TerminalError { stats.terminal + 1 } else { 0 };
        let soon = run.began - stats.ended < WRITING_GAP;
        let in_a_row = has_written && (soon || stats.writing == 0);
        stats.writing = if in_a_row { stats.writing + 1 } else { u32::from(has_written) };
        stats.ended = run.at;
        self.urgent |= stats.writing == WRITING_RUNS;
        self.writing |= stats.writing >= WRITING_RUNS;
        let (runs, failures, terminal) = (stats.runs, stats.failures, stats.terminal);
        let failing = run.at - stats.failing_since;
        let key = run.key;
        if runs >= HOT_RUNS {
            let text = format!(
                "{key} had {runs} runs within a minute: look at its causes (why), and set settle_window if they are wanted"
            );
            self.find(run.at, "hotKey", key.to_string(), text);
        }
        if failures >= FAILING_RUNS && failing >= FAILING_FOR {
            let minutes = failing / MINUTE;
            let text = format!(
                "{key} has failed {failures} times in a row, for {minutes} minutes: fix the cause, or return a terminal error if a \
                 retry can't help"
            );
            self.find(run.at, "failsForever", key.to_string(), text);
        }
        if terminal >= TERMINAL_RUNS {
            let text = format!(
                "{key} ended {terminal} times in a row with a terminal error: something enqueues it again although a retry can't help"
            );
            self.find(run.at, "terminalRetried", key.to_string(), text);
        }
    }

    /// Keys whose runs may be caused by their own writes: the caller looks at their causes.
    pub(crate) fn suspects(&mut self) -> Vec<ObjectKey> {
        if !self.writing {
            return Vec::new();
        }
        let writing = self.keys.values().filter(|stats| stats.writing >= WRITING_RUNS);
        self.writing = writing.clone().next().is_some();
        let is_known = |key: &ObjectKey| self.found.contains_key(&("ownWriteLoop", key.to_string()));
        writing.map(|stats| &stats.key).filter(|key| !is_known(key)).take(2).cloned().collect()
    }

    /// The causes of a suspect were looked at: this many of its last runs were caused by its own writes.
    pub(crate) fn looked_at(&mut self, at: i64, key: &ObjectKey, own: usize) {
        let place = self.objects.hashed(key).hash;
        if let Some(stats) = self.keys.get_mut(&place) {
            stats.writing = 0;
        }
        if own >= 3 {
            let text = format!(
                "{key} reconciles because of its own writes: each of its last {own} runs wrote an object whose event began the next \
                 one. Write only what has changed, or add a predicate such as generation_changed"
            );
            self.find(at, "ownWriteLoop", key.to_string(), text);
        }
    }

    /// Looks at the queue and the informers. Growth of the queue counts once in [`LOOK`].
    pub(crate) fn look(&mut self, at: i64, ready: usize, informers: &[InformerFacts]) {
        #[cfg(test)]
        {
            self.looks += 1;
        }
        let (before, growing, looked) = self.queue;
        if at - looked >= LOOK {
            self.queue = (ready, if ready > before { growing + 1 } else { 0 }, at);
        }
        if self.queue.1 >= GROWING_LOOKS && ready >= GROWING_TO {
            let text = format!(
                "the queue grows: {ready} keys wait for a worker. Raise the number of workers, or make the runs faster"
            );
            self.find(at, "queueGrows", "queue".to_owned(), text);
        }
        for informer in informers {
            let name = &informer.name;
            if let Some(lag) = informer.lag.filter(|lag| *lag >= HANDLER_LAG) {
                let text = format!(
                    "the handler of {name} is {} seconds behind: a predicate or a mapping function is slow",
                    lag / SECOND
                );
                self.find(at, "handlerLags", name.clone(), text);
            }
            if let Some(silent) = informer.silent.filter(|silent| *silent >= SILENT_FOR) {
                let text = format!(
                    "the watch of {name} has had no event and no bookmark for {} minutes: its connection may be dead",
                    silent / MINUTE
                );
                self.find(at, "informerSilent", name.clone(), text);
            }
        }
        self.forget(at);
    }

    fn forget(&mut self, at: i64) {
        self.found.retain(|_, found| at - found.last < KEPT_FOR);
    }

    /// The findings that were not logged yet, once.
    pub(crate) fn news(&mut self) -> Vec<Found> {
        let new = self.found.values_mut().filter(|found| !found.logged);
        new.map(|found| {
            found.logged = true;
            found.clone()
        })
        .collect()
    }

    /// The keys with the most runs in the minute of their count, the busiest first.
    pub(crate) fn busiest(&self, at: i64) -> Vec<(ObjectKey, u32)> {
        let recent = self.keys.values().filter(|stats| at - stats.window <= MINUTE && stats.runs > 1);
        let mut busiest: Vec<(&ObjectKey, u32)> = recent.map(|stats| (&stats.key, stats.runs)).collect();
        sort_by_key(&mut busiest, |(key, runs)| (std::cmp::Reverse(*runs), *key));
        busiest.into_iter().take(5).map(|(key, runs)| (key.clone(), runs)).collect()
    }

    /// All findings that are not too old, the newest first.
    pub(crate) fn findings(&self, at: i64) -> Vec<Found> {
        let recent = self.found.values().filter(|found| at - found.last < KEPT_FOR);
        let mut all: Vec<Found> = recent.cloned().collect();
        sort_by_key(&mut all, |found| std::cmp::Reverse(found.last));
        all
    }

    fn find(&mut self, at: i64, kind: &'static str, subject: String, text: String) {
        if self.found.len() >= MOST_FINDINGS {
            self.forget(at);
        }
        let full = self.found.len() >= MOST_FINDINGS;
        match self.found.entry((kind, subject.clone())) {
            std::collections::btree_map::Entry::Occupied(mut known) => {
                let known = known.get_mut();
                if at - known.last >= KEPT_FOR {
                    // It was over. This is another time.
                    (known.since, known.logged) = (at, false);
                    self.urgent = true;
                }
                (known.last, known.text) = (at, text);
            }
            std::collections::btree_map::Entry::Vacant(_) if full => {}
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(Found { kind, subject, text, since: at, last: at, logged: false });
                self.urgent = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("n", name)
    }

    fn run(
        detectors: &mut Detectors,
        at: i64,
        name: &str,
        outcome: ReconcileOutcome,
        writes: &[WriteFact<'_>],
    ) {
        let run = RunFacts { at, began: at - 1_000, key: &key(name), outcome, unsynced: &[] };
        detectors.ended(&run, writes.iter().copied());
    }

    fn kinds(detectors: &Detectors) -> Vec<&'static str> {
        detectors.findings(0).iter().map(|found| found.kind).collect()
    }

    #[test]
    fn a_key_that_runs_all_the_time_is_hot_and_one_that_runs_every_second_is_not() {
        let mut detectors = Detectors::default();
        for second in 0..600 {
            run(&mut detectors, second * SECOND, "steady", ReconcileOutcome::Success, &[]);
        }
        assert!(kinds(&detectors).is_empty());
        for tick in 0..HOT_RUNS {
            run(
                &mut detectors,
                600 * SECOND + i64::from(tick) * SECOND / 4,
                "hot",
                ReconcileOutcome::Success,
                &[],
            );
        }
        assert_eq!(kinds(&detectors), ["hotKey"]);
        assert!(detectors.findings(0)[0].text.starts_with("n/hot had 120 runs within a minute"));
    }

    #[test]
    fn failures_count_only_in_a_row_and_over_minutes() {
        let mut detectors = Detectors::default();
        for number in 0..30 {
            run(&mut detectors, number * SECOND, "quick", ReconcileOutcome::Error, &[]);
        }
        assert!(kinds(&detectors).is_empty(), "half a minute is not forever");
        for number in 0..30 {
            let outcome = if number % 5 == 4 { ReconcileOutcome::Success } else { ReconcileOutcome::Error };
            run(&mut detectors, number * MINUTE, "flaky", outcome, &[]);
        }
        assert!(kinds(&detectors).is_empty());
        for number in 0..13 {
            let outcome = if number == 6 { ReconcileOutcome::Cancelled } else { ReconcileOutcome::Timeout };
            run(&mut detectors, number * MINUTE, "broken", outcome, &[]);
        }
        assert_eq!(kinds(&detectors), ["failsForever"]);
        for number in 0..5 {
            run(&mut detectors, number * MINUTE, "final", ReconcileOutcome::TerminalError, &[]);
        }
        assert!(kinds(&detectors).contains(&"terminalRetried"));
    }

    #[test]
    fn runs_that_write_in_a_row_are_suspects_until_they_were_looked_at() {
        let mut detectors = Detectors::default();
        for number in 0..WRITING_RUNS {
            let object = key("a");
            let write = WriteFact::of("configmaps", &object, u64::from(number) + 1);
            run(
                &mut detectors,
                i64::from(number) * SECOND,
                "a",
                ReconcileOutcome::Success,
                std::slice::from_ref(&write),
            );
            // With pauses there is no loop.
            run(&mut detectors, i64::from(number) * MINUTE, "b", ReconcileOutcome::Success, &[write]);
        }
        assert_eq!(detectors.suspects(), [key("a")]);
        detectors.looked_at(MINUTE, &key("a"), 1);
        assert!(detectors.suspects().is_empty() && kinds(&detectors).is_empty());
        detectors.looked_at(MINUTE, &key("a"), 8);
        assert_eq!(kinds(&detectors), ["ownWriteLoop"]);
    }

    #[test]
    fn a_queue_that_only_grows_a_handler_that_lags_and_a_silent_watch_are_found() {
        let mut detectors = Detectors::default();
        let informer = |silent, lag| InformerFacts { name: "Pod".to_owned(), silent, lag };
        for look in 0..20 {
            detectors.look(
                look * 5 * SECOND,
                1_000 - usize::try_from(look).unwrap(),
                &[informer(Some(SECOND), None)],
            );
        }
        assert!(kinds(&detectors).is_empty(), "a queue that shrinks");
        for look in 0..20 {
            let at = (100 + look * 5) * SECOND;
            let ready = 900 + usize::try_from(look).unwrap() * 50;
            detectors.look(at, ready, &[informer(None, Some(HANDLER_LAG))]);
            // Looks in between do not count.
            detectors.look(at + SECOND, 0, &[]);
        }
        detectors.look(300 * SECOND, 0, &[informer(Some(SILENT_FOR), Some(0))]);
        let mut found = kinds(&detectors);
        found.sort_unstable();
        assert_eq!(found, ["handlerLags", "informerSilent", "queueGrows"]);
        // Each is news once, and gone some time after it was seen for the last time.
        assert_eq!((detectors.news().len(), detectors.news().len()), (3, 0));
        detectors.look(300 * SECOND + KEPT_FOR, 0, &[]);
        assert!(kinds(&detectors).is_empty());
    }

    #[test]
    fn a_controller_without_work_is_looked_at_when_a_watch_may_be_silent() {
        let informer = |silent, lag| InformerFacts { name: "Pod".to_owned(), silent, lag };
        let quiet = [informer(Some(MINUTE), None), informer(None, None)];
        assert_eq!((look_after(false, &quiet), look_after(true, &quiet)), (SILENT_FOR - MINUTE, LOOK));
        assert_eq!(look_after(false, &[informer(None, Some(0))]), LOOK, "notifications wait");
        assert_eq!(look_after(false, &[informer(Some(SILENT_FOR - 1), None)]), LOOK);
        assert!(look_after(false, &[informer(Some(SILENT_FOR), None)]) < KEPT_FOR);
        assert_eq!(look_after(false, &[]), i64::MAX);
    }

    #[test]
    fn a_read_of_a_cache_without_a_first_list_is_found_once_per_informer() {
        let mut detectors = Detectors::default();
        for (at, name) in [(SECOND, "a"), (2 * SECOND, "b")] {
            let (key, unsynced) = (key(name), ["Secret".to_owned()]);
            let outcome = ReconcileOutcome::Success;
            let run = RunFacts { at, began: at, key: &key, outcome, unsynced: &unsynced };
            detectors.ended(&run, std::iter::empty());
        }
        let [found] = &detectors.findings(0)[..] else { panic!("{:?}", detectors.findings(0)) };
        assert_eq!((found.kind, found.subject.as_str(), found.since), ("unsyncedRead", "Secret", SECOND));
        assert!(found.text.starts_with("the run of n/b read the cache of Secret before its first list"));
    }

    #[test]
    fn memory_is_bounded() {
        let mut detectors = Detectors::default();
        for number in 0..20_000 {
            let name = format!("k{number}");
            run(
                &mut detectors,
                number,
                &name,
                ReconcileOutcome::Error,
                &[WriteFact::of("pods", &key(&name), 5)],
            );
        }
        assert_eq!(detectors.keys.len(), MOST_KEYS);
        for number in 0..1_000 {
            detectors.find(1, "hotKey", number.to_string(), String::new());
        }
        assert_eq!(detectors.found.len(), MOST_FINDINGS);
    }
}
