//! Any sequence of server changes and faults, followed by a quiet period. Then the cache equals the server.
//! Every handler, filtered or not, was notified of a valid history of each key and knows the final state. A
//! handler that maps objects to keys has seen every state of the cache.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_machinery::{ApiError, Object, ObjectKey, Str};
use proptest::prelude::*;
use tokio_util::sync::CancellationToken;

use crate::fake_server::{FakeServer, GARBAGE, ListFault, WatchFault, expired};
use crate::fixtures::TestObject;
use crate::{
    Delivery, EventHandler, Execution, FetchError, HandlerOptions, InformerOptions, Layout, ListWatch,
    Notification, Registration, SharedInformer,
};

#[derive(Clone, Debug)]
enum Op {
    Put(u8),
    Garbage(u8),
    Delete(u8),
    Bookmark,
    EndWatches,
    BreakWatches(ServerError),
    Compact,
    ListFault(ServerError),
    CutList(usize),
    WatchFault(ServerError),
    EmptyWatch,
    CutWatch(usize),
    MuteWatch,
    AddHandler(Kind),
    RemoveHandler(u8),
}

#[derive(Clone, Copy, Debug)]
enum ServerError {
    Expired,
    Internal,
    TooManyRequests,
    Refused,
    Lost,
}

/// The delivery mode and the speed of a handler.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Inline,
    Blocking,
    /// Takes some milliseconds per notification; up to this many wait unmerged.
    Slow(u8, u8),
    SlowEveryEvent(u8),
    /// As [`Slow`](Self::Slow), behind a filter.
    Filtered(u8, u8),
    /// Slow, and the informer waits for it beyond this number.
    Paced(u8, u8),
}

/// The filter.
fn passes(object: &TestObject) -> bool {
    object.data.parse::<usize>().is_ok_and(|written| !written.is_multiple_of(3))
}

impl ServerError {
    fn api(self) -> ApiError {
        match self {
            Self::Expired => ApiError::resource_expired("too old resource version"),
            Self::TooManyRequests => ApiError::too_many_requests("later", 1),
            Self::Internal | Self::Refused | Self::Lost => ApiError::internal_error("etcd"),
        }
    }

    fn fetch(self) -> FetchError {
        let io = |kind| Arc::new(std::io::Error::from(kind));
        match self {
            Self::Refused => FetchError::ConnectionRefused(io(std::io::ErrorKind::ConnectionRefused)),
            Self::Lost => FetchError::Disconnected(io(std::io::ErrorKind::ConnectionReset)),
            Self::Expired => expired(),
            _ => self.api().into(),
        }
    }
}

/// The form of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lists {
    Streamed,
    StreamsRefused,
    Plain,
}

/// A handler that checks its notifications.
#[derive(Clone)]
struct Checker {
    seen: Arc<Mutex<Seen>>,
    /// Whether each read unpacks the object again.
    packed: bool,
    /// Whether it knows only objects that pass the filter.
    filtered: bool,
    /// A handler that was added at the same time and is notified of every event.
    twin: Option<Box<(Checker, Registration)>>,
}

#[derive(Default)]
struct Seen {
    knows: BTreeMap<ObjectKey, Arc<TestObject>>,
    deletions: BTreeMap<ObjectKey, usize>,
    /// Its notifications, except replays.
    changes: Vec<String>,
    wrong: Option<String>,
}

impl Checker {
    fn is_same(&self, one: &Arc<TestObject>, other: &Arc<TestObject>) -> bool {
        Arc::ptr_eq(one, other) || (self.packed && one == other)
    }

    fn check(&self, notified: &Notification<TestObject>) {
        let mut seen = self.seen.lock().unwrap();
        let repeated = matches!(notified, Notification::Updated { old, new } if self.is_same(old, new));
        if !repeated {
            seen.changes.push(format!("{notified:?}"));
        }
        let valid = match notified {
            Notification::Added { object, .. } => seen.knows.insert(object.key(), object.clone()).is_none(),
            Notification::Updated { old, new } => {
                seen.knows.insert(new.key(), new.clone()).is_some_and(|known| self.is_same(&known, old))
            }
            Notification::Deleted(deleted) => {
                *seen.deletions.entry(deleted.key()).or_default() += 1;
                seen.knows.remove(&deleted.key()).is_some()
            }
        };
        if !valid && seen.wrong.is_none() {
            seen.wrong = Some(format!("{notified:?} after {:?}", seen.changes));
        }
    }
}

impl EventHandler<TestObject> for Checker {
    fn handle(&self, notification: &Notification<TestObject>) {
        self.check(notification);
    }
}

struct World {
    server: FakeServer,
    informer: SharedInformer<TestObject>,
    handlers: Vec<(Checker, Registration)>,
    written: usize,
    /// Whether half of the keys are in another namespace, with a reflector of its own.
    split: bool,
    layout: Layout<TestObject>,
    /// The number of deletions per key.
    deletions: BTreeMap<ObjectKey, usize>,
}

impl World {
    fn new(lists: Lists, resync: Duration, split: bool, layout: Layout<TestObject>) -> Self {
        let server = FakeServer::with(&["k0", "k1"]);
        let server = if lists == Lists::StreamsRefused { server.without_streams() } else { server };
        let watch_list = lists != Lists::Plain;
        let options = InformerOptions {
            resync_period: resync,
            watch_list,
            layout: layout.clone(),
            ..InformerOptions::default()
        };
        let part = |namespace: &str| -> (Str, Arc<dyn ListWatch<TestObject>>) {
            (namespace.into(), Arc::new(server.in_namespace(namespace)))
        };
        let informer = if split {
            SharedInformer::of_namespaces([part("ns"), part("other")], options)
        } else {
            SharedInformer::with_options(server.clone(), options)
        };
        Self { server, informer, handlers: Vec::new(), written: 0, split, layout, deletions: BTreeMap::new() }
    }

    fn place(&self, key: u8) -> (&'static str, String) {
        (if self.split && key > 2 { "other" } else { "ns" }, format!("k{key}"))
    }

    fn add_handler(&mut self, kind: Kind) {
        let (filtered, packed) = (matches!(kind, Kind::Filtered(..)), self.layout.is_packed());
        let checker = |twin| Checker { seen: Arc::default(), packed, filtered, twin };
        let twin = if let Kind::Paced(..) = kind {
            let twin = checker(None);
            let every = HandlerOptions { delivery: Delivery::EveryEvent, ..HandlerOptions::default() };
            let registration = self.informer.add_handler_with(twin.clone(), every).unwrap();
            Some(Box::new((twin, registration)))
        } else {
            None
        };
        let checker = checker(twin);
        let options = HandlerOptions::default();
        let added = match kind {
            Kind::Inline => {
                let options = HandlerOptions { execution: Execution::Inline, ..options };
                self.informer.add_handler_with(checker.clone(), options)
            }
            Kind::Blocking => self.informer.add_handler_with(checker.clone(), options),
            Kind::Slow(millis, _)
            | Kind::SlowEveryEvent(millis)
            | Kind::Filtered(millis, _)
            | Kind::Paced(millis, _) => {
                let delivery = match kind {
                    Kind::Slow(_, limit) | Kind::Filtered(_, limit) => {
                        Delivery::Coalesced { limit: limit.into() }
                    }
                    Kind::Paced(_, limit) => Delivery::Paced { limit: limit.into() },
                    _ => Delivery::EveryEvent,
                };
                let own = checker.clone();
                let handler = move |notified: Notification<TestObject>| {
                    let own = own.clone();
                    async move {
                        tokio::time::sleep(Duration::from_millis(millis.into())).await;
                        own.check(&notified);
                    }
                };
                let options = HandlerOptions { delivery, ..options };
                if filtered {
                    self.informer.add_async_handler_with(crate::Filtered::new(passes, handler), options)
                } else {
                    self.informer.add_async_handler_with(handler, options)
                }
            }
        };
        self.handlers.push((checker, added.unwrap()));
    }

    fn delete(&mut self, key: u8) {
        let (namespace, name) = self.place(key);
        let key = ObjectKey::new(namespace, name.as_str());
        if self.server.content().contains_key(&key) {
            *self.deletions.entry(key).or_default() += 1;
            self.server.delete_in(namespace, &name);
        }
    }

    fn apply(&mut self, op: &Op) {
        self.written += 1;
        let server = &self.server;
        match op {
            Op::Put(key) => {
                let (namespace, name) = self.place(*key);
                server.put_in(namespace, &name, &self.written.to_string());
            }
            Op::Garbage(key) => {
                let (namespace, name) = self.place(*key);
                server.put_in(namespace, &name, GARBAGE);
            }
            Op::Delete(key) => self.delete(*key),
            Op::Bookmark => server.bookmark(),
            Op::EndWatches => server.end_watches(),
            Op::BreakWatches(error) => server.break_watches(&error.api()),
            Op::Compact => server.compact(),
            Op::ListFault(error) => server.list_fault(ListFault::Fails(error.fetch())),
            Op::CutList(after) => server.list_fault(ListFault::CutAfter(*after)),
            Op::WatchFault(error) => server.watch_fault(WatchFault::Fails(error.fetch())),
            Op::EmptyWatch => server.watch_fault(WatchFault::Ends),
            Op::CutWatch(after) => server.watch_fault(WatchFault::EndsAfter(*after)),
            Op::MuteWatch => server.watch_fault(WatchFault::Mute),
            Op::AddHandler(kind) => self.add_handler(*kind),
            Op::RemoveHandler(number) => {
                if !self.handlers.is_empty() {
                    let at = usize::from(*number) % self.handlers.len();
                    let (checker, registration) = self.handlers.remove(at);
                    self.informer.remove_handler(&registration);
                    if let Some(twin) = checker.twin {
                        self.informer.remove_handler(&twin.1);
                    }
                }
            }
        }
    }

    /// Checks the invariants after the quiet period.
    fn check(&self) -> Result<(), TestCaseError> {
        let objects: BTreeMap<ObjectKey, Arc<TestObject>> =
            self.informer.indexer().list().into_iter().map(|object| (object.key(), object)).collect();
        let server = self.server.content();
        for (key, version) in &server {
            match version {
                Some(version) => {
                    let cached = objects.get(key).map(|object| object.resource_version());
                    prop_assert_eq!(cached, Some(version.as_str()), "{}", key);
                    prop_assert_eq!(self.informer.indexer().stale(key), None);
                }
                // The last good version, if the cache ever saw one.
                None => prop_assert!(self.informer.indexer().stale(key).is_some(), "{} is marked", key),
            }
        }
        prop_assert!(
            objects.keys().all(|key| server.contains_key(key)),
            "deleted objects are not in the cache"
        );
        for (number, (checker, registration)) in self.handlers.iter().enumerate() {
            let seen = checker.seen.lock().unwrap();
            prop_assert_eq!(&seen.wrong, &None, "handler {}", number);
            let mut objects = objects.clone();
            objects.retain(|_, object| !checker.filtered || passes(object));
            let keys = |known: &BTreeMap<ObjectKey, _>| known.keys().cloned().collect::<Vec<_>>();
            prop_assert_eq!(keys(&seen.knows), keys(&objects), "handler {}", number);
            if let Some(twin) = &checker.twin {
                // Resyncs continue, and it may lag with those.
                let changes = |seen: &Seen| seen.changes.clone();
                prop_assert_eq!(
                    changes(&seen),
                    changes(&twin.0.seen.lock().unwrap()),
                    "every state, in order"
                );
            }
            for (key, object) in &objects {
                let same = seen.knows.get(key).is_some_and(|known| checker.is_same(known, object));
                prop_assert!(same, "handler {} was notified of the last state of {}", number, key);
            }
            // An object that no longer passes the filter counts as deleted.
            for (key, count) in seen.deletions.iter().filter(|_| !checker.filtered) {
                let real = self.deletions.get(key).copied().unwrap_or(0);
                prop_assert!(
                    *count <= real,
                    "{} was deleted {} times, with {} notifications",
                    key,
                    real,
                    count
                );
            }
            prop_assert!(registration.has_synced());
        }
        Ok(())
    }
}

fn server_errors() -> impl Strategy<Value = ServerError> {
    prop_oneof![
        Just(ServerError::Expired),
        Just(ServerError::Internal),
        Just(ServerError::TooManyRequests),
        Just(ServerError::Refused),
        Just(ServerError::Lost),
    ]
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Inline),
        Just(Kind::Blocking),
        (1..200_u8, 0..4_u8).prop_map(|(millis, limit)| Kind::Slow(millis, limit)),
        (1..200_u8).prop_map(Kind::SlowEveryEvent),
        (1..200_u8, 0..4_u8).prop_map(|(millis, limit)| Kind::Filtered(millis, limit)),
        (1..200_u8, 0..4_u8).prop_map(|(millis, limit)| Kind::Paced(millis, limit)),
    ]
}

fn ops() -> impl Strategy<Value = Vec<(Op, u16)>> {
    let op = prop_oneof![
        10 => (0..6_u8).prop_map(Op::Put),
        5 => (0..6_u8).prop_map(Op::Delete),
        2 => (0..6_u8).prop_map(Op::Garbage),
        1 => Just(Op::Bookmark),
        2 => Just(Op::EndWatches),
        2 => server_errors().prop_map(Op::BreakWatches),
        2 => Just(Op::Compact),
        2 => server_errors().prop_map(Op::ListFault),
        1 => (0..4_usize).prop_map(Op::CutList),
        2 => server_errors().prop_map(Op::WatchFault),
        1 => Just(Op::EmptyWatch),
        2 => (0..5_usize).prop_map(Op::CutWatch),
        1 => Just(Op::MuteWatch),
        1 => kinds().prop_map(Op::AddHandler),
        1 => (0..8_u8).prop_map(Op::RemoveHandler),
    ];
    // Most steps happen at once, some a while later.
    let pause = prop_oneof![4 => Just(0_u16), 2 => 1..50_u16, 2 => 500..5000_u16];
    prop::collection::vec((op, pause), 0..80)
}

async fn run(
    split: bool,
    packed: bool,
    lists: Lists,
    resync: Duration,
    kinds: Vec<Kind>,
    ops: Vec<(Op, u16)>,
) -> Result<(), TestCaseError> {
    let mut world =
        World::new(lists, resync, split, if packed { Layout::packed() } else { Layout::decoded() });
    for kind in kinds {
        world.add_handler(kind);
    }
    let cancel = CancellationToken::new();
    let running = {
        let (informer, cancel) = (world.informer.clone(), cancel.clone());
        tokio::spawn(async move { informer.run(cancel).await })
    };
    for (op, pause) in &ops {
        world.apply(op);
        match pause {
            0 => tokio::task::yield_now().await,
            millis => tokio::time::sleep(Duration::from_millis((*millis).into())).await,
        }
    }
    // Quiet: no more faults, and time for the longest backoff and for the timeout of a mute watch.
    world.server.heal();
    tokio::time::sleep(Duration::from_mins(20)).await;
    world.check()?;
    cancel.cancel();
    running.await.unwrap().unwrap();
    prop_assert_eq!(world.server.open_watches(), 0);
    let alive = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    prop_assert_eq!(alive, 0, "no task is left");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_changes_and_faults_then_quiet(
        split: bool,
        packed: bool,
        lists in prop_oneof![Just(Lists::Streamed), Just(Lists::StreamsRefused), Just(Lists::Plain)],
        resync in prop_oneof![Just(0_u64), Just(1), Just(7)],
        kinds in prop::collection::vec(kinds(), 1..5),
        ops in ops(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(split, packed, lists, Duration::from_secs(resync), kinds, ops))?;
    }
}
