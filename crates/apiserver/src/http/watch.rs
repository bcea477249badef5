//! Watches: the request, and the stream of events.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::wire::WatchEventType;
use client_rs_machinery::{ApiError, StatusReason};
use futures_util::stream;
use http::Response;
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tokio::time::{Instant, sleep_until};

use super::encode::{self, Encoder};
use super::media::{Encoding, Form, View};
use super::metrics::{InFlight, RequestLabels};
use super::objects::shown;
use super::reply::{self, Body, BrokenOff, Failure};
use super::{Api, Call, generic, method_not_allowed, no_such_resource};
use crate::admission::{Session, Webhooks};
use crate::controls::Controls;
use crate::registry::{
    Interrupted, ListRequest, Registry, Served, Stored, Watch, internal, too_large_version,
};
use crate::request::ListOptions;

/// The shortest duration of a watch without a timeout. The actual duration is random, up to twice as long.
const WATCH_MIN: Duration = Duration::from_mins(30);
/// The number of changes that are read at a time. It bounds the memory for a slow client.
const BATCH: usize = 64;
/// The interval between bookmarks.
const BOOKMARK_EVERY: Duration = Duration::from_mins(1);
/// The time between the last bookmark and the end of a watch.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

impl Api {
    /// Starts a watch.
    pub(super) fn watch(
        self: &Arc<Self>,
        served: &Arc<Served>,
        namespace: &str,
        options: &ListOptions,
        call: &Call<'_>,
    ) -> Result<Response<Body>, Failure> {
        if !served.can("watch") || served.table.is_none() {
            return Err(method_not_allowed().into());
        }
        if call.form.encoding == Encoding::Yaml {
            let why = "406: Not Acceptable";
            return Err(generic(406, StatusReason::NotAcceptable, why).into());
        }
        let selection = self.selection(served, options)?;
        let asked = match options.resource_version.as_str() {
            "" => 0,
            text => text.parse::<u64>().map_err(|_| {
                internal(format!(
                    "resourceVersion: Invalid value: {text:?}: strconv.ParseUint: parsing {text:?}: invalid syntax"
                ))
            })?,
        };
        let (mut initial, mut initial_end, mut after) = (VecDeque::new(), None, asked);
        let lists = options.send_initial_events.unwrap_or(asked == 0);
        if lists {
            let current = self.registry.revision();
            if asked > current {
                return Err(too_large_version(asked, current).into());
            }
            let request =
                ListRequest { session: Some(call.session), ..ListRequest::all(namespace, &selection) };
            let listing = self.registry.list(served, &request)?;
            after = listing.revision;
            initial = shown(served, &listing, call)?.items.into();
            initial_end =
                (options.send_initial_events == Some(true) && options.bookmarks).then_some(listing.revision);
        } else if asked == 0 {
            after = self.registry.revision();
        }
        let session = Arc::new(Session::of_watch(&self.webhooks, &self.registry));
        let converts = Arc::clone(&session);
        let watch = Watch::new(Arc::clone(&self.registry), served, namespace, selection, after, converts);
        let watch = watch.ok_or_else(no_such_resource)?;
        let now = Instant::now();
        let timeout = options.timeout_seconds.map_or_else(
            // Random, so that watches that started together do not end together.
            || WATCH_MIN.mul_f64(1.0 + fastrand::f64()),
            Duration::from_secs,
        );
        // The requested timeout may overflow the clock.
        let deadline = now.checked_add(timeout).unwrap_or(now + WATCH_MIN);
        let stream = WatchStream {
            watch,
            session,
            registry: Arc::clone(&self.registry),
            webhooks: Arc::clone(&self.webhooks),
            controls: Arc::clone(&self.controls),
            form: call.form,
            include: call.query.get("includeObject").to_owned(),
            initial,
            initial_end,
            bookmarks: options.bookmarks,
            deadline,
            next_bookmark: WatchStream::bookmark_from(now, deadline),
            cuts: self.controls.cuts(),
            first: call.form.view == View::Table,
            ended: false,
            in_flight: self.metrics.start(watch_labels(served, namespace, options)),
            began: now,
        };
        let frames = stream::unfold(stream, |mut stream| async {
            let bytes = stream.next().await?;
            Some((Ok::<_, BrokenOff>(Frame::data(bytes)), stream))
        });
        let headers = reply::headers(reply::watch_media_type(call.form.encoding));
        Ok(reply::respond(200, headers, StreamBody::new(frames).boxed_unsync()))
    }
}

/// The metric labels of a watch.
fn watch_labels(served: &Served, namespace: &str, options: &ListOptions) -> RequestLabels {
    let single = options.fields.starts_with("metadata.name=");
    RequestLabels {
        verb: "WATCH",
        group: served.info.group.clone(),
        version: served.info.version.clone(),
        resource: served.info.plural.clone(),
        scope: match (single, namespace.is_empty()) {
            (true, _) => "resource",
            (false, false) => "namespace",
            (false, true) => "cluster",
        },
        ..RequestLabels::default()
    }
}

/// A running watch.
#[derive(Debug)]
pub(crate) struct WatchStream {
    pub(crate) watch: Watch,
    /// Converts the objects.
    pub(crate) session: Arc<Session>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) webhooks: Arc<Webhooks>,
    pub(crate) controls: Arc<Controls>,
    pub(crate) form: Form,
    pub(crate) include: String,
    /// The initial objects that are still to be sent.
    pub(crate) initial: VecDeque<Arc<Stored>>,
    /// The revision of the bookmark that ends the initial events.
    pub(crate) initial_end: Option<u64>,
    pub(crate) bookmarks: bool,
    pub(crate) deadline: Instant,
    pub(crate) next_bookmark: Instant,
    pub(crate) cuts: tokio::sync::watch::Receiver<u64>,
    pub(crate) first: bool,
    pub(crate) ended: bool,
    /// Counts the watch as in flight.
    pub(crate) in_flight: InFlight,
    pub(crate) began: Instant,
}

impl Drop for WatchStream {
    fn drop(&mut self) {
        self.in_flight.end(200, self.began.elapsed());
    }
}

impl WatchStream {
    /// The time of the next bookmark: after a minute, or shortly before the end if that is sooner, so that a client
    /// can resume there. As on the real server, none is sent in the last moments.
    pub(crate) fn bookmark_from(now: Instant, deadline: Instant) -> Instant {
        let regular = now + BOOKMARK_EVERY;
        match deadline.checked_sub(LAST_BOOKMARK).filter(|last| *last > now) {
            Some(last) => last.min(regular),
            None => regular,
        }
    }

    /// The next bytes; `None` at the end. Nothing is read ahead, so a client that does not read costs one batch.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.ended {
                return None;
            }
            let over = self.watch.is_over();
            self.convert_ahead().await;
            if let Some(bytes) = self.ready() {
                return Some(bytes.into());
            }
            // A change arrived that is still to be converted.
            if self.session.is_pending() || self.ended {
                continue;
            }
            // All changes before the end have been read, because the end was checked first.
            if over {
                return None;
            }
            let bookmark = self.bookmarks.then_some(self.next_bookmark);
            tokio::select! {
                () = self.watch.wait() => {}
                _ = self.cuts.changed() => self.ended = true,
                () = sleep_until(self.deadline) => self.ended = true,
                () = sleep_until(bookmark.unwrap_or(self.deadline)), if bookmark.is_some() => {
                    // The watch follows only its own resource. Look up how far the server has advanced.
                    self.convert_ahead().await;
                    if let Some(bytes) = self.ready() {
                        return Some(bytes.into());
                    }
                    self.next_bookmark = Self::bookmark_from(Instant::now(), self.deadline);
                    if !self.ended && !self.controls.bookmarks_stopped() {
                        return self.encoder().bookmark(self.watch.cursor(), false).ok().map(Into::into);
                    }
                }
            }
        }
    }

    /// Requests the conversion of the next changes, if a webhook converts them.
    async fn convert_ahead(&self) {
        let served = self.watch.served();
        if served.custom().is_none_or(|custom| custom.converter.is_none()) || !self.initial.is_empty() {
            return;
        }
        let session = &*self.session;
        session.forget();
        let ahead = self.watch.ahead(BATCH);
        let show = || {
            for stored in &ahead {
                // The error is reported when the change is read.
                let _ = served.shown(stored, Some(session));
            }
        };
        self.webhooks.run_until_answered(&self.registry, session, show).await;
    }

    /// The bytes that can be sent now.
    fn ready(&mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut first = self.first;
        let mut put = |encoder: &Encoder<'_>, kind: &WatchEventType, object: &Stored| {
            match encoder.event(kind, object, first) {
                Ok(event) => bytes.extend_from_slice(&event),
                Err(error) => bytes.extend_from_slice(&encode::error_event(encoder.form.encoding, &error)),
            }
            first = false;
        };
        if !self.initial.is_empty() {
            let some: Vec<_> = self.initial.drain(..self.initial.len().min(BATCH)).collect();
            let encoder = self.encoder();
            for object in &some {
                put(&encoder, &WatchEventType::Added, object);
            }
        } else if let Some(revision) = self.initial_end.take() {
            bytes = self.encoder().bookmark(revision, true).ok()?;
        } else {
            let after = self.watch.cursor();
            match self.watch.take(BATCH) {
                Ok(items) => {
                    let encoder = self.encoder();
                    for item in &items {
                        put(&encoder, &item.kind, &item.object);
                    }
                }
                // The change arrived after the conversion: the next round converts it.
                Err(Interrupted::Pending) => {}
                // As with the real server, whose cache then restarts.
                Err(Interrupted::Unreadable) => self.ended = true,
                Err(Interrupted::Compacted(oldest)) => {
                    self.ended = true;
                    let why = format!("too old resource version: {after} ({oldest})");
                    bytes = encode::error_event(self.form.encoding, &ApiError::resource_expired(why));
                }
            }
        }
        self.first = first && self.first;
        (!bytes.is_empty()).then_some(bytes)
    }

    fn encoder(&self) -> Encoder<'_> {
        Encoder {
            served: self.watch.served(),
            form: self.form,
            now: self.registry.clock().now(),
            include: &self.include,
        }
    }
}
