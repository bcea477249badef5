//! [`RetryWatcher`]: a watch that reopens itself, without listing.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{WatchEvent, WatchEventType};
use client_rs_machinery::{ApiError, Object, Str};
use futures_core::Stream;
use tokio::time::{Instant, timeout_at};

use super::Event;
use crate::{BoxFuture, FetchContext, FetchError, Incoming, ListWatch, Random, WatchStream};

/// The minimum time between two attempts to open the watch.
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);
/// The longest wait that a server can request before an attempt.
const LONGEST_WAIT: Duration = Duration::from_mins(5);
/// The minimum duration of a watch that is requested from the server; up to twice as long at random.
const WATCH_SECONDS: u32 = 300;
/// How long the server may take to end a watch after that.
const OVERTIME: Duration = Duration::from_secs(30);

/// A watch that begins at a version. When it ends or breaks, it is opened again after its last event.
///
/// Use it to follow changes without a cache. It never lists: if events were lost, it ends with an error. An
/// informer relists instead.
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
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use client_rs_cache::MemoryListWatch;
/// use client_rs_cache::watch_tools::RetryWatcher;
///
/// let pods: MemoryListWatch<_> = [pod("web", 2), pod("db", 3)].into_iter().collect();
/// let mut watch = RetryWatcher::new("2", Arc::new(pods.clone()))?;
/// let event = watch.next().await.unwrap();
/// assert_eq!(event.object().unwrap().metadata.name, "db", "the change after version 2");
/// pods.end_watches();
/// pods.put(pod("cache", 4));
/// let event = watch.next().await.unwrap();
/// assert_eq!(event.object().unwrap().metadata.name, "cache", "from the next watch");
/// # Ok(())
/// # }
/// ```
///
/// - **No event is lost or repeated**, as long as the server has the events since the last one. If an open
///   watch reports that it does not (410), the stream returns that error and ends: only a list helps then, and
///   the caller that chose the version knows best how. A 410 in response to the request itself is retried, as
///   in client-go.
/// - **Order**: that of the server. Bookmarks are recorded and not returned.
/// - **End**: it also ends with the error that the caller is not authorized (401, 403), and with an event that
///   does not decode. Nothing else ends it.
/// - **Attempts**: at most one per second, later if the server requests that, by at most five minutes.
/// - **Dead connections**: each watch is requested for five to ten minutes, and dropped half a minute after
///   that if it has not ended.
/// - **Cancellation**: dropping it ends the watch. [`next`](Self::next) is cancel-safe.
#[must_use = "the watch ends when this is dropped"]
pub struct RetryWatcher<K> {
    source: Arc<dyn ListWatch<K>>,
    fetch: FetchContext<K>,
    resource_version: Str,
    watch: Option<WatchStream<K>>,
    /// The time of the next attempt.
    attempt_at: Instant,
    /// The time by which the watch should have ended.
    overdue: Instant,
    random: Random,
    over: bool,
}

/// The error of [`RetryWatcher::new`]: at an empty version or `0` a watch cannot begin without losing events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a watch can't begin at resourceVersion {0:?} without losing events")]
pub struct InvalidVersion(pub Str);

/// The next step after an event.
enum Turn<K> {
    Return(Event<K>),
    ReturnAndEnd(ApiError),
    /// Read the next event.
    Next,
    /// Open the watch again, this much later than usual.
    Retry(Duration),
}

impl<K: Object> RetryWatcher<K> {
    /// Makes a watch of the changes after a version. It sends no request before the first call of [`next`](Self::next).
    pub fn new(
        resource_version: impl Into<Str>,
        source: Arc<dyn ListWatch<K>>,
    ) -> Result<Self, InvalidVersion> {
        let resource_version = resource_version.into();
        if resource_version.is_empty() || resource_version == "0" {
            return Err(InvalidVersion(resource_version));
        }
        Ok(Self {
            source,
            fetch: FetchContext::default(),
            resource_version,
            watch: None,
            attempt_at: Instant::now(),
            overdue: Instant::now(),
            random: Random::default(),
            over: false,
        })
    }

    /// Returns the version of the last event, or of a later bookmark.
    pub fn resource_version(&self) -> &Str {
        &self.resource_version
    }

    /// Waits for the next event; `None` after the last.
    pub async fn next(&mut self) -> Option<Event<K>> {
        while !self.over {
            let turn = match &mut self.watch {
                None => self.open().await,
                Some(watch) => {
                    let item = timeout_at(self.overdue, poll_fn(|cx| watch.as_mut().poll_next(cx))).await;
                    match item {
                        Ok(item) => self.turn(item),
                        Err(_) => overdue(),
                    }
                }
            };
            match turn {
                Turn::Return(event) => return Some(event),
                Turn::ReturnAndEnd(error) => {
                    self.over = true;
                    self.watch = None;
                    return Some(WatchEvent::Error(error));
                }
                Turn::Next => (),
                Turn::Retry(later) => {
                    self.watch = None;
                    self.attempt_at = self.attempt_at.max(Instant::now() + later);
                }
            }
        }
        None
    }

    /// Returns the events as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Event<K>> + Send + Unpin {
        Events { next: Some(next(self)) }
    }

    async fn open(&mut self) -> Turn<K> {
        tokio::time::sleep_until(self.attempt_at).await;
        // Counted from the start of the attempt, so that the next watch follows a long one at once.
        self.attempt_at = Instant::now() + BETWEEN_ATTEMPTS;
        let seconds = f64::from(WATCH_SECONDS) * (1.0 + self.random.next_unit());
        self.overdue = Instant::now() + Duration::from_secs_f64(seconds) + OVERTIME;
        #[allow(clippy::cast_possible_truncation)]
        let options = ListOptions {
            watch: true,
            allow_watch_bookmarks: true,
            resource_version: self.resource_version.clone(),
            timeout_seconds: Some(seconds as i64),
            ..ListOptions::EMPTY
        };
        let Ok(opened) = timeout_at(self.overdue, self.source.watch(options, &self.fetch)).await else {
            return overdue();
        };
        match opened {
            Ok(watch) => {
                self.watch = Some(watch);
                Turn::Next
            }
            Err(FetchError::Api(error)) if error.is_forbidden() || error.is_unauthorized() => {
                Turn::ReturnAndEnd(error)
            }
            Err(error) => {
                tracing::debug!(%error, "watch not opened, retrying");
                Turn::Retry(error.api().map_or(Duration::ZERO, retry_after))
            }
        }
    }

    fn turn(&mut self, item: Option<Result<WatchEvent<Incoming<K>, ApiError>, FetchError>>) -> Turn<K> {
        let item = match item {
            None => return Turn::Retry(Duration::ZERO),
            Some(Err(error)) => {
                tracing::debug!(%error, "watch broken, reopening");
                return Turn::Retry(error.api().map_or(Duration::ZERO, retry_after));
            }
            Some(Ok(item)) => item,
        };
        let kind = item.kind();
        let object = match item {
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object) => object,
            WatchEvent::Bookmark { resource_version, .. } if !resource_version.is_empty() => {
                self.resource_version = resource_version;
                return Turn::Next;
            }
            WatchEvent::Bookmark { .. } => return broken("a bookmark has no version"),
            WatchEvent::Error(error)
                if error.code() == 410 || error.is_gone() || error.is_resource_expired() =>
            {
                return Turn::ReturnAndEnd(error);
            }
            WatchEvent::Error(error) => return Turn::Retry(retry_after(&error)),
        };
        let object = match object {
            Incoming::Object(object) => Arc::new(object),
            Incoming::Cached(object) => match object.object() {
                Some(object) => object,
                None => return broken(format!("{object} can't be unpacked")),
            },
            Incoming::Undecodable(bad) => {
                return broken(format!("{} can't be read: {}", bad.key, bad.error));
            }
        };
        if object.resource_version().is_empty() {
            return broken("an object has no version");
        }
        self.resource_version = object.resource_version().into();
        Turn::Return(match kind {
            WatchEventType::Added => WatchEvent::Added(object),
            WatchEventType::Deleted => WatchEvent::Deleted(object),
            _ => WatchEvent::Modified(object),
        })
    }
}

fn broken<K>(why: impl fmt::Display) -> Turn<K> {
    Turn::ReturnAndEnd(ApiError::internal_error(why))
}

fn overdue<K>() -> Turn<K> {
    tracing::debug!("server did not end the watch in time, reopening");
    Turn::Retry(Duration::ZERO)
}

fn retry_after(error: &ApiError) -> Duration {
    let seconds = error.status().details.as_ref().map_or(0, |details| details.retry_after_seconds);
    let asked = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    if asked > LONGEST_WAIT {
        tracing::warn!(?asked, waits = ?LONGEST_WAIT, "server requests a very long wait before the next watch");
    }
    asked.min(LONGEST_WAIT)
}

/// The watcher together with its next event.
type Next<K> = BoxFuture<'static, (RetryWatcher<K>, Option<Event<K>>)>;

fn next<K: Object>(mut watcher: RetryWatcher<K>) -> Next<K> {
    Box::pin(async move {
        let event = watcher.next().await;
        (watcher, event)
    })
}

struct Events<K: Object> {
    next: Option<Next<K>>,
}

impl<K: Object> Stream for Events<K> {
    type Item = Event<K>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event<K>>> {
        let Some(future) = &mut self.next else { return Poll::Ready(None) };
        let Poll::Ready((watcher, event)) = future.as_mut().poll(cx) else { return Poll::Pending };
        self.next = event.is_some().then(|| next(watcher));
        Poll::Ready(event)
    }
}

impl<K> fmt::Debug for RetryWatcher<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RetryWatcher(at {})", self.resource_version)
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::GroupResource;

    use super::*;
    use crate::fake_server::{FakeServer, WatchFault, expired};
    use crate::fixtures::{TestObject, plain};

    fn watcher(server: &FakeServer, version: &str) -> RetryWatcher<TestObject> {
        RetryWatcher::new(version, Arc::new(server.clone())).unwrap()
    }

    fn show(event: Option<Event<TestObject>>) -> String {
        match event {
            None => "end".into(),
            Some(WatchEvent::Error(error)) => format!("error {}", error.code()),
            Some(event) => {
                let object = event.object().unwrap();
                format!("{} {}@{}", event.kind(), object.name(), object.resource_version())
            }
        }
    }

    #[test]
    fn t1_14_01_a_watch_needs_a_version() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _guard = runtime.enter();
        for version in ["", "0"] {
            let error = RetryWatcher::new(version, Arc::new(FakeServer::default())).unwrap_err();
            assert_eq!(error, InvalidVersion(version.into()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_02_recovers_from_temporary_errors() {
        let other = ApiError::new(client_rs_machinery::ErrorStatus { code: 599, ..Default::default() });
        let faults = [
            WatchFault::Fails(FetchError::Eof),
            WatchFault::Fails(FetchError::other("odd")),
            WatchFault::Fails(expired()),
            WatchFault::Fails(ApiError::timeout("slow", 0).into()),
            WatchFault::Fails(ApiError::internal_error("x").into()),
            WatchFault::Says(ApiError::internal_error("x")),
            WatchFault::Says(ApiError::timeout("slow", 0)),
            WatchFault::Says(other),
            WatchFault::Ends,
        ];
        for fault in faults {
            let server = FakeServer::with(&["a", "b"]);
            server.watch_fault(fault.clone());
            let mut watcher = watcher(&server, "1");
            let began = Instant::now();
            assert_eq!(show(watcher.next().await), "ADDED b@2", "{fault:?}");
            assert_eq!(began.elapsed().as_secs(), 1, "one attempt per second");
            assert_eq!(server.requests(), ["WATCH rv=1", "WATCH rv=1"]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_retry_after_of_the_server_is_respected() {
        let server = FakeServer::with(&["a", "b"]);
        server.watch_fault(WatchFault::Says(ApiError::too_many_requests("later", 7)));
        server.watch_fault(WatchFault::Fails(ApiError::too_many_requests("later", 5).into()));
        let began = Instant::now();
        assert_eq!(show(watcher(&server, "1").next().await), "ADDED b@2");
        assert_eq!(began.elapsed().as_secs(), 12);
    }

    #[tokio::test(start_paused = true)]
    async fn a_retry_after_is_at_most_five_minutes() {
        let server = FakeServer::with(&["a", "b"]);
        server.watch_fault(WatchFault::Says(ApiError::too_many_requests("later", i32::MAX)));
        let began = Instant::now();
        assert_eq!(show(watcher(&server, "1").next().await), "ADDED b@2");
        assert_eq!(began.elapsed().as_secs(), 300);
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_on_a_dead_connection_is_dropped_and_opened_again() {
        let server = FakeServer::with(&["a", "b"]);
        server.watch_fault(WatchFault::Mute);
        let began = Instant::now();
        assert_eq!(show(watcher(&server, "1").next().await), "ADDED b@2");
        assert!((330..=630).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
        assert_eq!(server.requests(), ["WATCH rv=1", "WATCH rv=1"]);
        assert!(server.watch_timeouts().iter().all(|seconds| (300..600).contains(seconds)));
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_03_ends_with_permanent_errors() {
        let things = GroupResource::new("", "things");
        for (fault, expected) in [
            (WatchFault::Says(ApiError::gone("x")), "error 410"),
            (WatchFault::Says(ApiError::resource_expired("x")), "error 410"),
            (WatchFault::Fails(ApiError::forbidden(&things, "", "no").into()), "error 403"),
            (WatchFault::Fails(ApiError::unauthorized("who?").into()), "error 401"),
        ] {
            let server = FakeServer::with(&["a"]);
            server.watch_fault(fault);
            let mut watcher = watcher(&server, "1");
            assert_eq!(show(watcher.next().await), expected);
            assert_eq!((show(watcher.next().await), server.requests().len()), ("end".into(), 1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_without_a_version_ends_it() {
        let bad = |item| async move {
            let server = FakeServer::with(&["a"]);
            let mut watcher = watcher(&server, "1");
            let later = server.clone();
            let send = async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                later.say(&item);
            };
            let (event, ()) = tokio::join!(watcher.next(), send);
            assert_eq!(show(watcher.next().await), "end");
            show(event)
        };
        let mut nameless = plain("a", 1);
        nameless.metadata.resource_version = Str::EMPTY;
        assert_eq!(bad(WatchEvent::Added(Incoming::Object(nameless))).await, "error 500");
        let bookmark = WatchEvent::Bookmark { resource_version: Str::EMPTY, initial_events_end: false };
        assert_eq!(bad(bookmark).await, "error 500");
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_04_survives_closed_watches_and_repeats_no_event() {
        let server = FakeServer::with(&["a"]);
        let mut watcher = watcher(&server, "1");
        let mut seen = Vec::new();
        for round in 0..5 {
            server.put(&format!("n{round}"), "");
            seen.push(show(watcher.next().await));
            server.bookmark();
            server.end_watches();
            server.put(&format!("m{round}"), "");
            seen.push(show(watcher.next().await));
            server.end_watches();
        }
        let expected: Vec<_> = (0..5_u64)
            .flat_map(|round| {
                [format!("ADDED n{round}@{}", 3 * round + 2), format!("ADDED m{round}@{}", 3 * round + 4)]
            })
            .collect();
        assert_eq!(seen, expected);
        assert_eq!(watcher.resource_version(), "16");
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_05_can_be_dropped_with_events_unread() {
        let server = FakeServer::with(&["a", "b", "c"]);
        let mut stream = watcher(&server, "1").into_stream();
        let first = poll_fn(|cx| Pin::new(&mut stream).poll_next(cx)).await;
        assert_eq!((show(first), server.open_watches()), ("ADDED b@2".into(), 1));
        drop(stream);
        assert_eq!(server.open_watches(), 0);
    }
}
