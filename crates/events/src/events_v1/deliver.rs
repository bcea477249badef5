//! Delivery of one event to the server, with retries.

use std::time::Duration;

use client_rs_api::events::v1::Event;
use client_rs_client::Error;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Json, Str, json};
use tokio_util::sync::CancellationToken;

use super::sink::EventSink;
use crate::failure::Failure;

/// The limits of the attempts to write an event.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    pub(super) max_tries: u32,
    pub(super) sleep: Duration,
    /// The timeout of one attempt.
    pub(super) limit: Duration,
    /// Cancelled when there are no more retries.
    pub(super) closing: CancellationToken,
}

/// Tries until the event is written or refused, or the limits are reached.
pub(super) async fn deliver<S: EventSink>(sink: &S, event: &Event, patience: &Patience) {
    for _ in 1..patience.max_tries {
        if attempt(sink, event, patience.limit).await != Attempt::Later {
            return;
        }
        // Jitter of up to a quarter, so that clients do not retry at the same time.
        let sleep = patience.sleep.mul_f64(1.0 + 0.25 * fastrand::f64());
        tokio::select! {
            biased;
            () = patience.closing.cancelled() => {
                tracing::error!(event = %event.metadata.name, "could not write an event before the shutdown");
                return;
            }
            () = tokio::time::sleep(sleep) => {}
        }
    }
    if attempt(sink, event, patience.limit).await == Attempt::Later {
        tracing::error!(event = %event.metadata.name, "could not write an event: no more attempts");
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attempt {
    /// Written; the object in the server's response.
    Done(Box<Event>),
    /// A retry would not help.
    GivenUp,
    /// Retry.
    Later,
}

pub(super) async fn attempt<S: EventSink>(sink: &S, event: &Event, limit: Duration) -> Attempt {
    let error = match tokio::time::timeout(limit, write(sink, event)).await {
        Ok(Ok(written)) => return Attempt::Done(Box::new(written)),
        Ok(Err(error)) => error,
        Err(_) => {
            tracing::warn!(event = %event.metadata.name, ?limit, "could not write an event: the request timed out");
            return Attempt::Later;
        }
    };
    match Failure::of(&error) {
        // The first event of the series was created between the failed patch and this create.
        Failure::AlreadyExists if event.series.is_some() => Attempt::Later,
        Failure::AlreadyExists | Failure::Unwanted => {
            tracing::debug!(event = %event.metadata.name, %error, "skipped an event: its namespace is being deleted");
            Attempt::GivenUp
        }
        Failure::Refused | Failure::NotFound => {
            tracing::error!(event = %event.metadata.name, %error, "server refused an event");
            Attempt::GivenUp
        }
        Failure::Unclear => {
            tracing::warn!(event = %event.metadata.name, %error, "could not write an event; retrying");
            Attempt::Later
        }
    }
}

async fn write<S: EventSink>(sink: &S, event: &Event) -> Result<Event, Error> {
    if let Some(patch) = series_patch(event) {
        match sink.patch(event, &patch).await {
            Err(error) if Failure::of(&error) == Failure::NotFound => {}
            outcome => return outcome,
        }
    }
    let mut event = event.clone();
    event.metadata.resource_version = Str::EMPTY;
    sink.create(&event).await
}

/// A patch of the series only.
fn series_patch(event: &Event) -> Option<Patch> {
    let series = event.series.as_ref()?;
    let last = Json::from(series.last_observed_time.map(|last| last.to_string()));
    Some(Patch::Strategic(json!({"series": {"count": (series.count), "lastObservedTime": last}})))
}
