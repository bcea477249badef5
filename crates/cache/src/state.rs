//! The state of informers, as JSON: the first thing to look at when something is wrong.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// The state of an informer; see [`SharedInformer::state`](crate::SharedInformer::state). It serializes to JSON
/// for a debug endpoint.
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
/// # use client_rs_cache::{MemoryListWatch, SharedInformer};
/// let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
/// let informer = SharedInformer::new(source);
/// let running = informer.spawn();
/// informer.synced().await;
/// let state = informer.state();
/// assert_eq!((state.run, state.synced, state.objects), ("running", true, 1));
/// assert_eq!(state.last_error(), None);
/// running.shutdown().await?;
/// assert_eq!(informer.state().run, "stopped");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InformerState {
    /// The name.
    pub name: String,
    /// `created`, `running` or `stopped`.
    pub run: &'static str,
    /// The reason why it stopped without being cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether its first list has reached the store and the queues of the handlers.
    pub synced: bool,
    /// The number of objects in the store.
    pub objects: usize,
    /// How the store keeps them: `decoded` or `packed`.
    pub layout: &'static str,
    /// Their size, as [`bytes_of`](Self::bytes_of) describes; absent if it is not known.
    pub bytes: Option<usize>,
    /// The kind of `bytes`. `heap`: the memory of the store, exact except for objects that wait to be packed.
    /// `wire`: the encoded size of the objects, estimated from some of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_of: Option<&'static str>,
    /// The number of reads whose packed object could not be decoded.
    pub unpack_errors: u64,
    /// The number of objects whose newest version could not be read: the store has an older one, or none.
    pub stale: usize,
    /// The version of the store.
    pub resource_version: String,
    /// The number of deltas that are not applied yet.
    pub queued: usize,
    /// The number of calls of index functions that panicked.
    pub index_panics: u64,
    /// Its reflectors: one, or one per namespace.
    pub reflectors: Vec<ReflectorState>,
    /// Its handlers.
    pub handlers: Vec<HandlerState>,
}

impl InformerState {
    /// Returns the last error of a list or watch: that of the first reflector that has one.
    pub fn last_error(&self) -> Option<&str> {
        self.reflectors.iter().find_map(|reflector| reflector.last_error.as_deref())
    }
}

/// The state of a reflector.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReflectorState {
    /// The namespace; absent if it covers all namespaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its phase; see [`Status::phase`](crate::reflector::Status::phase).
    pub phase: &'static str,
    /// The version that it has reached.
    pub resource_version: String,
    /// The number of lists after the first.
    pub relists: u64,
    /// The number of watches after the first.
    pub reconnects: u64,
    /// The number of objects and events that could not be decoded or transformed.
    pub undecodable: u64,
    /// The number of errors that ended a list or a watch.
    pub errors: u64,
    /// The last of these errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// The time since the last event from the server, in seconds.
    #[serde(rename = "lastEventAgeSeconds", serialize_with = "seconds")]
    pub last_event_age: Option<Duration>,
    /// The duration of the last list, in seconds.
    #[serde(rename = "lastListSeconds", serialize_with = "seconds")]
    pub last_list_duration: Option<Duration>,
}

/// The state of a handler.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HandlerState {
    /// The name.
    pub name: String,
    /// Whether it has handled every object that existed when it was added.
    pub synced: bool,
    /// The number of notifications that wait for it.
    pub pending: usize,
    /// The time that the first of them has waited, in seconds.
    #[serde(rename = "lagSeconds", serialize_with = "seconds")]
    pub lag: Option<Duration>,
    /// The number of notifications that it has handled. The JSON key is `told`.
    #[serde(rename = "told")]
    pub delivered: u64,
    /// The number of notifications that were merged into others because it lagged.
    pub coalesced: u64,
    /// How often it panicked.
    pub panics: u64,
    /// Its resync period, in seconds; absent for never.
    #[serde(rename = "resyncSeconds", serialize_with = "seconds")]
    pub resync_period: Option<Duration>,
}

#[allow(clippy::ref_option)] // serde's signature
fn seconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    duration.map(|duration| duration.as_secs_f64()).serialize(serializer)
}
