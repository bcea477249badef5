//! Delivery of one event to the server, with retries.

use std::time::Duration;

use client_rs_api::core::v1::Event;
use client_rs_client::Error;
use client_rs_machinery::Str;
use client_rs_machinery::patch::Patch;
use tokio_util::sync::CancellationToken;

use super::correlator::{Correlated, EventCorrelator};
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

pub(super) async fn deliver<S: EventSink>(
    sink: &S,
    correlator: &mut EventCorrelator,
    correlated: Correlated,
    patience: &Patience,
) {
    let (mut event, patch) = match correlated {
        Correlated::Skip => return,
        Correlated::Create(event) => (event, None),
        Correlated::Patch(event, patch) => (event, Some(patch)),
    };
    let mut tries = 0;
    while !attempt(sink, correlator, &mut event, patch.as_ref(), patience.limit).await {
        tries += 1;
        if tries >= patience.max_tries {
            tracing::error!(event = %event.metadata.name, tries, "could not write an event: no more attempts");
            return;
        }
        // The first pause is random, so that clients do not retry at the same time.
        let sleep = if tries == 1 { patience.sleep.mul_f64(fastrand::f64()) } else { patience.sleep };
        tokio::select! {
            biased;
            () = patience.closing.cancelled() => {
                tracing::error!(event = %event.metadata.name, "could not write an event before the shutdown");
                return;
            }
            () = tokio::time::sleep(sleep) => {}
        }
    }
}

/// Returns whether the event is finished: written, or refused.
async fn attempt<S: EventSink>(
    sink: &S,
    correlator: &mut EventCorrelator,
    event: &mut Event,
    patch: Option<&Patch>,
    limit: Duration,
) -> bool {
    let Ok(written) = tokio::time::timeout(limit, write(sink, event, patch)).await else {
        tracing::warn!(event = %event.metadata.name, ?limit, "could not write an event: the request timed out");
        return false;
    };
    match written {
        Ok(written) => {
            correlator.update_state(&written);
            true
        }
        Err(error) => match Failure::of(&error) {
            Failure::AlreadyExists | Failure::Unwanted => {
                tracing::debug!(event = %event.metadata.name, %error, "skipped an event: its namespace is being deleted");
                true
            }
            Failure::Refused | Failure::NotFound => {
                tracing::error!(event = %event.metadata.name, %error, "server refused an event");
                true
            }
            Failure::Unclear => {
                tracing::warn!(event = %event.metadata.name, %error, "could not write an event; retrying");
                false
            }
        },
    }
}

async fn write<S: EventSink>(sink: &S, event: &mut Event, patch: Option<&Patch>) -> Result<Event, Error> {
    if let Some(patch) = patch {
        match sink.patch(event, patch).await {
            Err(error) if Failure::of(&error) == Failure::NotFound => {}
            outcome => return outcome,
        }
    }
    event.metadata.resource_version = Str::EMPTY;
    sink.create(event).await
}
