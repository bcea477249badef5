//! The events of a watch, as a reflector wants them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use client_rs_cache::{FetchContext, FetchError, Incoming, Stored, Undecodable, WatchItem};
use client_rs_client::{BadEvent, Sighting, Watch};
use client_rs_machinery::wire::{EventType, Payload, WatchEvent};
use client_rs_machinery::{ApiError, Object, ObjectKey};
use futures_core::Stream;

use crate::fetch_error;

type Event<K> = Result<WatchEvent<Sighting<K, Stored<K>>, ApiError>, BadEvent>;

/// The events of a watch.
pub(super) struct WatchItems<K> {
    watch: Watch<K>,
    cx: FetchContext<K>,
    /// Are these still the objects that were there from the start? Of those the cache may have most; of what comes
    /// later it has nothing, and looking would be in vain.
    initial: bool,
    ended: bool,
}

impl<K: Payload> WatchItems<K> {
    pub(super) fn new(watch: Watch<K>, cx: FetchContext<K>, initial: bool) -> Self {
        Self { watch, cx, initial, ended: false }
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event<K>>> {
        let Self { watch, cx: fetch, .. } = self;
        if self.initial {
            return watch.poll_knowing(cx, &mut |peek| {
                fetch.cached(peek.namespace(), peek.name(), peek.uid(), peek.resource_version())
            });
        }
        Pin::new(watch)
            .poll_next(cx)
            .map(|event| event.map(|event| event.map(|event| event.map(Sighting::New))))
    }
}

impl<K: Object + Payload> Stream for WatchItems<K> {
    type Item = Result<WatchItem<K>, FetchError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let items = &mut *self;
        if items.ended {
            return Poll::Ready(None);
        }
        let Some(event) = ready!(items.poll_event(cx)) else {
            items.ended = true;
            return Poll::Ready(items.watch.end().and_then(fetch_error::of_end).map(Err));
        };
        let item = match event {
            Ok(WatchEvent::Added(sighting)) => WatchItem::Added(incoming(sighting)),
            Ok(WatchEvent::Modified(sighting)) => WatchItem::Modified(incoming(sighting)),
            Ok(WatchEvent::Deleted(sighting)) => WatchItem::Deleted(incoming(sighting)),
            Ok(WatchEvent::Bookmark { resource_version, initial_events_end }) => {
                items.initial &= !initial_events_end;
                WatchItem::Bookmark { resource_version, initial_events_end }
            }
            Ok(WatchEvent::Error(error)) => WatchItem::Error(error),
            Err(bad) => undecodable(bad),
        };
        Poll::Ready(Some(Ok(item)))
    }
}

/// An object as the cache takes it.
pub(super) fn incoming<K>(sighting: Sighting<K, Stored<K>>) -> Incoming<K> {
    match sighting {
        Sighting::New(object) => Incoming::Object(object),
        Sighting::Known(object) => Incoming::Cached(object),
    }
}

fn undecodable<K>(bad: BadEvent) -> WatchItem<K> {
    let incoming = Incoming::Undecodable(Undecodable {
        key: ObjectKey::new(bad.namespace, bad.name),
        resource_version: bad.resource_version.as_str().into(),
        error: bad.error,
    });
    match bad.kind {
        EventType::Added => WatchItem::Added(incoming),
        EventType::Deleted => WatchItem::Deleted(incoming),
        // The other types have no object of ours that could fail to decode.
        _ => WatchItem::Modified(incoming),
    }
}
