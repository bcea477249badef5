//! The state of a key at this moment, from the controller itself.

use std::time::Duration;

use client_rs_machinery::{ObjectKey, collections::sort_by_key};
use tokio::time::Instant;

use super::Why;
use super::explain::explain;
use super::history::History;
use crate::recorder::{Method, Role};
use crate::worker::Core;

/// The live state of a key. Times are those of the recorder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    pub(crate) now: i64,
    pub(crate) phase: &'static str,
    /// Whether this replica leads; `None` if no manager runs the controller.
    pub(crate) leading: Option<bool>,
    pub(crate) workers: usize,
    /// The runs in progress, the oldest first.
    pub(crate) busy: Vec<(ObjectKey, i64)>,
    pub(crate) run: Option<LiveRun>,
    pub(crate) queue: Option<LiveQueue>,
    pub(crate) failures: u32,
    /// The text of the last error of the key.
    pub(crate) error: Option<String>,
    /// The object that a cache does not show yet, and since when the key waits for it.
    pub(crate) held: Option<(String, i64)>,
    /// The shard of the key, and those that this replica holds.
    pub(crate) shard: Option<(u32, Vec<u32>)>,
    pub(crate) sources: Vec<LiveSource>,
}

/// The run in progress.
#[derive(Clone, Debug)]
pub(crate) struct LiveRun {
    pub(crate) began: i64,
    pub(crate) requests: usize,
    /// The oldest request without a response: its text, and since when.
    pub(crate) waits_for: Option<(String, i64)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LiveQueue {
    pub(crate) ahead: Option<usize>,
    pub(crate) again: bool,
    pub(crate) due: Option<i64>,
    pub(crate) backoff: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct LiveSource {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) started: bool,
    pub(crate) synced: bool,
    pub(crate) last_error: Option<String>,
    /// Whether the cache has an object with this key, if the source is the primary one.
    pub(crate) has_object: Option<bool>,
}

impl Core {
    /// Explains a key; `leading` is the state of its manager.
    pub(crate) fn why(&self, key: &ObjectKey, leading: Option<bool>) -> Why {
        // The history first: a change in between is in the live state.
        let history = History::read(&self.log, &self.sources, key);
        let live = Live { leading, ..self.live(key) };
        explain(&self.name, key, &self.log, &self.sources, &history, &live)
    }

    fn live(&self, key: &ObjectKey) -> Live {
        let now = Instant::now();
        let at = |instant| self.log.recorder.at(instant);
        let (mut busy, run, error) = {
            let runs = self.runs();
            let busy: Vec<_> = runs.in_flight.iter().map(|(key, run)| (key.clone(), at(run.began))).collect();
            (busy, runs.in_flight.get(key).cloned(), runs.errors.get(key).cloned())
        };
        sort_by_key(&mut busy, |(_, began)| *began);
        let run = run.map(|run| {
            let requests = run.requests();
            let waits_for = requests.list.iter().find(|request| request.took().is_none()).map(|request| {
                let object = request.object(run.key());
                let verb = match request.method {
                    Method::Get if object.name.is_empty() => "LIST",
                    method => method.label(),
                };
                (
                    format!("{verb} {} {object}", request.resource()),
                    at(run.began + Duration::from_micros(request.after)),
                )
            });
            LiveRun {
                began: at(run.began),
                requests: requests.list.len() + usize::try_from(requests.more).unwrap_or(0),
                waits_for,
            }
        });
        let queue = self.queue.inspect(key).map(|state| LiveQueue {
            ahead: state.ahead,
            again: state.again,
            due: state.due.map(at),
            backoff: state.backoff,
        });
        let text = key.to_string();
        let held = self.own_writes.state().waiting.into_iter().find(|wait| wait.key == text).map(|wait| {
            #[allow(clippy::cast_possible_truncation, reason = "an age")]
            let age = (wait.seconds * 1e6) as i64;
            (wait.object, at(now) - age)
        });
        let shard = self.sharding.as_ref().map(|sharding| {
            let (shard, held) = sharding.standing(key);
            (shard, held.into_iter().collect())
        });
        let sources = self.sources.iter().map(|source| {
            let state = source.look.state();
            LiveSource {
                name: source.name.clone(),
                role: source.role,
                started: state.run != "created",
                synced: state.synced,
                last_error: state.last_error().map(str::to_owned),
                has_object: (source.role == Role::Primary).then(|| source.look.has(key)),
            }
        });
        Live {
            now: at(now),
            phase: self.phase(),
            leading: None,
            workers: self.workers(),
            busy,
            run,
            queue,
            failures: self.queue.num_requeues(key),
            error,
            held,
            shard,
            sources: sources.collect(),
        }
    }
}
