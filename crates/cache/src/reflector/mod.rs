//! [`Reflector`]: keeps a queue, and the cache behind it, in sync with the server.
//!
//! Informers have a reflector inside; most programs only meet its options ([`ReflectorOptions`]) and its
//! [`Status`].

mod backoff;
mod consistency;
pub(crate) mod core;
pub(crate) mod machine;
mod options;
mod staging;
mod status;
mod steps;
#[cfg(test)]
mod tests;
mod timer;

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{ApiError, Object, Str};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub use self::backoff::{BackoffOptions, ExponentialBackoff, RetryBackoff};
pub use self::consistency::ConsistencyCheck;
use self::core::Core;
use self::machine::{Actions, Event, Next};
pub use self::options::{ReflectorOptions, ShouldResync, WatchErrorHandler};
pub use self::status::Status;
use self::status::StatusCell;
use self::timer::Timer;
use crate::{FetchError, Incoming, ListWatch, Queue, WatchStream};

/// Keeps a queue in sync with one collection of a server: it lists, then watches, forever.
///
/// Use it directly to build an informer of your own; [`SharedInformer`](crate::SharedInformer) has one inside.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use client_rs_cache::reflector::{Reflector, ReflectorOptions};
/// use client_rs_cache::{CancellationToken, InOrderFifo, InOrderFifoOptions, Indexer, MemoryListWatch, Queue, process_loop};
///
/// let source: MemoryListWatch<_> = [pod("web", 1), pod("db", 2)].into_iter().collect();
/// let queue = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
/// let reflector = Reflector::new(Arc::new(source), queue.clone(), ReflectorOptions::default());
/// let (handle, cancel) = (reflector.handle(), CancellationToken::new());
///
/// let (mut writer, indexer) = Indexer::new();
/// tokio::join!(
///     reflector.run(cancel.clone()),
///     process_loop(&*queue, |batch| drop(writer.apply(batch.deltas.drain(..)))),
///     async {
///         queue.synced().await;
///         cancel.cancel();
///         queue.close();
///     },
/// );
/// assert_eq!((indexer.len(), handle.status().lists), (2, 1));
/// # Ok(())
/// # }
/// ```
///
/// - **Nothing is lost**: a watch resumes after the last version seen. If the server no longer has that
///   version, the reflector relists.
/// - **All or nothing**: a list reaches the queue when it is complete. A list that breaks off changes nothing.
/// - **Unchanged objects are shared**: an object that the cache has at the listed version is not stored a
///   second time.
/// - **An object that does not decode is never a deletion**: its last good version stays in the cache, marked
///   as stale.
/// - **Errors**: it retries with backoff and never gives up. A list without progress for five minutes is an
///   error, and a watch that the server does not end in time is reopened.
/// - **Cancellation**: dropping the future of [`run`](Self::run), or cancelling its token, ends all requests.
#[must_use = "nothing is listed or watched until `run`"]
pub struct Reflector<K: Object, Q> {
    source: Arc<dyn ListWatch<K>>,
    core: Core<K, Q>,
}

/// A handle to observe a reflector that runs elsewhere; see [`Reflector::handle`].
#[derive(Clone, Debug)]
pub struct ReflectorHandle {
    status: Arc<StatusCell>,
}

impl ReflectorHandle {
    /// Returns the status.
    pub fn status(&self) -> Status {
        self.status.get()
    }

    pub(crate) fn count_fetches(&self, fetches: Arc<watch::Sender<u64>>) {
        self.status.count_fetches(fetches);
    }

    /// Returns the version that the queue has reached; empty before the first list.
    pub fn last_sync_resource_version(&self) -> Str {
        self.status.get().resource_version
    }
}

/// The result of a wait.
enum Waited<T> {
    Done(T),
    /// A deadline has passed, and other actions are due.
    Redirected(Actions),
}

/// An input of the machine, or an event of the watch with its object.
enum Happened<K> {
    Input(Event),
    Received(WatchEvent<Incoming<K>, ApiError>),
}

/// The number of events to read without waiting before other tasks get their turn.
const AT_ONCE: u32 = 256;

impl<K: Object, Q: Queue<K>> Reflector<K, Q> {
    /// Makes a reflector. It does nothing before [`run`](Self::run).
    pub fn new(source: Arc<dyn ListWatch<K>>, queue: Arc<Q>, options: ReflectorOptions<K>) -> Self {
        let watch_list = options.watch_list && source.supports_watch_list();
        let core = Core::new(queue, ReflectorOptions { watch_list, ..options });
        Self { source, core }
    }

    /// Returns a handle to observe it while it runs.
    pub fn handle(&self) -> ReflectorHandle {
        ReflectorHandle { status: self.core.status.clone() }
    }

    /// Returns the name, for logs.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// Lists and watches until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        // For every way to end: cancelled, dropped, or by a panic of the source.
        let _stopped = Stopped(self.core.status.clone());
        cancel.run_until_cancelled_owned(async move { self.run_forever().await }).await;
    }

    async fn run_forever(&mut self) {
        let Self { source, core } = self;
        let mut watch: Option<WatchStream<K>> = None;
        let mut timer = Timer::default();
        let mut read = 0_u32;
        let mut actions = core.step(Event::Start, now());
        loop {
            let next = std::mem::replace(&mut actions.next, Next::Continue);
            core.prepare(&next, now);
            let waited = match next {
                Next::Continue | Next::Rest => {
                    watch = None;
                    core.wait(&mut timer, std::future::pending::<Happened<K>>()).await
                }
                Next::List { options, .. } => {
                    watch = None;
                    core.list(&mut timer, &**source, *options).await
                }
                Next::Watch { options, .. } => {
                    watch = None;
                    let fetch = core.fetch_now();
                    match core.wait(&mut timer, source.watch(*options, &fetch)).await {
                        Waited::Done(Ok(stream)) => {
                            watch = Some(stream);
                            core.note_watch();
                            Waited::Done(Happened::Input(Event::Opened))
                        }
                        Waited::Done(Err(error)) => Waited::Done(Happened::Input(Event::OpenFailed(error))),
                        Waited::Redirected(actions) => Waited::Redirected(actions),
                    }
                }
                Next::Read => {
                    // Events that have arrived are read at once, so that the process loop gets them as one
                    // batch; but not forever.
                    read = read.wrapping_add(1);
                    if read.is_multiple_of(AT_ONCE) {
                        tokio::task::yield_now().await;
                    }
                    core.read(&mut timer, watch.as_mut()).await
                }
                Next::Commit { resource_version, check } => {
                    let event = core.check_and_commit(&**source, resource_version, check).await;
                    Waited::Done(Happened::Input(event))
                }
            };
            actions = match waited {
                Waited::Done(Happened::Input(event)) => core.step(event, now()),
                Waited::Done(Happened::Received(event)) => core.receive(event, now()),
                Waited::Redirected(actions) => actions,
            };
        }
    }
}

impl<K: Object, Q: Queue<K>> Core<K, Q> {
    /// Waits for a future while the machine handles deadlines.
    async fn wait<T>(&mut self, timer: &mut Timer, what: impl Future<Output = T>) -> Waited<T> {
        let mut what = pin!(what);
        poll_fn(|cx| {
            if let Poll::Ready(done) = what.as_mut().poll(cx) {
                return Poll::Ready(Waited::Done(done));
            }
            loop {
                ready!(timer.poll(self.machine.deadline(), cx));
                let actions = self.step(Event::Tick, now());
                if actions.next != Next::Continue {
                    return Poll::Ready(Waited::Redirected(actions));
                }
            }
        })
        .await
    }

    /// Lists a page into the staging table.
    async fn list(
        &mut self,
        timer: &mut Timer,
        source: &dyn ListWatch<K>,
        options: ListOptions,
    ) -> Waited<Happened<K>> {
        let mut page = self.page();
        let fetch = self.fetch_now();
        let items = AtomicU64::new(0);
        let mut sink = |item| {
            items.fetch_add(1, Ordering::Relaxed);
            page.put(item);
        };
        let list = async {
            tokio::select! {
                biased;
                listed = source.list(options, &fetch, &mut sink) => listed,
                () = stalled(&items) => Err(FetchError::other(STALLED)),
            }
        };
        match self.wait(timer, list).await {
            Waited::Done(outcome) => Waited::Done(Happened::Input(self.listed(page, outcome))),
            Waited::Redirected(actions) => {
                self.put_back(page);
                Waited::Redirected(actions)
            }
        }
    }

    /// Reads the next event of the watch, once the consumer keeps up.
    async fn read(&mut self, timer: &mut Timer, watch: Option<&mut WatchStream<K>>) -> Waited<Happened<K>> {
        let Some(watch) = watch else { return Waited::Done(Happened::Input(Event::Closed)) };
        let queue = self.queue.clone();
        let next = async {
            queue.ready().await;
            poll_fn(|cx| watch.as_mut().poll_next(cx)).await
        };
        match self.wait(timer, next).await {
            Waited::Redirected(actions) => Waited::Redirected(actions),
            Waited::Done(None) => Waited::Done(Happened::Input(Event::Closed)),
            Waited::Done(Some(Err(error))) => Waited::Done(Happened::Input(Event::Broken(error))),
            Waited::Done(Some(Ok(event))) => Waited::Done(Happened::Received(event)),
        }
    }

    /// Passes the staged list to the queue, after a consistency check if there is one.
    async fn check_and_commit(&mut self, source: &dyn ListWatch<K>, version: Str, check: bool) -> Event {
        let staged = self.staged();
        if let (true, Some(consistency)) = (check, &self.consistency_check) {
            let transform = |object| self.queue.stage(object).ok();
            let (request, objects) = (&*self.request, &staged.objects);
            let checked = consistency.check(source, &self.fetch, transform, request, &version, objects).await;
            if let Err(error) = checked {
                return Event::CommitFailed(error);
            }
        }
        self.commit(staged, version, now())
    }
}

/// The time of tokio, which tests can pause.
fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}

/// Sets the status of a reflector to stopped when dropped.
struct Stopped(Arc<StatusCell>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.edit(|status| status.phase = "stopped");
    }
}

/// How long a list may go without an item before it counts as lost. Servers end a list after a minute by default; the
/// client may first wait for its rate limit, or for a `Retry-After` of the server.
const LIST_STALLS: Duration = Duration::from_mins(5);
const STALLED: &str = "the list has stalled: no item, error or end for 5 minutes";

/// Returns when no item has arrived for [`LIST_STALLS`], at the latest after twice that time.
async fn stalled(items: &AtomicU64) {
    loop {
        let before = items.load(Ordering::Relaxed);
        tokio::time::sleep(LIST_STALLS).await;
        if items.load(Ordering::Relaxed) == before {
            return;
        }
    }
}

impl<K: Object, Q> fmt::Debug for Reflector<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflector").field("name", &self.core.name).finish_non_exhaustive()
    }
}
