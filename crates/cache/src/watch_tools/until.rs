//! Watches until conditions hold.

use std::convert::Infallible;
use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;

use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{Object, Str};
use futures_core::Stream;
use tokio_util::sync::CancellationToken;

use super::Event;
use super::retry::{InvalidVersion, RetryWatcher};
use crate::{Delivery, HandlerOptions, Indexer, ListWatch, Notification, SharedInformer, Subscription};

/// The error of a wait for conditions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UntilError<K, E> {
    /// The watch ended first.
    #[error("the watch ended before the condition held")]
    Closed,
    /// The watch cannot begin at this version.
    #[error(transparent)]
    Version(#[from] InvalidVersion),
    /// A condition failed.
    #[error("a condition failed: {error}")]
    Condition {
        /// The error of the condition.
        error: E,
        /// The event for which it failed; `None` for a precondition.
        event: Option<Box<Event<K>>>,
    },
}

/// A condition: called with each event until it returns true.
pub type Condition<'a, K, E> = Box<dyn FnMut(&Event<K>) -> Result<bool, E> + Send + 'a>;

/// A precondition: called with the cache once it has synced; true ends the wait.
pub type Precondition<'a, K, E> = Box<dyn FnOnce(&Indexer<K>) -> Result<bool, E> + Send + 'a>;

/// Waits until conditions hold, one after the other. Returns the event for which the last one did; `None`
/// without conditions.
///
/// Each condition is called with every event until it holds; the next condition is called with that same event
/// first. Errors from the watch are events too: the condition decides. If the watch ends first, the result is
/// [`UntilError::Closed`]. For a deadline, wrap the future in `tokio::time::timeout`: dropping it ends the
/// watch. [`until`] brings its own watch.
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
/// use std::convert::Infallible;
/// use std::sync::Arc;
/// use client_rs_cache::MemoryListWatch;
/// use client_rs_cache::watch_tools::{Condition, RetryWatcher, until_without_retry};
///
/// let pods: MemoryListWatch<_> = [pod("web", 2), pod("db", 3)].into_iter().collect();
/// let watch = RetryWatcher::new("1", Arc::new(pods))?.into_stream();
/// let is_db: Condition<'_, _, Infallible> =
///     Box::new(|event| Ok(event.object().is_some_and(|pod: &Arc<PartialObjectMetadata>| pod.metadata.name == "db")));
/// let event = until_without_retry(watch, vec![is_db]).await?;
/// assert_eq!(event.unwrap().object().unwrap().metadata.resource_version, "3");
/// # Ok(())
/// # }
/// ```
pub async fn until_without_retry<K, E>(
    watch: impl Stream<Item = Event<K>> + Send,
    conditions: Vec<Condition<'_, K, E>>,
) -> Result<Option<Event<K>>, UntilError<K, E>> {
    let mut watch = pin!(watch);
    let mut last = None;
    for mut condition in conditions {
        let mut event = last.take();
        loop {
            if let Some(event) = event {
                match condition(&event) {
                    Ok(holds) => {
                        last = Some(event);
                        if holds {
                            break;
                        }
                    }
                    Err(error) => return Err(UntilError::Condition { error, event: Some(Box::new(event)) }),
                }
            }
            event = std::future::poll_fn(|cx| watch.as_mut().poll_next(cx)).await;
            if event.is_none() {
                return Err(UntilError::Closed);
            }
        }
    }
    Ok(last)
}

/// Waits like [`until_without_retry`], on a watch from a version on that [reopens itself](RetryWatcher).
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
/// use std::convert::Infallible;
/// use std::sync::Arc;
/// use client_rs_cache::MemoryListWatch;
/// use client_rs_cache::watch_tools::{Condition, until};
/// use client_rs_machinery::wire::WatchEvent;
///
/// let pods: MemoryListWatch<_> = [pod("web", 2)].into_iter().collect();
/// pods.delete(&client_rs_machinery::ObjectKey::new("default", "web"));
/// let deleted: Condition<'_, PartialObjectMetadata, Infallible> =
///     Box::new(|event| Ok(matches!(event, WatchEvent::Deleted(_))));
/// let event = until("2", Arc::new(pods), vec![deleted]).await?;
/// assert!(event.is_some());
/// # Ok(())
/// # }
/// ```
pub async fn until<K: Object, E>(
    resource_version: impl Into<Str>,
    source: Arc<dyn ListWatch<K>>,
    conditions: Vec<Condition<'_, K, E>>,
) -> Result<Option<Event<K>>, UntilError<K, E>> {
    let watcher = RetryWatcher::new(resource_version, source)?;
    until_without_retry(watcher.into_stream(), conditions).await
}

/// Waits like [`until_without_retry`], on an informer of its own: the events begin with the existing objects,
/// as additions, and no error of the server ends the wait.
///
/// With a precondition it first waits for the sync of the cache and calls the precondition. If that holds, the
/// wait is over, and there is no event. A deletion that only a list showed comes with the last known object.
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
/// use std::convert::Infallible;
/// use std::sync::Arc;
/// use client_rs_cache::{Indexer, MemoryListWatch};
/// use client_rs_cache::watch_tools::{Precondition, until_with_sync};
///
/// let pods: MemoryListWatch<_> = [pod("web", 2)].into_iter().collect();
/// let exists: Precondition<'_, PartialObjectMetadata, Infallible> =
///     Box::new(|pods: &Indexer<_>| Ok(pods.find("default", "web").is_some()));
/// let event = until_with_sync(Arc::new(pods), Some(exists), Vec::new()).await?;
/// assert!(event.is_none(), "it already holds");
/// # Ok(())
/// # }
/// ```
pub async fn until_with_sync<K: Object, E>(
    source: Arc<dyn ListWatch<K>>,
    precondition: Option<Precondition<'_, K, E>>,
    conditions: Vec<Condition<'_, K, E>>,
) -> Result<Option<Event<K>>, UntilError<K, E>> {
    let informer = SharedInformer::new(source);
    let options = HandlerOptions { delivery: Delivery::EveryEvent, ..HandlerOptions::default() };
    let Ok(subscription) = informer.subscribe_with(options) else { return Err(UntilError::Closed) };
    let events = Events { subscription };
    let wait = async {
        if let Some(precondition) = precondition {
            informer.synced().await;
            match precondition(informer.indexer()) {
                Ok(true) => return Ok(None),
                Ok(false) => (),
                Err(error) => return Err(UntilError::Condition { error, event: None }),
            }
        }
        until_without_retry(events, conditions).await
    };
    tokio::select! {
        result = wait => result,
        // It runs in this task, so that it ends with this future.
        _ = informer.run(CancellationToken::new()) => Err(UntilError::Closed),
    }
}

/// The notifications of an informer, as the events of a watch.
struct Events<K: Object> {
    subscription: Subscription<K>,
}

impl<K: Object> Stream for Events<K> {
    type Item = Event<K>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Event<K>>> {
        loop {
            let notification = std::task::ready!(Pin::new(&mut self.subscription).poll_next(cx));
            let event = match notification {
                None => return std::task::Poll::Ready(None),
                Some(Notification::Added { object, .. }) => WatchEvent::Added(object),
                Some(Notification::Updated { new, .. }) => WatchEvent::Modified(new),
                Some(Notification::Deleted(deleted)) => match deleted.object() {
                    Some(object) => WatchEvent::Deleted(object.clone()),
                    // The store had the object, so this does not happen.
                    None => continue,
                },
            };
            return std::task::Poll::Ready(Some(event));
        }
    }
}

/// For conditions that cannot fail.
impl<K: fmt::Debug> UntilError<K, Infallible> {
    /// Returns whether the watch ended first.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use client_rs_machinery::ApiError;

    use super::*;
    use crate::fake_server::{FakeServer, ListFault, WatchFault};
    use crate::fixtures::TestObject;

    type Seen = Event<TestObject>;

    fn source(server: &FakeServer) -> Arc<dyn ListWatch<TestObject>> {
        Arc::new(server.clone())
    }

    fn named(name: &'static str) -> Condition<'static, TestObject, String> {
        Box::new(move |event| Ok(event.object().is_some_and(|object| object.name() == name)))
    }

    fn show(result: Result<Option<Seen>, UntilError<TestObject, String>>) -> String {
        match result {
            Ok(None) => "nothing".into(),
            Ok(Some(event)) => {
                format!("{} {}", event.kind(), event.object().map_or("", |object| object.name()))
            }
            Err(error) => error.to_string(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_05_until_one_condition_or_several_hold() {
        let server = FakeServer::with(&["a", "b", "c", "d"]);
        let result = until("1", source(&server), vec![named("c")]).await;
        assert_eq!(show(result), "ADDED c");
        // The same event may satisfy the next condition, which is called with it first.
        let result = until("1", source(&server), vec![named("b"), named("b"), named("d")]).await;
        assert_eq!(show(result), "ADDED d");
        assert_eq!(show(until("1", source(&server), vec![]).await), "nothing");
        assert_eq!(server.open_watches(), 0);
        let fails: Condition<'_, _, _> = Box::new(|_: &Seen| Err::<bool, _>("odd".to_owned()));
        let result = until("1", source(&server), vec![fails]).await;
        assert!(matches!(&result, Err(UntilError::Condition { event: Some(_), .. })));
        assert_eq!(show(result), "a condition failed: odd");
        let never = until::<_, String>("1", source(&server), vec![named("z")]);
        assert!(tokio::time::timeout(Duration::from_mins(10), never).await.is_err());
        let result = until("0", source(&server), vec![named("c")]).await;
        assert!(matches!(result, Err(UntilError::Version(_))));
        // An error that ends the watch is an event, then the end.
        server.watch_fault(WatchFault::Says(ApiError::gone("x")));
        let result = until("1", source(&server), vec![named("z")]).await;
        assert!(matches!(result, Err(UntilError::Closed)));
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_05_until_with_sync_and_its_precondition() {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let server = FakeServer::with(&["a", "b"]);
        let has = |name: &'static str| -> Precondition<'static, TestObject, String> {
            Box::new(move |indexer: &Indexer<TestObject>| Ok(indexer.find("ns", name).is_some()))
        };
        // It already holds.
        let result = until_with_sync(source(&server), Some(has("a")), vec![named("z")]).await;
        assert_eq!(show(result), "nothing");
        // It does not hold: the existing objects come as events.
        let result = until_with_sync(source(&server), Some(has("z")), vec![named("b")]).await;
        assert_eq!(show(result), "ADDED b");
        // Without a precondition, the wait does not need the whole list.
        let result = until_with_sync(source(&server), None, vec![named("a")]).await;
        assert_eq!(show(result), "ADDED a");
        let fails: Precondition<'_, TestObject, String> = Box::new(|_| Err("odd".to_owned()));
        let result = until_with_sync(source(&server), Some(fails), vec![named("a")]).await;
        assert_eq!(show(result), "a condition failed: odd");
        // With a cache that never syncs the wait does not end.
        let hangs = FakeServer::with(&["a"]).without_streams();
        for _ in 0..100 {
            hangs.list_fault(ListFault::Hangs);
        }
        let waits = until_with_sync(source(&hangs), Some(has("a")), vec![named("a")]);
        assert!(tokio::time::timeout(Duration::from_hours(1), waits).await.is_err());
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!((tasks(), server.open_watches()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn t1_14_06_a_deletion_that_only_a_list_showed_has_its_last_object() {
        let server = FakeServer::with(&["a", "b"]);
        let gone = server.clone();
        let deleted: Condition<'_, _, _> = Box::new(|event: &Seen| {
            Ok::<_, String>(matches!(event, WatchEvent::Deleted(object) if object.name() == "a"))
        });
        let disrupt = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            gone.end_watches();
            gone.delete("a");
            gone.compact();
            std::future::pending::<()>().await;
        };
        let result = tokio::select! {
            result = until_with_sync(source(&server), None, vec![deleted]) => result,
            () = disrupt => unreachable!(),
        };
        assert_eq!(show(result), "DELETED a");
    }
}
