//! The state of informers as JSON: what to look at first when something is odd.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// The state of an informer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InformerState {
    /// What it is called.
    pub name: String,
    /// `created`, `running` or `stopped`.
    pub run: &'static str,
    /// Why it has stopped, if nobody stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Has its first list reached store and handlers' queues?
    pub synced: bool,
    /// Objects in the store.
    pub objects: usize,
    /// How they are kept: `decoded` or `packed`.
    pub layout: &'static str,
    /// How large they are, in the sense of [`bytes_of`](Self::bytes_of); absent where that is not known.
    pub bytes: Option<usize>,
    /// What `bytes` counts. `heap`: all that the store takes, exactly, but for objects that wait to be packed. `wire`: the
    /// objects as they are encoded, estimated from some of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_of: Option<&'static str>,
    /// Packed objects that could not be unpacked when they were read.
    pub unpack_errors: u64,
    /// Objects whose newest version could not be read: the store has an older one, or none.
    pub stale: usize,
    /// The store's version.
    pub resource_version: String,
    /// Deltas that wait for the store.
    pub queued: usize,
    /// Calls of index functions that panicked.
    pub index_panics: u64,
    /// Its reflectors: one, or one a namespace.
    pub reflectors: Vec<ReflectorState>,
    /// Its handlers.
    pub handlers: Vec<HandlerState>,
}

impl InformerState {
    /// Why its last list or watch failed, if one did: of the first reflector that has such an error.
    pub fn last_error(&self) -> Option<&str> {
        self.reflectors.iter().find_map(|reflector| reflector.last_error.as_deref())
    }
}

/// The state of a reflector.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReflectorState {
    /// The namespace; absent if it covers all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// What it does.
    pub phase: &'static str,
    /// The version it has reached.
    pub resource_version: String,
    /// Lists after the first.
    pub relists: u64,
    /// Watches after the first.
    pub reconnects: u64,
    /// Objects and events that could not be read or transformed.
    pub undecodable: u64,
    /// Errors that ended a round.
    pub errors: u64,
    /// The last of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// How long ago the server last said something, in seconds.
    #[serde(rename = "lastEventAgeSeconds", serialize_with = "seconds")]
    pub last_event_age: Option<Duration>,
    /// How long the last list took, in seconds.
    #[serde(rename = "lastListSeconds", serialize_with = "seconds")]
    pub last_list_duration: Option<Duration>,
}

/// The state of a handler.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HandlerState {
    /// What it is called.
    pub name: String,
    /// Has it returned from everything that was there when it began?
    pub synced: bool,
    /// Notifications that wait for it.
    pub pending: usize,
    /// How long the first of them has waited, in seconds.
    #[serde(rename = "lagSeconds", serialize_with = "seconds")]
    pub lag: Option<Duration>,
    /// Notifications that it has handled. The JSON key is `told`.
    #[serde(rename = "told")]
    pub delivered: u64,
    /// Notifications that were merged into others because it lagged.
    pub coalesced: u64,
    /// How often it panicked.
    pub panics: u64,
    /// How often it gets everything again, in seconds; absent for never.
    #[serde(rename = "resyncSeconds", serialize_with = "seconds")]
    pub resync_period: Option<Duration>,
}

#[allow(clippy::ref_option)] // serde's signature
fn seconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    duration.map(|duration| duration.as_secs_f64()).serialize(serializer)
}
