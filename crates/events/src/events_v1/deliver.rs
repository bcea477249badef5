//! One event to the server, with patience.

use std::time::Duration;

use client_rs_api::events::v1::Event;
use client_rs_client::Error;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Json, Str, json};
use tokio_util::sync::CancellationToken;

use super::sink::EventSink;
use crate::failure::Failure;

/// How often and how patiently an event is tried.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    pub(super) max_tries: u32,
    pub(super) sleep: Duration,
    /// How long one try may take.
    pub(super) limit: Duration,
    /// No more second tries.
    pub(super) closing: CancellationToken,
}

/// Tries until it is done with, or patience is over.
pub(super) async fn deliver<S: EventSink>(sink: &S, event: &Event, patience: &Patience) {
    for _ in 1..patience.max_tries {
        if attempt(sink, event, patience.limit).await != Attempt::Later {
            return;
        }
        // Up to a quarter more, so that clients do not all come back at once.
        let sleep = patience.sleep.mul_f64(1.0 + 0.25 * fastrand::f64());
        tokio::select! {
            biased;
            () = patience.closing.cancelled() => {
                tracing::error!(event = %event.metadata.name, "an event could not be written before the shutdown");
                return;
            }
            () = tokio::time::sleep(sleep) => {}
        }
    }
    if attempt(sink, event, patience.limit).await == Attempt::Later {
        tracing::error!(event = %event.metadata.name, "an event could not be written: no more tries");
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attempt {
    /// Written; what the server has made of it.
    Done(Box<Event>),
    /// Not worth another try.
    GivenUp,
    /// To be tried again.
    Later,
}

pub(super) async fn attempt<S: EventSink>(sink: &S, event: &Event, limit: Duration) -> Attempt {
    let error = match tokio::time::timeout(limit, write(sink, event)).await {
        Ok(Ok(written)) => return Attempt::Done(Box::new(written)),
        Ok(Err(error)) => error,
        Err(_) => {
            tracing::warn!(event = %event.metadata.name, ?limit, "an event could not be written yet: no answer in time");
            return Attempt::Later;
        }
    };
    match Failure::of(&error) {
        // Between the patch that found nothing and the create, the first event of the series has come into being.
        Failure::AlreadyExists if event.series.is_some() => Attempt::Later,
        Failure::AlreadyExists | Failure::Unwanted => {
            tracing::debug!(event = %event.metadata.name, %error, "the server does not want an event");
            Attempt::GivenUp
        }
        Failure::Refused | Failure::NotFound => {
            tracing::error!(event = %event.metadata.name, %error, "an event was refused");
            Attempt::GivenUp
        }
        Failure::Unclear => {
            tracing::warn!(event = %event.metadata.name, %error, "an event could not be written yet");
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

/// The series and nothing else.
fn series_patch(event: &Event) -> Option<Patch> {
    let series = event.series.as_ref()?;
    let last = Json::from(series.last_observed_time.map(|last| last.to_string()));
    Some(Patch::Strategic(json!({"series": {"count": (series.count), "lastObservedTime": last}})))
}
