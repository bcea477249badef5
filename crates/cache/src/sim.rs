//! The parts of an informer for a simulation, which has the clock, the server and the order of all steps in its hands.
//!
//! These are the parts of production: the reflector's core, the queue, the store and the queues of the handlers.
//! Only the shells with their tasks, timers and sockets are missing. It is not part of the public API.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{ListSummary, WatchEvent};
use client_rs_machinery::{ApiError, Object, ObjectKey, Str};

use crate::processor::{Listener, Member};
use crate::reflector::core::{ArrivingPage, Core as Reflector};
use crate::reflector::machine::{Actions, Event, Next};
use crate::reflector::{BackoffOptions, ExponentialBackoff, ReflectorOptions};
use crate::shared_informer::core::Core;
use crate::store::versions::Numeric;
use crate::store::{AtLeastError, IndexFunction};
use crate::{
    Batch, Coverage, Delivery, FetchContext, FetchError, HandlerOptions, InOrderFifo, InOrderFifoOptions,
    Incoming, Indexer, IndexerOptions, Notification, Queue, Random,
};

/// The options of an [`Informer`].
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Try streamed lists.
    pub watch_list: bool,
    /// The number of items per page.
    pub page_size: i64,
    /// The resync period; zero for never.
    pub resync: Duration,
    /// The seed of jitter.
    pub seed: u64,
    /// How long watches are reopened at once after internal errors.
    pub max_internal_error_retry: Duration,
}

/// The request that an informer waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wants {
    /// The next deadline.
    Time,
    /// A page of a list.
    List(Box<ListOptions>),
    /// A watch.
    Watch(Box<ListOptions>),
    /// The next event of the open watch.
    Event,
}

/// The names of the states of the reflector's machine, and of the events that it handles, for a table of coverage.
pub const STATES: [&str; 8] = [
    "resting",
    "paused",
    "opening stream",
    "streaming",
    "listing",
    "committing",
    "opening watch",
    "watching",
];
/// The names of the events.
pub const EVENTS: [&str; 13] = [
    "start",
    "tick",
    "listed",
    "list failed",
    "opened",
    "open failed",
    "object",
    "bookmark",
    "skipped",
    "closed",
    "broken",
    "committed",
    "commit failed",
];

/// A transition of the reflector's machine: state, event, next state, as positions in [`STATES`] and [`EVENTS`].
pub type Transition = (u8, u8, u8);

/// An informer of one collection, whose environment performs every step.
pub struct Informer<K: Object> {
    reflector: Reflector<K, InOrderFifo<K>>,
    queue: Arc<InOrderFifo<K>>,
    indexer: Indexer<K>,
    core: Arc<Mutex<Core<K>>>,
    handlers: Vec<Option<(u64, Arc<Listener<K>>)>>,
    wants: Wants,
    page: Option<ArrivingPage<K, InOrderFifo<K>>>,
    /// The context that the source got with the last request.
    fetch: FetchContext<K>,
    /// The handlers that the informer waits for.
    behind: Vec<Arc<Listener<K>>>,
    transitions: Vec<Transition>,
}

impl<K: Object> Informer<K> {
    /// Makes an informer that has not started.
    pub fn new(options: Settings, functions: impl IntoIterator<Item = IndexFunction<K>>) -> Self {
        let store = IndexerOptions::default().with_indexes(functions);
        let (writer, indexer) = Indexer::with_options(store);
        let queue = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
        let core = Arc::new(Mutex::new(Core::new(writer, options.resync, [Coverage::All])));
        let backoff = ExponentialBackoff::new(BackoffOptions::default(), Random::seeded(options.seed));
        let reflector = ReflectorOptions {
            name: Some(String::new()),
            coverage: Coverage::All,
            watch_list: options.watch_list,
            page_size: options.page_size,
            min_watch_timeout: Duration::from_mins(5),
            max_internal_error_retry: options.max_internal_error_retry,
            resync_period: (!options.resync.is_zero()).then_some(options.resync),
            should_resync: Some({
                let core = Arc::clone(&core);
                Box::new(move |now| lock(&core).processor.should_resync(now))
            }),
            backoff: Box::new(backoff),
            random: Random::seeded(!options.seed),
            expected_kind: None,
            on_error: Some(Arc::new(|_| ())),
            consistency_check: None,
            fetch: FetchContext::default().sharing(Arc::new(indexer.clone())),
            metrics: None,
        };
        Self {
            reflector: Reflector::new(queue.clone(), reflector),
            queue,
            indexer,
            core,
            handlers: Vec::new(),
            wants: Wants::Time,
            page: None,
            fetch: FetchContext::default(),
            behind: Vec::new(),
            transitions: Vec::new(),
        }
    }

    /// Starts it.
    pub fn start(&mut self, now: Instant) {
        self.step(Event::Start, now);
    }

    /// Returns the request or event that it waits for.
    pub fn wants(&self) -> &Wants {
        &self.wants
    }

    /// Returns its next deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.reflector.machine.deadline()
    }

    /// Handles a deadline that has passed.
    pub fn tick(&mut self, now: Instant) {
        self.step(Event::Tick, now);
    }

    /// Returns the phase of the reflector.
    pub fn phase(&self) -> &'static str {
        self.reflector.machine.phase()
    }

    /// Returns the version that the reflector has reached.
    pub fn last_version(&self) -> &Str {
        self.reflector.machine.last_resource_version()
    }

    /// Returns the cached object, if the source may hand it out instead of decoding it. Sources use it for lists and for the
    /// first events of streamed lists.
    pub fn cached(&self, namespace: &str, name: &str, uid: &str, version: &str) -> Option<Incoming<K>> {
        self.fetch.cached(namespace, name, uid, version).map(Incoming::Cached)
    }

    /// Receives an item of a list.
    pub fn item(&mut self, item: Incoming<K>) {
        let reflector = &mut self.reflector;
        self.page.get_or_insert_with(|| reflector.page()).put(item);
    }

    /// Receives the end of a page.
    pub fn listed(&mut self, outcome: Result<ListSummary, FetchError>, now: Instant) {
        let page = self.page.take().unwrap_or_else(|| self.reflector.page());
        let event = self.reflector.listed(page, outcome);
        self.step(event, now);
    }

    /// Receives the response to a watch request.
    pub fn opened(&mut self, outcome: Result<(), FetchError>, now: Instant) {
        let event = match outcome {
            Ok(()) => Event::Opened,
            Err(error) => Event::OpenFailed(error),
        };
        self.step(event, now);
    }

    /// Receives an event of the watch.
    pub fn event(&mut self, event: WatchEvent<Incoming<K>, ApiError>, now: Instant) {
        let (before, kind) = (self.state(), kind_of(&event));
        let actions = self.reflector.receive(event, now);
        self.transitions.push((before, kind, self.state()));
        self.perform(actions, now);
    }

    /// Receives the end of the watch: clean, or with an error.
    pub fn closed(&mut self, error: Option<FetchError>, now: Instant) {
        self.step(error.map_or(Event::Closed, Event::Broken), now);
    }

    /// Applies the next batch of the queue to the store and the handlers. Returns whether there was one.
    pub fn process(&mut self, now: Instant) -> bool {
        let Self { queue, core, behind, .. } = self;
        let popped = queue.try_pop(|batch: &mut Batch<K>| {
            let processed = lock(core).process(batch, now);
            behind.extend(processed.behind.into_iter().map(|(_, listener)| listener));
            Ok::<_, std::convert::Infallible>(())
        });
        popped.is_some()
    }

    /// Returns whether it can process a batch: one waits, and no handler holds it up.
    pub fn can_process(&mut self) -> bool {
        let mut cx = Context::from_waker(Waker::noop());
        self.behind.retain(|listener| listener.poll_caught_up(&mut cx).is_pending());
        self.behind.is_empty() && !self.queue.is_empty()
    }

    /// Returns the number of queued deltas.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Returns whether the first list was processed.
    pub fn has_synced(&self) -> bool {
        self.queue.has_synced()
    }

    /// Adds a handler, and returns its number.
    pub fn add_handler(&mut self, delivery: Delivery, resync: Option<Duration>, now: Instant) -> usize {
        let options = HandlerOptions { delivery, resync_period: resync, ..HandlerOptions::default() };
        let (listener, registration) = lock(&self.core).add(&self.indexer, options, None, now);
        self.handlers.push(Some((registration.id(), listener)));
        self.handlers.len() - 1
    }

    /// Removes a handler.
    pub fn remove_handler(&mut self, handler: usize) {
        if let Some((id, _)) = self.handlers.get_mut(handler).and_then(Option::take) {
            let member = lock(&self.core).processor.remove(id);
            member.into_iter().for_each(Member::end);
        }
    }

    /// Returns the next notification of a handler.
    pub fn take(&self, handler: usize) -> Option<Notification<K>> {
        let (_, listener) = self.handlers.get(handler)?.as_ref()?;
        match listener.poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(next) => next.map(|(notification, _)| notification),
            Poll::Pending => None,
        }
    }

    /// Returns the number of notifications that wait for a handler, and whether it has the first list.
    pub fn handler(&self, handler: usize) -> Option<(usize, bool)> {
        let (_, listener) = self.handlers.get(handler)?.as_ref()?;
        let progress = listener.progress();
        Some((progress.pending, progress.synced))
    }

    /// Returns the store.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    /// Returns the version that the store has for an object that could not be read.
    pub fn stale(&self, key: &ObjectKey) -> Option<Str> {
        self.indexer.stale(key)
    }

    /// Does the work of [`Indexer::at_least`] without waiting: `None` if it would wait.
    pub fn at_least(&self, key: &ObjectKey, version: &str) -> Option<Result<Option<Arc<K>>, AtLeastError>> {
        let wanted = Numeric::parse(version)?;
        let mut arrival = std::pin::pin!(self.indexer.arrival(key, &wanted));
        match arrival.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Some(answer),
            Poll::Pending => None,
        }
    }

    /// Returns the transitions of the machine since the last call.
    pub fn transitions(&mut self) -> std::vec::Drain<'_, Transition> {
        self.transitions.drain(..)
    }

    /// Writes everything that decides about later steps, to recognize a state that was seen before.
    pub fn fingerprint(&self, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
        self.reflector.machine.fingerprint(out)?;
        write!(out, "|{:?}", self.wants)?;
        self.queue.fingerprint(out)?;
        for (_, listener) in self.handlers.iter().flatten() {
            listener.fingerprint(out)?;
        }
        Ok(())
    }

    fn step(&mut self, event: Event, now: Instant) {
        let (before, kind) = (self.state(), event.number());
        let actions = self.reflector.step(event, now);
        self.transitions.push((before, kind, self.state()));
        self.perform(actions, now);
    }

    fn state(&self) -> u8 {
        self.reflector.machine.number()
    }

    fn perform(&mut self, actions: Actions, now: Instant) {
        let next = actions.next;
        self.reflector.prepare(&next, || now);
        self.wants = match next {
            Next::Continue if matches!(self.wants, Wants::Time) => Wants::Time,
            Next::Continue => return,
            Next::Rest => Wants::Time,
            Next::List { options, .. } => Wants::List(options),
            Next::Watch { options, .. } => Wants::Watch(options),
            Next::Read => Wants::Event,
            Next::Commit { resource_version, .. } => {
                let staged = self.reflector.staged();
                let event = self.reflector.commit(staged, resource_version, now);
                return self.step(event, now);
            }
        };
        self.page = None;
        if matches!(self.wants, Wants::List(_) | Wants::Watch(_)) {
            self.fetch = self.reflector.fetch_now();
        }
    }
}

impl<K: Object> fmt::Debug for Informer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Informer").field("wants", &self.wants).finish_non_exhaustive()
    }
}

fn lock<K: Object>(core: &Mutex<Core<K>>) -> MutexGuard<'_, Core<K>> {
    core.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kind_of<T>(event: &WatchEvent<T, ApiError>) -> u8 {
    match event {
        WatchEvent::Added(_) | WatchEvent::Modified(_) | WatchEvent::Deleted(_) => 6,
        WatchEvent::Bookmark { .. } => 7,
        WatchEvent::Error(_) => 10,
    }
}
