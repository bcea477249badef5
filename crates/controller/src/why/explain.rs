//! The explanation: history and live state become sentences.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::sync::Arc;

use client_rs_machinery::{
    MicroTime, ObjectKey,
    collections::{VecMap, sort_by_key},
};

use super::history::{History, PastEvent, PastRun, Writer, writers};
use super::live::Live;
use super::words::{change, clock, count, ended, parts, result, span};
use super::{Why, WhyCause, WhyEvent, WhyMemory, WhyNow, WhyRequest, WhyRun, WhyWriter};
use crate::ReconcileOutcome;
use crate::recorder::{Cause, Log, Role, Skip, Source};

/// How many runs and events an answer has.
const MOST: usize = 10;
/// How many events of one run are listed: the first, and the last ones.
const MOST_CAUSES: usize = 4;
/// How many steps a chain of own writes is followed back.
const MOST_STEPS: usize = 4;

pub(super) fn explain(
    name: &str,
    key: &ObjectKey,
    log: &Log,
    sources: &[Arc<Source>],
    history: &History,
    live: &Live,
) -> Why {
    let it = Explainer { name, key, log, sources, history, live };
    let runs = it.runs();
    Why {
        controller: name.to_owned(),
        key: key.to_string(),
        at: it.time(live.now),
        now: it.now(),
        notes: it.notes(&runs),
        runs,
        ignored: it.ignored(),
        memory: it.memory(),
    }
}

struct Explainer<'a> {
    name: &'a str,
    key: &'a ObjectKey,
    log: &'a Log,
    sources: &'a [Arc<Source>],
    history: &'a History,
    live: &'a Live,
}

impl Explainer<'_> {
    fn time(&self, at: i64) -> MicroTime {
        self.log.recorder.time(at)
    }

    fn clock(&self, at: i64) -> String {
        clock(self.time(at))
    }

    fn since(&self, at: i64) -> String {
        let age = u64::try_from(self.live.now.saturating_sub(at)).unwrap_or_default();
        format!("since {} ({})", self.clock(at), span(age))
    }

    fn informer(&self, source: u8) -> &str {
        self.sources.get(usize::from(source)).map_or("an object", |source| source.name.as_str())
    }

    fn event_text(&self, event: &PastEvent) -> String {
        let informer = self.informer(event.source);
        let change = change(event.kind, event.version, event.changed);
        format!("{informer} {} {change} at {}", event.object, self.clock(event.at))
    }

    // The state of this moment.

    fn now(&self) -> WhyNow {
        let live = self.live;
        self.phase_now()
            .or_else(|| self.running_now())
            .or_else(|| self.shard_now())
            .or_else(|| self.held_now())
            .or_else(|| self.queue_now())
            .unwrap_or_else(|| WhyNow { state: "idle", text: self.idle_text(), since: None, until: None })
            .with_again(live.queue.is_some_and(|queue| queue.again))
    }

    fn phase_now(&self) -> Option<WhyNow> {
        let live = self.live;
        let queued = match live.queue.and_then(|queue| queue.ahead) {
            Some(ahead) => format!(" The key is in the queue behind {} and runs then.", count(ahead, "key")),
            None => String::new(),
        };
        let changed = self.history.phases.last().map(|(at, _)| *at);
        let since = changed.map(|at| self.time(at));
        let (state, text) = match live.phase {
            "running" => return None,
            "waiting" if live.leading == Some(false) => (
                "notLeading",
                format!("this replica does not lead, so the controller does not work here.{queued}"),
            ),
            "waiting" => (
                "notStarted",
                format!("the controller has not been started, or waits for another term.{queued}"),
            ),
            "syncing" => {
                let late = live.sources.iter().filter(|source| !source.synced).map(|source| {
                    match (&source.last_error, source.started) {
                        (Some(error), _) => format!("{} ({error})", source.name),
                        (None, false) => format!("{} (nobody has started it)", source.name),
                        (None, true) => format!("{} (no response to its list yet)", source.name),
                    }
                });
                let late: Vec<String> = late.collect();
                let text = if late.is_empty() {
                    "the controller starts: its handlers have not seen the first lists yet".to_owned()
                } else {
                    format!("the controller waits for the first list of {}", late.join(", "))
                };
                ("notSynced", format!("{text}.{queued}"))
            }
            "stopping" => ("stopping", "the controller stops: no more runs begin.".to_owned()),
            _ => ("stopped", "the controller has stopped.".to_owned()),
        };
        Some(WhyNow { state, text, since, until: None })
    }

    fn running_now(&self) -> Option<WhyNow> {
        let run = self.live.run.as_ref()?;
        let waits = match &run.waits_for {
            Some((request, began)) => {
                format!(" It waits for the response to {request} {}.", self.since(*began))
            }
            None if run.requests == 0 => " It has sent no request.".to_owned(),
            None => format!(" It has sent {}, and all have a response.", count(run.requests, "request")),
        };
        let text = format!("it is running {}.{waits}", self.since(run.began));
        Some(WhyNow { state: "running", text, since: Some(self.time(run.began)), until: None })
    }

    fn shard_now(&self) -> Option<WhyNow> {
        let (shard, held) = self.live.shard.as_ref().filter(|(shard, held)| !held.contains(shard))?;
        let lost = self.history.shards.iter().rev().find(|(_, of, _)| of == shard);
        let since = lost.filter(|(_, _, held)| !held).map(|(at, ..)| *at);
        let left = since.map_or(String::new(), |at| format!(", which left at {}", self.clock(at)));
        let held: Vec<String> = held.iter().map(ToString::to_string).collect();
        let held = if held.is_empty() { "none".to_owned() } else { held.join(", ") };
        let text = format!(
            "it belongs to shard {shard}{left}, and this replica holds {held}: another replica runs it, or none does."
        );
        Some(WhyNow { state: "otherShard", text, since: since.map(|at| self.time(at)), until: None })
    }

    fn held_now(&self) -> Option<WhyNow> {
        let (object, since) = self.live.held.as_ref()?;
        let text = format!(
            "it waits {} until the cache shows an own write: {object}. No worker waits with it.",
            self.since(*since)
        );
        Some(WhyNow { state: "staleWait", text, since: Some(self.time(*since)), until: None })
    }

    fn queue_now(&self) -> Option<WhyNow> {
        let (live, queue) = (self.live, self.live.queue?);
        if let Some(ahead) = queue.ahead {
            let busy = if live.busy.len() >= live.workers {
                let (oldest, began) = live.busy.first()?;
                let all = if live.workers == 1 {
                    "The only worker is".to_owned()
                } else {
                    format!("All {} workers are", live.workers)
                };
                format!(" {all} busy; the oldest run is that of {oldest}, {}.", self.since(*began))
            } else {
                String::new()
            };
            let text = format!("it is in the queue behind {}.{busy}", count(ahead, "key"));
            return Some(WhyNow { state: "queued", text, since: None, until: None });
        }
        let due = queue.due?;
        let until = Some(self.time(due));
        let left = span(u64::try_from(due.saturating_sub(live.now)).unwrap_or_default());
        let next = format!("its next run is due at {} (in {left})", self.clock(due));
        if queue.backoff {
            let error = match &live.error {
                Some(error) => format!("the last error was: {error}"),
                None => "the last run asked for it".to_owned(),
            };
            let failures = count(usize::try_from(live.failures).unwrap_or(usize::MAX), "failure");
            let text = format!("it is in backoff after {failures} in a row: {next}; {error}.");
            return Some(WhyNow { state: "backoff", text, since: None, until });
        }
        let why = match self.history.skipped.last() {
            Some((at, Skip::Settling(_))) if self.history.runs.last().is_none_or(|run| run.ended <= *at) => {
                "it was enqueued within the settle window after its last run"
            }
            _ => "it has a delay (its last run asked for it, or the program did)",
        };
        Some(WhyNow { state: "delayed", text: format!("{why}: {next}."), since: None, until })
    }

    fn idle_text(&self) -> String {
        let (history, live) = (self.history, self.live);
        let mut text = String::from("it is neither running nor in the queue.");
        let refused = history.events.iter().rev().filter(|event| event.refused.is_some());
        let last = history.runs.last();
        let refused: Vec<_> =
            refused.take_while(|event| last.is_none_or(|run| event.at > run.began())).collect();
        if let Some(event) = refused.first() {
            let part = self.part(event);
            add(
                &mut text,
                format_args!(
                    " {} since {} did not enqueue it: the predicate {part} refused the last one.",
                    count(refused.len(), "event"),
                    last.map_or("the memory begins".to_owned(), |_| "its last run".to_owned()),
                ),
            );
        }
        if let Some(run) = last {
            let how = ended(run.outcome, run.again, run.code);
            add(&mut text, format_args!(" Its last run began at {}: {how}.", self.clock(run.began())));
            if run.outcome == ReconcileOutcome::TerminalError {
                text += " A terminal error is not retried before something changes.";
                if let Some(error) = &live.error {
                    add(&mut text, format_args!(" The error was: {error}."));
                }
            } else if refused.is_empty() {
                text += " Nothing has enqueued it since.";
            }
        } else {
            let from = self.begins();
            let enqueued = history.events.iter().any(|event| event.refused.is_none());
            text += match (enqueued, refused.is_empty()) {
                (true, _) => " Events have enqueued it, but no run of it has ended",
                (false, true) => " No event that leads to it was seen",
                (false, false) => " It has not run",
            };
            add(&mut text, format_args!(" {from}."));
        }
        let primary = live.sources.iter().find(|source| source.role == Role::Primary);
        if let Some(source) = primary.filter(|source| source.has_object == Some(false)) {
            add(
                &mut text,
                format_args!(
                    " The cache of {} has no object with this key: it does not exist, or the informer does not cover its namespace, labels \
                 or fields.",
                    source.name
                ),
            );
        }
        text
    }

    /// "since …", as far as is known.
    fn begins(&self) -> String {
        let at = self.clock(self.history.since);
        if self.history.complete {
            format!("since the controller was built at {at}")
        } else {
            format!("since {at}, where the memory begins")
        }
    }

    fn part(&self, event: &PastEvent) -> &str {
        let source = self.sources.get(usize::from(event.source));
        source.map_or("of a source", |source| source.part(event.refused.unwrap_or_default()))
    }

    fn ignored(&self) -> Vec<WhyEvent> {
        let after = self.history.runs.last().map_or(i64::MIN, PastRun::began);
        let refused =
            self.history.events.iter().rev().filter(|event| event.refused.is_some() && event.at > after);
        let ignored = refused.take(MOST).map(|event| WhyEvent {
            at: self.time(event.at),
            informer: self.informer(event.source).to_owned(),
            object: event.object.to_string(),
            version: event.version,
            refused_by: self.part(event).to_owned(),
            text: format!("{}: refused by the predicate {}.", self.event_text(event), self.part(event)),
        });
        ignored.collect()
    }

    // The runs.

    fn runs(&self) -> Vec<WhyRun> {
        let runs = &self.history.runs;
        let newest = (0..runs.len()).rev().take(MOST);
        let wanted: HashSet<(ObjectKey, u64)> = newest
            .clone()
            .flat_map(|number| events_of(self.history, number))
            .filter(|event| event.version > 0)
            .map(|event| (event.object.clone(), event.version))
            .collect();
        let writers = writers(self.log, &wanted);
        newest.map(|number| self.run(number, &writers)).collect()
    }

    fn run(&self, number: usize, writers: &HashMap<(ObjectKey, u64), Writer>) -> WhyRun {
        let run = &self.history.runs[number];
        let before = number.checked_sub(1).map(|number| &self.history.runs[number]);
        let same_error = run.error > 0 && before.is_some_and(|before| before.error == run.error);
        let mut text = format!("Run at {}, {}: ", self.clock(run.began()), span(run.took));
        text += &ended(run.outcome, run.again, run.code);
        if same_error {
            text += ", with the same error as the run before";
        }
        let changes = run.requests.iter().filter(|request| request.verb.is_write()).count();
        if !run.requests.is_empty() {
            let all = run.requests.len() + usize::try_from(run.more).unwrap_or_default();
            add(&mut text, format_args!(", {} ({})", count(all, "request"), count(changes, "write")));
        }
        text += ".";
        let from = before.map_or(i64::MIN, PastRun::began);
        let mut held = self.history.released.iter().filter(|(at, ..)| (from..=run.began()).contains(at));
        if let Some((_, waited, caught_up)) = held.next_back() {
            let end = if *caught_up { "" } else { ", without success" };
            add(
                &mut text,
                format_args!(" It had waited {} for the cache to show own writes{end}.", span(*waited)),
            );
        }
        let unsynced: Vec<String> = self
            .history
            .unsynced
            .iter()
            .filter(|(at, _)| *at == run.ended)
            .map(|(_, informer)| informer.clone())
            .collect();
        if !unsynced.is_empty() {
            add(
                &mut text,
                format_args!(
                    " It read the cache of {} before its first list, so it may have missed objects that exist.",
                    unsynced.join(", ")
                ),
            );
        }
        let versions: VecMap<String, u64> = self
            .sources
            .iter()
            .zip(&run.versions)
            .filter(|(_, version)| **version > 0)
            .map(|(source, version)| (source.name.clone(), *version))
            .collect();
        let requests = run.requests.iter().map(|request| WhyRequest {
            verb: request.verb.label(),
            resource: request.resource.clone(),
            object: request.object.to_string(),
            status: (request.status > 0).then_some(request.status),
            after: seconds(request.after),
            seconds: seconds(request.took),
        });
        WhyRun {
            began: self.time(run.began()),
            seconds: seconds(run.took),
            queue_wait: run.waited.map(seconds),
            result: result(run.outcome),
            failures: run.failures,
            code: (run.code > 0).then_some(run.code),
            same_error,
            versions,
            requests: requests.collect(),
            more_requests: run.more,
            unsynced,
            causes: self.causes(number, writers),
            text,
        }
    }

    fn causes(&self, number: usize, writers: &HashMap<(ObjectKey, u64), Writer>) -> Vec<WhyCause> {
        let history = self.history;
        let events: Vec<&PastEvent> = events_of(history, number).collect();
        let mut causes = Vec::new();
        let skipped = events.len().saturating_sub(MOST_CAUSES);
        for (place, event) in events.iter().enumerate() {
            // The first, and the last ones.
            if place > 0 && place <= skipped {
                if place == 1 {
                    causes.push(cause("event", format!("of {} after that.", count(skipped, "more event"))));
                }
                continue;
            }
            causes.push(self.event_cause(event, writers));
        }
        causes.extend(self.other_causes(number));
        if causes.is_empty() {
            causes.push(self.retry_or_unknown(number));
        }
        causes
    }

    fn event_cause(&self, event: &PastEvent, writers: &HashMap<(ObjectKey, u64), Writer>) -> WhyCause {
        let mut text = self.event_text(event);
        if event.panicked {
            text += "; a predicate or a mapping function panicked for it";
        }
        let writer = writers.get(&(event.object.clone(), event.version));
        let mut origin = Vec::new();
        if let Some(writer) = writer {
            let whose = if writer.controller == self.log.controller {
                String::new()
            } else {
                format!(" of the controller {}", self.log.recorder.controller_name(writer.controller))
            };
            add(
                &mut text,
                format_args!(
                    ", written by the run of {}{whose} at {} ({} {})",
                    writer.key,
                    self.clock(writer.began),
                    writer.verb.label(),
                    writer.resource
                ),
            );
            origin = self.origin(writer);
        }
        WhyCause {
            at: Some(self.time(event.at)),
            object: Some(event.object.to_string()),
            version: (event.version > 0).then_some(event.version),
            changed: parts(event.changed),
            written_by: writer.map(|writer| WhyWriter {
                controller: self.log.recorder.controller_name(writer.controller),
                key: writer.key.to_string(),
                began: self.time(writer.began),
                verb: writer.verb.label(),
                resource: writer.resource.clone(),
            }),
            origin,
            ..cause("event", text + ".")
        }
    }

    /// The causes of the run that wrote something, step by step back.
    fn origin(&self, writer: &Writer) -> Vec<String> {
        let (mut steps, mut writer) = (Vec::new(), writer.clone());
        while steps.len() < MOST_STEPS && writer.controller == self.log.controller {
            let read;
            let history = if writer.key == *self.key {
                self.history
            } else {
                read = History::read(self.log, self.sources, &writer.key);
                &read
            };
            let of_run = |run: &PastRun| run.began().abs_diff(writer.began) <= 1;
            let Some(number) = history.runs.iter().position(of_run) else { break };
            let Some(event) = events_of(history, number).next() else { break };
            steps.push(format!(
                "the run of {} at {} began because {}.",
                writer.key,
                self.clock(writer.began),
                self.event_text(event)
            ));
            let place = (event.object.clone(), event.version);
            let Some(next) = writers(self.log, &HashSet::from([place.clone()])).remove(&place) else { break };
            writer = next;
        }
        steps
    }

    /// Causes other than events and retries.
    fn other_causes(&self, number: usize) -> Vec<WhyCause> {
        let (history, window) = (self.history, window(self.history, number));
        let mut causes = Vec::new();
        for (at, _) in history.enqueued.iter().filter(|(at, _)| window.contains(*at)) {
            let text = format!("its run was dropped at {}, so that it had to run again.", self.clock(*at));
            causes.push(WhyCause { at: Some(self.time(*at)), ..cause("dropped", text) });
        }
        for (at, of) in history.enqueued_all.iter().filter(|(at, _)| window.contains(*at)) {
            let when = self.clock(*at);
            let (kind, text) = match of {
                Cause::LaterTerm => {
                    ("term", format!("this replica led again at {when}, so all objects were enqueued."))
                }
                Cause::ShardArrived => {
                    let shard = self.live.shard.as_ref().map(|(shard, _)| *shard);
                    let arrived = |(then, of, held): &(i64, u32, bool)| {
                        Some(*of) == shard && *held && then.abs_diff(*at) < 1_000_000
                    };
                    if !history.shards.iter().any(arrived) {
                        continue;
                    }
                    let shard = shard.unwrap_or_default();
                    (
                        "shard",
                        format!(
                            "its shard {shard} arrived at {when}, so all keys of the shard were enqueued."
                        ),
                    )
                }
                Cause::MappingPanicked => (
                    "mappingPanicked",
                    format!("a mapping function panicked at {when}, so all primary objects were enqueued."),
                ),
                Cause::Dropped | Cause::Settled => continue,
            };
            causes.push(WhyCause { at: Some(self.time(*at)), ..cause(kind, text) });
        }
        causes
    }

    /// The cause of a run that nothing in its window explains.
    fn retry_or_unknown(&self, number: usize) -> WhyCause {
        let (history, run) = (self.history, &self.history.runs[number]);
        let before = number.checked_sub(1).map(|number| &history.runs[number]);
        if let Some(before) = before {
            let (at, when) = (Some(self.time(before.ended)), self.clock(before.began()));
            match before.outcome {
                ReconcileOutcome::Error | ReconcileOutcome::Panic | ReconcileOutcome::Timeout => {
                    let how = ended(before.outcome, None, before.code);
                    let text = format!("it is retried: of the run at {when}, {how}.");
                    return WhyCause { at, ..cause("retry", text) };
                }
                ReconcileOutcome::Cancelled => {
                    return WhyCause {
                        at,
                        ..cause("dropped", format!("the run at {when} was dropped before its end."))
                    };
                }
                ReconcileOutcome::Requeue => {
                    let text = format!("the run at {when} had asked for another run (Action::requeue).");
                    return WhyCause { at, ..cause("requeue", text) };
                }
                ReconcileOutcome::RequeueAfter => {
                    let due = before.ended.saturating_add_unsigned(before.again.unwrap_or_default() * 1_000);
                    if run.began() >= due {
                        let how = ended(before.outcome, before.again, 0);
                        let text = format!("of the run at {when}: {how} (Action::requeue_after).");
                        return WhyCause { at, ..cause("requeue", text) };
                    }
                }
                ReconcileOutcome::Success | ReconcileOutcome::TerminalError => {}
            }
        }
        let from = before.map_or(i64::MIN, PastRun::began);
        let is_known = history.complete || from > history.since;
        let lost = self.log.recorder.lost_at().is_some_and(|at| at >= from);
        if is_known && !lost {
            let text = "the program added the key to the queue (Controller::queue): no event, retry or requeue is recorded \
                        between its last run and this one.";
            return cause("program", text.to_owned());
        }
        let why = if lost { "records were lost" } else { "the memory does not reach back to its last run" };
        cause("unknown", format!("of something that is not recorded: {why}."))
    }

    // The rest.

    fn notes(&self, runs: &[WhyRun]) -> Vec<String> {
        let (history, live) = (self.history, self.live);
        let mut notes = Vec::new();
        let own = |run: &&WhyRun| {
            let by_own = |cause: &WhyCause| {
                cause
                    .written_by
                    .as_ref()
                    .is_some_and(|by| by.controller == self.name && by.key == self.key.to_string())
            };
            run.causes.iter().any(by_own)
        };
        let looped = runs.iter().take_while(own).count();
        if looped >= 3 {
            notes.push(format!(
                "each of the last {looped} runs was caused by a write of a run of the same key: a loop."
            ));
        }
        let last_error = history.runs.last().map_or(0, |run| run.error);
        let failing =
            history.runs.iter().rev().take_while(|run| run.error > 0 && run.error == last_error).count();
        if failing >= 3 {
            notes.push(format!("its last {failing} runs failed with the same error."));
        }
        let in_vain = history.released.iter().filter(|(.., caught_up)| !caught_up).count();
        if in_vain > 0 {
            notes.push(format!(
                "{} for own writes ended at the time limit: a watch is late.",
                count(in_vain, "wait")
            ));
        }
        let mut informers: Vec<_> = history.informers.iter().collect();
        sort_by_key(&mut informers, |(place, _)| **place);
        for ((source, failed), (total, last)) in informers {
            let what = if *failed { "lists or watches failed" } else { "relists" };
            notes.push(format!(
                "{}: {total} {what}, the last at {}.",
                self.informer(*source),
                self.clock(*last)
            ));
        }
        for source in
            live.sources.iter().filter(|source| source.role != Role::Primary || history.runs.is_empty())
        {
            if let Some(error) = source.last_error.as_ref().filter(|_| !source.synced) {
                notes.push(format!("{} has no first list: {error}.", source.name));
            }
        }
        let mut traffic: Vec<_> =
            history.traffic.iter().filter(|(_, traffic)| traffic.unmapped > 0).collect();
        sort_by_key(&mut traffic, |(source, _)| **source);
        for (source, traffic) in traffic {
            let Some((at, object)) = &traffic.last_unmapped else { continue };
            notes.push(format!(
                "{} of {} events of {} led to no key of this controller, the last one of {object} at {}.",
                traffic.unmapped,
                traffic.events,
                self.informer(*source),
                self.clock(*at)
            ));
        }
        notes
    }

    fn memory(&self) -> WhyMemory {
        let (history, recorder) = (self.history, &self.log.recorder);
        let lost = recorder.lost();
        let mut text = if recorder.limit() == 0 {
            "The recorder is off: there is no history.".to_owned()
        } else {
            format!(
                "Everything recorded {} is in this answer; nothing is known about the time before.",
                self.begins()
            )
        };
        if lost > 0 {
            add(
                &mut text,
                format_args!(
                    " {} lost under load.",
                    count(usize::try_from(lost).unwrap_or(usize::MAX), "record")
                ),
            );
        }
        let complete = history.complete && lost == 0 && recorder.limit() > 0;
        WhyMemory { since: self.time(history.since), complete, lost, text }
    }
}

impl WhyNow {
    fn with_again(mut self, again: bool) -> Self {
        if again && self.state == "running" {
            self.text += " It was enqueued again and runs once more afterwards.";
        }
        self
    }
}

/// The time between the start of the run before and the start of a run.
#[derive(Clone, Copy)]
struct Window(i64, i64);

impl Window {
    fn contains(self, at: i64) -> bool {
        self.0 < at && at <= self.1
    }
}

fn window(history: &History, number: usize) -> Window {
    let from = number.checked_sub(1).map_or(i64::MIN, |number| history.runs[number].began());
    Window(from, history.runs[number].began())
}

/// The events that enqueued the key for a run.
fn events_of(history: &History, number: usize) -> impl Iterator<Item = &PastEvent> {
    let window = window(history, number);
    history.events.iter().filter(move |event| event.refused.is_none() && window.contains(event.at))
}

fn add(text: &mut String, more: fmt::Arguments<'_>) {
    // A string takes everything.
    let _ = text.write_fmt(more);
}

fn cause(kind: &'static str, text: String) -> WhyCause {
    WhyCause {
        kind,
        text,
        at: None,
        object: None,
        version: None,
        changed: Vec::new(),
        written_by: None,
        origin: Vec::new(),
    }
}

#[allow(clippy::cast_precision_loss, reason = "shown, not compared")]
fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}
