//! The events of a watch, in the form for a reflector.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use client_rs_cache::{FetchContext, FetchError, Incoming, Stored, Undecodable};
use client_rs_client::{BadEvent, Watch};
use client_rs_machinery::wire::{Payload, Peek, WatchEvent, WatchEventType};
use client_rs_machinery::{ApiError, Object, ObjectKey, ShardSelector};
use futures_core::Stream;

use crate::fetch_error;

/// The events of a watch.
pub(super) struct WatchItems<K> {
    watch: Watch<K>,
    cx: FetchContext<K>,
    /// Whether the events still report the objects that existed from the start. The cache may have most of
    /// those. It has none of the later ones, and is not asked.
    initial: bool,
    /// Objects of other shards are dropped.
    shard: Option<Arc<ShardSelector>>,
    ended: bool,
}

impl<K: Payload> WatchItems<K> {
    pub(super) fn new(
        watch: Watch<K>,
        cx: FetchContext<K>,
        initial: bool,
        shard: Option<Arc<ShardSelector>>,
    ) -> Self {
        Self { watch, cx, initial, shard, ended: false }
    }
}

impl<K: Object + Payload> Stream for WatchItems<K> {
    type Item = Result<WatchEvent<Incoming<K>, ApiError>, FetchError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let items = &mut *self;
        if items.ended {
            return Poll::Ready(None);
        }
        loop {
            let fetch = &items.cx;
            let may_be_cached = items.initial && fetch.may_be_cached();
            let event = items.watch.poll_next_with(cx, |event, decoding| {
                let known = if may_be_cached { cached(fetch, &event.peek()) } else { None };
                known.map_or_else(
                    || event.object(decoding).map(Incoming::Object),
                    |known| Ok(Incoming::Cached(known)),
                )
            });
            let Some(event) = ready!(event) else {
                items.ended = true;
                return Poll::Ready(items.watch.end().and_then(fetch_error::of_end).map(Err));
            };
            let event = match event {
                Ok(event) => {
                    items.initial &= !matches!(event, WatchEvent::Bookmark { initial_events_end: true, .. });
                    event
                }
                Err(bad) => undecodable(bad),
            };
            if let WatchEvent::Added(Incoming::Object(object))
            | WatchEvent::Modified(Incoming::Object(object))
            | WatchEvent::Deleted(Incoming::Object(object)) = &event
                && !in_shard(items.shard.as_deref(), object)
            {
                continue;
            }
            return Poll::Ready(Some(Ok(event)));
        }
    }
}

/// Returns the cached object if it has the version that was sent.
pub(super) fn cached<K>(fetch: &FetchContext<K>, peek: &Peek<'_>) -> Option<Stored<K>> {
    fetch.cached(peek.namespace(), peek.name(), peek.uid(), peek.resource_version())
}

pub(super) fn in_shard(shard: Option<&ShardSelector>, object: &dyn Object) -> bool {
    shard.is_none_or(|shard| shard.matches(object))
}

fn undecodable<K>(bad: BadEvent) -> WatchEvent<Incoming<K>, ApiError> {
    let incoming = Incoming::Undecodable(Undecodable {
        key: ObjectKey::new(bad.namespace, bad.name),
        resource_version: bad.resource_version.as_str().into(),
        error: bad.error,
    });
    match bad.kind {
        WatchEventType::Added => WatchEvent::Added(incoming),
        WatchEventType::Deleted => WatchEvent::Deleted(incoming),
        // The other types have no object that could fail to decode.
        _ => WatchEvent::Modified(incoming),
    }
}
