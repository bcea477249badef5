//! The history of a key, from the recorder.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use client_rs_machinery::{ObjectKey, collections::sort_by_key};

use crate::ReconcileOutcome;
use crate::recorder::{
    Cause, EventKind, InformerChange, Log, Method, Name, Record, Role, Skip, Source, Verdict, What,
};

/// How many events of a key are read at most. Older segments are not read then.
const MOST_EVENTS: usize = 2_000;
/// How many runs of a key are read at most.
const MOST_RUNS: usize = 100;

/// The records that matter for a key, in the order of time.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Everything after this time is here.
    pub(super) since: i64,
    /// Whether that is everything since the controller was built.
    pub(super) complete: bool,
    pub(super) events: Vec<PastEvent>,
    pub(super) runs: Vec<PastRun>,
    pub(super) enqueued: Vec<(i64, Cause)>,
    pub(super) enqueued_all: Vec<(i64, Cause)>,
    pub(super) skipped: Vec<(i64, Skip)>,
    pub(super) released: Vec<(i64, u64, bool)>,
    /// Reads of caches that had no first list: the end of the run, and the informer.
    pub(super) unsynced: Vec<(i64, String)>,
    pub(super) held: usize,
    pub(super) phases: Vec<(i64, u8)>,
    pub(super) shards: Vec<(i64, u32, bool)>,
    /// By source: relists and failures, and when the last one was.
    pub(super) informers: HashMap<(u8, bool), (u64, i64)>,
    /// By source: events of any object, how many were refused, how many mapped to no key, and the last of these.
    pub(super) traffic: HashMap<u8, Traffic>,
}

/// An event that concerns the key.
#[derive(Clone, Debug)]
pub(super) struct PastEvent {
    pub(super) at: i64,
    pub(super) source: u8,
    pub(super) object: ObjectKey,
    pub(super) version: u64,
    pub(super) kind: EventKind,
    pub(super) changed: u8,
    /// The part of the predicate that refused it; `None` if it enqueued the key.
    pub(super) refused: Option<u8>,
    pub(super) panicked: bool,
}

/// A run of the key.
#[derive(Clone, Debug)]
pub(super) struct PastRun {
    pub(super) ended: i64,
    pub(super) took: u64,
    pub(super) waited: Option<u64>,
    pub(super) failures: u32,
    pub(super) outcome: ReconcileOutcome,
    pub(super) again: Option<u64>,
    pub(super) code: u16,
    pub(super) error: u32,
    pub(super) versions: Vec<u64>,
    pub(super) requests: Vec<PastRequest>,
    pub(super) more: u64,
}

#[derive(Clone, Debug)]
pub(super) struct PastRequest {
    pub(super) verb: Method,
    pub(super) resource: String,
    pub(super) object: ObjectKey,
    pub(super) status: u16,
    pub(super) after: u64,
    pub(super) took: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    pub(super) events: u64,
    pub(super) refused: u64,
    pub(super) unmapped: u64,
    pub(super) last_unmapped: Option<(i64, ObjectKey)>,
}

/// A run that wrote an object.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    pub(super) controller: u32,
    pub(super) key: ObjectKey,
    pub(super) began: i64,
    pub(super) verb: Method,
    pub(super) resource: String,
}

impl PastRun {
    pub(super) fn began(&self) -> i64 {
        self.ended.saturating_sub_unsigned(self.took)
    }
}

impl History {
    /// Reads the history of a key of a controller.
    pub(super) fn read(log: &Log, sources: &[Arc<Source>], key: &ObjectKey) -> Self {
        let dropped = log.recorder.complete_after();
        let mut history = Self {
            since: dropped.map_or(log.built_at, |after| after.max(log.built_at)),
            complete: dropped.is_none_or(|after| after < log.built_at),
            ..Self::default()
        };
        let maps = Mapping::new(sources, key);
        let segments = log.recorder.segments();
        // The newest first. Those of the writers come last in the list.
        for (older, segment) in segments.iter().enumerate().rev() {
            for record in segment.records() {
                if record.controller == log.controller {
                    history.add(&record, key, &maps);
                }
            }
            if history.events.len() > MOST_EVENTS || history.runs.len() > MOST_RUNS {
                if let Some(newest) = segments[..older].iter().map(|segment| segment.newest()).max() {
                    history.since = history.since.max(newest);
                    history.complete = false;
                }
                break;
            }
        }
        history.sort();
        history
    }

    fn add(&mut self, record: &Record<'_>, key: &ObjectKey, maps: &Mapping<'_>) {
        let at = record.at;
        match &record.what {
            What::Event(event) => {
                let traffic = self.traffic.entry(event.source).or_default();
                traffic.events += 1;
                let (is_ours, refused) = match &event.verdict {
                    Verdict::Own => (event.object.is(key), None),
                    Verdict::Refused { part } => {
                        traffic.refused += 1;
                        (maps.leads_to_key(event.source, event.object), Some(*part))
                    }
                    Verdict::Mapped { keys, .. } => {
                        if keys.is_empty() {
                            traffic.unmapped += 1;
                            traffic.last_unmapped = Some((at, event.object.key()));
                        }
                        (keys.iter().any(|name| name.is(key)), None)
                    }
                };
                if is_ours {
                    self.events.push(PastEvent {
                        at,
                        source: event.source,
                        object: event.object.key(),
                        version: event.version,
                        kind: event.kind,
                        changed: event.changed,
                        refused,
                        panicked: event.panicked,
                    });
                }
            }
            What::Run(run, requests) if run.key.is(key) => {
                let requests = requests.iter().map(|sent| PastRequest {
                    verb: sent.verb,
                    resource: sent.resource.to_string(),
                    object: sent.object.key(),
                    status: sent.status,
                    after: sent.after,
                    took: sent.took,
                });
                self.runs.push(PastRun {
                    ended: at,
                    took: run.took,
                    waited: run.waited,
                    failures: run.failures,
                    outcome: run.outcome,
                    again: run.again,
                    code: run.code,
                    error: run.error,
                    versions: run.versions.to_vec(),
                    requests: requests.collect(),
                    more: run.more,
                });
            }
            What::Enqueued { key: of, cause } if of.is(key) => self.enqueued.push((at, *cause)),
            What::EnqueuedAll { cause, .. } => self.enqueued_all.push((at, *cause)),
            What::Skipped { key: of, why } if of.is(key) => self.skipped.push((at, *why)),
            What::Held { key: of } if of.is(key) => self.held += 1,
            What::Released { key: of, waited, caught_up } if of.is(key) => {
                self.released.push((at, *waited, *caught_up));
            }
            What::UnsyncedRead { key: of, informer } if of.is(key) => {
                self.unsynced.push((at, (*informer).to_owned()));
            }
            What::Phase(phase) => self.phases.push((at, *phase)),
            What::Shard { shard, held } => self.shards.push((at, *shard, *held)),
            What::Informer { source, change, count } => {
                let failed = *change == InformerChange::Failed;
                let (total, last) = self.informers.entry((*source, failed)).or_insert((0, at));
                *total += count;
                *last = at.max(*last);
            }
            _ => {}
        }
    }

    fn sort(&mut self) {
        // Stable, so that records of one moment keep their order.
        sort_by_key(&mut self.events, |event| event.at);
        sort_by_key(&mut self.runs, |run| run.ended);
        sort_by_key(&mut self.enqueued, |(at, _)| *at);
        sort_by_key(&mut self.enqueued_all, |(at, _)| *at);
        sort_by_key(&mut self.skipped, |(at, _)| *at);
        sort_by_key(&mut self.released, |(at, ..)| *at);
        sort_by_key(&mut self.phases, |(at, _)| *at);
        sort_by_key(&mut self.shards, |(at, ..)| *at);
    }
}

/// Finds the runs that wrote objects at versions, of all controllers that share the recorder.
pub(super) fn writers(log: &Log, wanted: &HashSet<(ObjectKey, u64)>) -> HashMap<(ObjectKey, u64), Writer> {
    let mut found = HashMap::new();
    if wanted.is_empty() {
        return found;
    }
    let versions: HashSet<u64> = wanted.iter().map(|(_, version)| *version).collect();
    log.scan(|record| {
        let What::Run(run, requests) = &record.what else { return };
        for sent in requests.iter().filter(|sent| versions.contains(&sent.version)) {
            let place = (sent.object.key(), sent.version);
            if sent.verb.is_write() && wanted.contains(&place) {
                let writer = Writer {
                    controller: record.controller,
                    key: run.key.key(),
                    began: record.at.saturating_sub_unsigned(run.took),
                    verb: sent.verb,
                    resource: sent.resource.to_string(),
                };
                found.insert(place, writer);
            }
        }
    });
    found
}

/// Finds the refused events that would have led to a key. The mapping function of a source is asked once per object.
struct Mapping<'a> {
    sources: &'a [Arc<Source>],
    key: &'a ObjectKey,
    known: std::cell::RefCell<HashMap<(u8, ObjectKey), bool>>,
}

impl<'a> Mapping<'a> {
    fn new(sources: &'a [Arc<Source>], key: &'a ObjectKey) -> Self {
        Self { sources, key, known: std::cell::RefCell::default() }
    }

    fn leads_to_key(&self, source: u8, object: Name<'_>) -> bool {
        let Some(of) = self.sources.get(usize::from(source)) else { return false };
        if of.role == Role::Primary {
            return object.is(self.key);
        }
        let place = (source, object.key());
        if let Some(known) = self.known.borrow().get(&place) {
            return *known;
        }
        let leads = of.look.keys(&place.1).contains(self.key);
        self.known.borrow_mut().insert(place, leads);
        leads
    }
}
