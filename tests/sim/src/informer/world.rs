//! One informer with its handlers and workers, a control plane, and the network between them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client_rs_cache::sim::{Informer, Settings, Wants};
use client_rs_cache::{EventHandler, Filtered, Index, Notification};
use client_rs_workqueue::sim::{Queue, Taken};

use super::op::{Op, Setup};
use crate::content::{KEYS, PASSES, State, Thing, object_key, owner};
use crate::history::{Fact, Fault, History, Phase};
use crate::server::{Server, Watcher};

/// The number of API servers.
pub const INSTANCES: u8 = 2;
/// The handlers: merged, merged and filtered, paced and mapped to owners, every event.
pub const HANDLERS: u8 = 4;
pub(super) const FILTERED: u8 = 1;
pub(super) const MAPPED: u8 = 2;
pub(super) const WORKERS: usize = 2;

pub(super) type Recorder = Filtered<fn(&Thing) -> bool, Record>;

/// Records what a filter lets through.
#[derive(Clone, Default)]
pub(super) struct Record(pub(super) Arc<Mutex<Vec<Notification<Thing>>>>);

impl EventHandler<Thing> for Record {
    fn handle(&self, notification: &Notification<Thing>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(notification.clone());
    }
}

/// Whether versions of the server can be compared with those of the cache. After a restore that uses versions again nobody can
/// know it, until the server shows that it is behind the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// They can.
    Sure,
    /// Versions were used again, and the reflector could not notice it yet.
    Unsure,
    /// The reflector has noticed it, and its next list corrects the cache.
    Noticed,
}

/// The state of a simulation.
pub struct World {
    pub(super) setup: Setup,
    pub(super) server: Server,
    pub(super) informer: Informer<Thing>,
    pub(super) watcher: Option<Watcher>,
    /// The server that new requests go to.
    pub(super) route: u8,
    base: Instant,
    /// The time since the start.
    pub(super) now: Duration,
    /// The number of each handler in the informer.
    pub(super) handlers: [Option<usize>; HANDLERS as usize],
    pub(super) recorder: Recorder,
    pub(super) recorded: Record,
    pub(super) by_owner: Index<Thing, i64>,
    pub(super) queue: Queue,
    pub(super) workers: [Option<Taken>; WORKERS],
    /// Readers that wait: the object and the version.
    pub(super) awaited: Vec<(u8, u32)>,
    /// Whether versions of the server can be compared with those of the cache.
    pub(super) trust: Trust,
    /// The last state that each handler was notified of.
    pub(super) known: [[State; KEYS as usize]; HANDLERS as usize],
    pub(super) history: History,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("now", &self.now).field("server", &self.server).finish_non_exhaustive()
    }
}

impl World {
    /// Makes a world, and starts its informer. `history` is emptied and used.
    pub fn new(setup: Setup, base: Instant, mut history: History) -> Self {
        history.clear();
        history.selected = setup.selected;
        let options = Settings {
            watch_list: setup.watch_list,
            page_size: i64::from(setup.page_size),
            resync: Duration::from_secs(setup.resync.into()),
            seed: setup.seed,
            max_internal_error_retry: Duration::from_secs(if setup.seed.is_multiple_of(3) { 20 } else { 0 }),
        };
        let by_owner = Index::new("owner", |thing: &Thing| [i64::from(owner(thing.content))]);
        let informer = Informer::new(options, [by_owner.clone().into()]);
        let recorded = Record::default();
        let passes: fn(&Thing) -> bool = |thing| thing.content & PASSES != 0;
        let mut world = Self {
            setup,
            server: Server::new(INSTANCES.into(), setup.selected, setup.watch_cache),
            informer,
            watcher: None,
            route: 0,
            base,
            now: Duration::ZERO,
            handlers: [None; HANDLERS as usize],
            recorder: Filtered::new(passes, recorded.clone()),
            recorded,
            by_owner,
            queue: Queue::default(),
            workers: [None; WORKERS],
            awaited: Vec::new(),
            trust: Trust::Sure,
            known: [[State::default(); KEYS as usize]; HANDLERS as usize],
            history,
        };
        for handler in 0..3 {
            world.join(handler);
        }
        world.informer.start(world.instant());
        world.after_step();
        world
    }

    /// Returns the history.
    pub fn into_history(self) -> History {
        self.history
    }

    /// Returns the history so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn instant(&self) -> Instant {
        self.base + self.now
    }

    pub(super) fn record(&mut self, node: u8, phase: Phase, op: Fact) {
        let t = u64::try_from(self.now.as_micros()).unwrap_or(u64::MAX);
        self.history.push(t, node, phase, op);
    }

    /// Performs a step. Returns false if it is not possible now.
    pub fn apply(&mut self, op: Op) -> bool {
        let done = self.try_apply(op);
        if done {
            self.after_step();
        }
        done
    }

    #[allow(clippy::too_many_lines, reason = "one arm per step")]
    fn try_apply(&mut self, op: Op) -> bool {
        let now = self.instant();
        match op {
            Op::Write(key, content) => {
                let revision = self.server.etcd.put(key % KEYS, content);
                self.record(
                    0,
                    Phase::Info,
                    Fact::Write { key: revision.key, state: revision.state, deleted: false },
                );
            }
            Op::Delete(key) => {
                let Some(revision) = self.server.etcd.delete(key % KEYS) else { return false };
                self.record(
                    0,
                    Phase::Info,
                    Fact::Write { key: revision.key, state: revision.state, deleted: true },
                );
            }
            Op::Advance(instance) => return self.server.advance(instance % INSTANCES),
            Op::CatchUp(instance) => {
                let mut any = false;
                while self.server.advance(instance % INSTANCES) {
                    any = true;
                }
                return any;
            }
            Op::Compact(back) => {
                let version = self.server.etcd.version().saturating_sub(back.into());
                if version <= self.server.etcd.compacted() {
                    return false;
                }
                self.server.etcd.compact(version);
                self.record(0, Phase::Info, Fact::Compact { version });
            }
            Op::Evict(instance) => self.server.evict(instance % INSTANCES),
            Op::Restart(instance) => {
                self.server.restart(instance % INSTANCES);
                if self.watcher.as_ref().is_some_and(|watcher| watcher.instance == instance % INSTANCES) {
                    self.close(Fault::Eof, false);
                }
            }
            Op::Restore(back) => return self.restore(back, false),
            Op::RestoreBumped(back) => return self.restore(back, true),
            Op::Route(instance) => {
                let instance = instance % INSTANCES;
                return std::mem::replace(&mut self.route, instance) != instance;
            }
            Op::Answer => return self.answer(),
            Op::Fail(fault) => return self.fail(fault),
            Op::Deliver => return self.deliver(),
            Op::DeliverAll => {
                let mut any = false;
                while self.deliver() {
                    any = true;
                }
                return any;
            }
            Op::Bookmark => return self.bookmark(),
            Op::Cut(fault) => return self.watcher.is_some() && self.close(fault, false),
            Op::Close(fault) => return self.watcher.is_some() && self.close(fault, true),
            Op::Hang => match &mut self.watcher {
                Some(watcher) if !watcher.hangs => watcher.hangs = true,
                _ => return false,
            },
            Op::Flap => return self.flap(None),
            Op::Storm(fault) => return self.flap(Some(fault)),
            Op::Tick => {
                let Some(deadline) = self.informer.deadline() else { return false };
                self.now = self.now.max(deadline.saturating_duration_since(self.base));
                self.informer.tick(self.instant());
            }
            Op::Sleep(millis) => {
                self.now += Duration::from_millis(millis.into());
                if self.informer.deadline().is_some_and(|deadline| deadline <= self.instant()) {
                    self.informer.tick(self.instant());
                }
            }
            Op::Process => {
                if !self.informer.can_process() {
                    return false;
                }
                self.informer.process(now);
                self.committed();
            }
            Op::Take(handler) => return self.take(handler % HANDLERS),
            Op::Drain(handler) => {
                let mut any = false;
                while self.take(handler % HANDLERS) {
                    any = true;
                }
                return any;
            }
            Op::Join(handler) => return self.join(handler % HANDLERS),
            Op::Leave(handler) => return self.leave(handler % HANDLERS),
            Op::Work => return self.work(),
            Op::Finish(worker) => return self.finish(worker, true),
            Op::Retry(worker) => return self.finish(worker, false),
            Op::Await(key) => {
                let key = key % KEYS;
                let state = self.server.etcd.state(key, self.server.etcd.version());
                if !state.exists() || self.awaited.len() > 8 || self.trust != Trust::Sure {
                    return false;
                }
                self.awaited.push((key, state.version));
                self.answer_readers(false);
            }
            Op::Read(key) => {
                let key = key % KEYS;
                let object = self.informer.indexer().get(&object_key(key));
                let state = object.as_ref().map(State::of).unwrap_or_default();
                self.record(1, Phase::Ok, Fact::Read { key, state });
            }
        }
        true
    }

    /// Records a request that the informer has just begun, and drops a watch that it no longer reads.
    pub(super) fn after_step(&mut self) {
        if !matches!(self.informer.wants(), Wants::Event) {
            self.watcher = None;
        }
    }

    fn restore(&mut self, back: u8, bump: bool) -> bool {
        let to = self.server.etcd.version().saturating_sub(back.into()).max(self.server.etcd.floor());
        if to >= self.server.etcd.version() {
            return false;
        }
        self.server.restore(to, bump);
        self.awaited.clear();
        let version = self.server.etcd.version();
        self.record(0, Phase::Info, Fact::Restore { to, version, bump });
        // Without a bump, versions come again. The reflector can notice it only while the server is behind it.
        if !bump && !self.informer.last_version().is_empty() {
            self.trust = Trust::Unsure;
        }
        if self.watcher.is_some() {
            self.close(Fault::Cut, false);
        } else if matches!(self.informer.wants(), Wants::List(_)) {
            self.fail(Fault::Cut);
        }
        true
    }

    /// Ends all faults.
    pub(super) fn heal(&mut self) {
        self.server.refuses_future = true;
        self.record(0, Phase::Info, Fact::Heal);
    }
}
