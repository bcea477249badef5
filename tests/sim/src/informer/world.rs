//! One informer with its handlers and workers, a control plane, and the network between them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client_rs_cache::sim::{Informer, Settings, Wants};
use client_rs_cache::store::AtLeastError;
use client_rs_cache::{
    Deleted, Delivery, EventHandler, Filtered, Incoming, Index, Notification, Undecodable,
};
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, ListSummary, WatchEvent};
use client_rs_machinery::{Object, Str};
use client_rs_workqueue::sim::{Queue, Taken};

use super::errors;
use super::op::{Op, Setup};
use crate::content::{
    KEYS, OWNERS, PASSES, State, Thing, UNREADABLE, key_number, names, number, object_key, owner, text,
};
use crate::history::{Answer, ChangeKind, EventType, Fact, Fault, History, Phase, Verb};
use crate::server::{Response, Sent, Server, Watcher};

/// The number of API servers.
pub const INSTANCES: u8 = 2;
/// The handlers: merged, merged and filtered, paced and mapped to owners, every event.
pub const HANDLERS: u8 = 4;
const FILTERED: u8 = 1;
const MAPPED: u8 = 2;
const WORKERS: usize = 2;
/// How many requests a client could send in a moment.
const MOMENT: u32 = 24;
/// The pause before a failed run is repeated.
const RETRY: Duration = Duration::from_millis(500);

type Recorder = Filtered<fn(&Thing) -> bool, Record>;

/// Records what a filter lets through.
#[derive(Clone, Default)]
struct Record(Arc<Mutex<Vec<Notification<Thing>>>>);

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
    recorder: Recorder,
    recorded: Record,
    by_owner: Index<Thing, i64>,
    pub(super) queue: Queue,
    pub(super) workers: [Option<Taken>; WORKERS],
    /// Readers that wait: the object and the version.
    pub(super) awaited: Vec<(u8, u32)>,
    /// Whether versions of the server can be compared with those of the cache.
    pub(super) trust: Trust,
    /// The last state that each handler was notified of.
    pub(super) known: [[State; KEYS as usize]; HANDLERS as usize],
    history: History,
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
    fn after_step(&mut self) {
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

    // Requests.

    fn answer(&mut self) -> bool {
        match self.informer.wants().clone() {
            Wants::List(options) => self.answer_list(&options),
            Wants::Watch(options) => self.answer_watch(&options),
            Wants::Event | Wants::Time => false,
        }
    }

    fn request(&mut self, verb: Verb, options: &ListOptions) {
        let version = (!options.resource_version.is_empty()).then(|| number(&options.resource_version));
        self.record(1, Phase::Invoke, Fact::Request { verb, version });
    }

    fn answer_list(&mut self, options: &ListOptions) -> bool {
        let page = match self.server.list(self.route, options) {
            Response::Waits => return false,
            Response::Expired => return self.fail(Fault::Expired),
            Response::Done(page) => page,
        };
        self.request(Verb::List, options);
        for (key, state) in &page.objects {
            let item = self.incoming(*key, *state);
            self.informer.item(item);
        }
        let token = page.next.map(|next| format!("{}/{next}", page.version));
        self.record(
            1,
            Phase::Ok,
            Fact::Answer { verb: Verb::List, version: page.version, more: token.is_some() },
        );
        self.notice(page.version);
        self.doubt();
        let summary = ListSummary {
            resource_version: text(page.version),
            continue_token: token.map(Str::from).unwrap_or_default(),
            ..ListSummary::default()
        };
        self.informer.listed(Ok(summary), self.instant());
        true
    }

    fn answer_watch(&mut self, options: &ListOptions) -> bool {
        let watcher = match self.server.watch(self.route, options) {
            Response::Waits => return false,
            Response::Expired => return self.fail(Fault::Expired),
            Response::Done(watcher) => watcher,
        };
        let verb = verb_of(options);
        self.request(verb, options);
        self.record(1, Phase::Ok, Fact::Answer { verb, version: watcher.next, more: false });
        self.watcher = Some(watcher);
        self.informer.opened(Ok(()), self.instant());
        true
    }

    /// Fails the request.
    fn fail(&mut self, fault: Fault) -> bool {
        let now = self.instant();
        match self.informer.wants().clone() {
            Wants::List(options) => {
                let listed = self.server.list(self.route, &options);
                if fault == Fault::TooLarge && !matches!(listed, Response::Waits) {
                    return false;
                }
                self.request(Verb::List, &options);
                if let Response::Done(page) = listed {
                    for (key, state) in &page.objects[..page.objects.len() / 2] {
                        let item = self.incoming(*key, *state);
                        self.informer.item(item);
                    }
                }
                self.record(1, Phase::Fail, Fact::Error { error: fault });
                if fault == Fault::TooLarge && !options.resource_version.is_empty() {
                    self.notice(0);
                }
                self.informer.listed(Err(errors::fetch(fault)), now);
            }
            Wants::Watch(options) => {
                let opened = self.server.watch(self.route, &options);
                if fault == Fault::TooLarge && !matches!(opened, Response::Waits) {
                    return false;
                }
                self.request(verb_of(&options), &options);
                self.record(1, Phase::Fail, Fact::Error { error: fault });
                if fault == Fault::TooLarge && !options.resource_version.is_empty() {
                    self.notice(0);
                }
                self.informer.opened(Err(errors::fetch(fault)), now);
            }
            Wants::Event | Wants::Time => return false,
        }
        true
    }

    /// For a moment every request fails, or every watch ends at once.
    fn flap(&mut self, fault: Option<Fault>) -> bool {
        let mut any = false;
        for _ in 0..MOMENT {
            let done = match (self.informer.wants(), fault) {
                (Wants::Time, _) => false,
                (Wants::Event, _) => self.watcher.is_some() && self.close(Fault::Eof, false),
                (_, None) => self.answer(),
                (_, Some(fault)) => self.fail(fault),
            };
            self.after_step();
            if !done {
                break;
            }
            any = true;
        }
        any
    }

    /// A list older than the cache shows that the server was set back.
    fn notice(&mut self, version: u32) {
        if self.trust == Trust::Unsure && version < number(self.informer.last_version()) {
            self.trust = Trust::Noticed;
        }
    }

    /// The informer uses a response of a server that was set back unnoticed.
    fn doubt(&mut self) {
        if self.trust == Trust::Unsure {
            self.record(1, Phase::Info, Fact::Doubt);
        }
    }

    fn incoming(&self, key: u8, state: State) -> Incoming<Thing> {
        let (namespace, name) = names(key);
        let cached = self.informer.cached(namespace, name, &text(state.uid), &text(state.version));
        cached.unwrap_or_else(|| decoded(key, state))
    }

    fn deliver(&mut self) -> bool {
        if !matches!(self.informer.wants(), Wants::Event) {
            return false;
        }
        let Some(watcher) = &mut self.watcher else { return false };
        let before = watcher.next;
        let Some(Sent { event, key, state }) = self.server.next_event(watcher) else {
            // It may have skipped events that the selector does not match.
            return watcher.next != before;
        };
        let streams = watcher.owes_bookmark;
        self.record(1, Phase::Info, Fact::Event { event, key: Some(key), version: state.version });
        if !streams {
            self.doubt();
        }
        let incoming = match event {
            EventType::Deleted if self.setup.readable_end => {
                decoded(key, State { content: state.content & !UNREADABLE, ..state })
            }
            EventType::Deleted => decoded(key, state),
            _ if streams => self.incoming(key, state),
            _ => decoded(key, state),
        };
        let event = match event {
            EventType::Added => WatchEvent::Added(incoming),
            EventType::Deleted => WatchEvent::Deleted(incoming),
            _ => WatchEvent::Modified(incoming),
        };
        self.informer.event(event, self.instant());
        true
    }

    pub(super) fn bookmark(&mut self) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        if watcher.hangs {
            return false;
        }
        let ends = watcher.owes_bookmark && watcher.initial.is_empty();
        let version = if ends { Some(watcher.next) } else { self.server.bookmark(watcher) };
        let Some(version) = version.filter(|_| ends || !watcher.owes_bookmark) else { return false };
        if ends {
            watcher.owes_bookmark = false;
            self.notice(version);
            self.doubt();
        }
        let event = if ends { EventType::EndOfList } else { EventType::Bookmark };
        self.record(1, Phase::Info, Fact::Event { event, key: None, version });
        let event = WatchEvent::Bookmark { resource_version: text(version), initial_events_end: ends };
        self.informer.event(event, self.instant());
        true
    }

    /// Ends the watch: the connection, or the server with an error event.
    fn close(&mut self, fault: Fault, by_server: bool) -> bool {
        self.watcher = None;
        self.record(1, Phase::Fail, Fact::Error { error: fault });
        let now = self.instant();
        match (by_server, errors::api(fault)) {
            (true, Some(error)) => self.informer.event(WatchEvent::Error(error), now),
            (true, None) => self.informer.closed(None, now),
            (false, _) => self.informer.closed(Some(errors::fetch(fault)), now),
        }
        true
    }

    // The store and the handlers.

    fn committed(&mut self) {
        let first = u32::try_from(self.history.states.len()).unwrap_or(u32::MAX);
        let (mut len, mut stale, mut indexed) = (0, 0, 0);
        for key in 0..KEYS {
            let (namespace, name) = names(key);
            if let Some(object) = self.informer.indexer().find(namespace, name) {
                self.history.states.push((key, State::of(&object)));
                len += 1;
            }
            if self.informer.stale(&object_key(key)).is_some() {
                stale |= 1 << key;
            }
        }
        for number in 0..OWNERS {
            let found = self.informer.indexer().by(&self.by_owner, &i64::from(number)).unwrap_or_default();
            for object in found {
                // An object of another owner does not belong here.
                let key = if owner(object.content) == number { key_number(&object.key()) } else { 7 };
                indexed |= 1_u8.checked_shl(key.into()).unwrap_or_default();
            }
        }
        let version = number(&self.informer.indexer().resource_version());
        let watches = matches!(self.informer.phase(), "opening" | "watching");
        if self.trust == Trust::Noticed && self.informer.queued() == 0 && watches {
            self.trust = Trust::Sure;
        }
        let unsure = self.trust != Trust::Sure;
        self.record(1, Phase::Info, Fact::Commit { version, first, len, stale, indexed, unsure });
        for handler in 0..HANDLERS {
            self.gauge(handler);
        }
        self.answer_readers(false);
    }

    fn gauge(&mut self, handler: u8) {
        let Some(number) = self.handlers[usize::from(handler)] else { return };
        let Some((pending, _)) = self.informer.handler(number) else { return };
        let queued = u32::try_from(self.informer.queued()).unwrap_or(u32::MAX);
        let limit = match handler {
            0 | FILTERED => self.setup.limit.into(),
            MAPPED => self.setup.pace.into(),
            _ => u32::MAX,
        };
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        if pending > limit {
            self.record(1, Phase::Info, Fact::Gauge { queued, pending, handler, limit });
        }
    }

    fn join(&mut self, handler: u8) -> bool {
        if self.handlers[usize::from(handler)].is_some() {
            return false;
        }
        let delivery = match handler {
            0 | FILTERED => Delivery::Coalesced { limit: self.setup.limit.into() },
            MAPPED => Delivery::Paced { limit: self.setup.pace.into() },
            _ => Delivery::EveryEvent,
        };
        let number = self.informer.add_handler(delivery, None, self.instant());
        self.handlers[usize::from(handler)] = Some(number);
        self.record(1, Phase::Info, Fact::Join { handler, filtered: handler == FILTERED });
        true
    }

    fn leave(&mut self, handler: u8) -> bool {
        // The mapped handler stays: its keys are checked at the end.
        let Some(number) = self.handlers[usize::from(handler)].filter(|_| handler != MAPPED) else {
            return false;
        };
        self.informer.remove_handler(number);
        self.handlers[usize::from(handler)] = None;
        self.known[usize::from(handler)] = [State::default(); KEYS as usize];
        self.record(1, Phase::Info, Fact::Leave { handler });
        true
    }

    pub(super) fn take(&mut self, handler: u8) -> bool {
        let Some(number) = self.handlers[usize::from(handler)] else { return false };
        let Some(notification) = self.informer.take(number) else { return false };
        match handler {
            FILTERED => {
                self.recorder.handle(&notification);
                let recorded = self.recorded.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
                if let Some(notification) = recorded {
                    self.notified(handler, &notification);
                }
            }
            MAPPED => {
                self.notified(handler, &notification);
                let now = self.now;
                let owners =
                    notification.objects().fold(0_u8, |set, object| set | 1 << owner(object.content));
                for key in (0..OWNERS).filter(|key| owners >> key & 1 == 1) {
                    self.queue.add(key.into(), now);
                    self.record(1, Phase::Info, Fact::Enqueue { key });
                }
            }
            _ => self.notified(handler, &notification),
        }
        true
    }

    fn notified(&mut self, handler: u8, notification: &Notification<Thing>) {
        let key = key_number(&notification.key());
        let (change, old, new) = match notification {
            Notification::Added { object, .. } => (ChangeKind::Added, State::default(), State::of(object)),
            Notification::Updated { old, new } => (ChangeKind::Updated, State::of(old), State::of(new)),
            Notification::Deleted(deleted) => {
                let last = deleted.object().map(State::of).unwrap_or_default();
                let old = if let Deleted::FinalStateUnknown(_) = deleted { last } else { State::default() };
                (ChangeKind::Deleted, old, last)
            }
        };
        let known = if change == ChangeKind::Deleted { State::default() } else { new };
        self.known[usize::from(handler)][usize::from(key % KEYS)] = known;
        self.record(1, Phase::Info, Fact::Notify { handler, change, key, old, new });
    }

    /// Returns the cached state of an object.
    pub(super) fn stored(&self, key: u8) -> State {
        let (namespace, name) = names(key);
        self.informer.indexer().find(namespace, name).as_ref().map(State::of).unwrap_or_default()
    }

    // Workers and readers.

    /// Returns a digest of the objects of an owner in the cache.
    pub(super) fn view(&self, owned_by: u8) -> u64 {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        for key in 0..KEYS {
            let (namespace, name) = names(key);
            let Some(object) = self.informer.indexer().find(namespace, name) else { continue };
            if owner(object.content) == owned_by {
                let version = number(object.resource_version());
                for part in [u64::from(key) + 1, u64::from(version), u64::from(object.content)] {
                    digest = (digest ^ part).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        digest
    }

    pub(super) fn work(&mut self) -> bool {
        let Some(worker) = self.workers.iter().position(Option::is_none) else { return false };
        let Some(taken) = self.queue.take(self.now) else { return false };
        self.workers[worker] = Some(taken);
        let key = u8::try_from(taken.key).unwrap_or(u8::MAX);
        let (worker, view) = (u8::try_from(worker).unwrap_or_default(), self.view(key));
        self.record(1, Phase::Invoke, Fact::Run { worker, key, view });
        true
    }

    pub(super) fn finish(&mut self, worker: u8, succeeds: bool) -> bool {
        let place = usize::from(worker) % WORKERS;
        let Some(taken) = self.workers[place].take() else { return false };
        if !succeeds {
            self.queue.retry_at(taken.key, self.now + RETRY, self.now);
        }
        self.queue.end(taken, self.now);
        let key = u8::try_from(taken.key).unwrap_or(u8::MAX);
        let phase = if succeeds { Phase::Ok } else { Phase::Fail };
        self.record(1, phase, Fact::Done { worker: u8::try_from(place).unwrap_or_default(), key });
        true
    }

    /// Answers readers whose version has arrived. At the `end` it also reports those that still wait.
    pub(super) fn answer_readers(&mut self, end: bool) {
        let awaited = std::mem::take(&mut self.awaited);
        let store = number(&self.informer.indexer().resource_version());
        for (key, wanted) in awaited {
            let answer = match self.informer.at_least(&object_key(key), &text(wanted)) {
                None if end => Answer::Waits,
                None => {
                    self.awaited.push((key, wanted));
                    continue;
                }
                Some(Ok(Some(object))) => Answer::Object(State::of(&object)),
                Some(Ok(None)) => Answer::Missing,
                Some(Err(AtLeastError::Stale(_))) => Answer::Stale,
                Some(Err(_)) => Answer::Failed,
            };
            self.record(1, Phase::Ok, Fact::AtLeast { key, wanted, store, answer });
        }
    }

    /// Ends all faults.
    pub(super) fn heal(&mut self) {
        self.server.refuses_future = true;
        self.record(0, Phase::Info, Fact::Heal);
    }
}

fn verb_of(options: &ListOptions) -> Verb {
    if options.send_initial_events == Some(true) { Verb::Stream } else { Verb::Watch }
}

fn decoded(key: u8, state: State) -> Incoming<Thing> {
    if state.content & UNREADABLE == 0 {
        return Incoming::Object(Thing::new(key, state.uid, state.version, state.content));
    }
    Incoming::Undecodable(Undecodable {
        key: object_key(key),
        resource_version: text(state.version),
        error: DecodeError::new(DecodeErrorKind::Invalid(String::new())),
    })
}
