//! The newer API if the server has it, otherwise the older one.

use std::fmt::Display;

use client_rs_client::{Error, Request, RestClient};

use super::broadcaster::{EventBroadcaster, StartError};
use super::recorder::EventRecorder;
use super::sink::RestEventSink;
use crate::record;
use crate::{EventType, Reference};

/// Records to `events.k8s.io/v1` if the server serves it, otherwise to `core/v1`.
#[derive(Clone, Debug)]
pub struct EventBroadcasterAdapter {
    client: RestClient,
    newer: Option<EventBroadcaster>,
    older: record::EventBroadcaster,
}

impl EventBroadcasterAdapter {
    /// Asks the server which API it has. If the request fails, the older API is used.
    pub async fn new(client: RestClient) -> Self {
        let served = client.send_raw(Request::get().abs_path(["apis", "events.k8s.io", "v1"])).await;
        if let Err(error) = &served {
            log_unless_absent(error);
        }
        Self {
            client,
            newer: served.ok().map(|_| EventBroadcaster::new()),
            older: record::EventBroadcaster::new(),
        }
    }

    /// Starts to send the events of its recorders.
    pub fn start_recording_to_sink(&self) -> Result<(), StartError> {
        if let Some(newer) = &self.newer {
            newer.start_recording_to_sink(RestEventSink::new(self.client.clone()))?;
        }
        self.older.start_recording_to_sink(record::RestEventSink::new(self.client.clone()))?;
        Ok(())
    }

    /// A recorder for a controller, of the newer API if the server has it.
    pub fn recorder(&self, controller: &str) -> AdaptedRecorder {
        match &self.newer {
            Some(newer) => AdaptedRecorder::EventsV1(newer.recorder(controller)),
            None => AdaptedRecorder::CoreV1(self.older_recorder(controller)),
        }
    }

    /// A recorder of the older API, on every server.
    pub fn older_recorder(&self, component: &str) -> record::EventRecorder {
        self.older.recorder(component, "")
    }

    /// Shuts both broadcasters down.
    pub async fn shutdown(&self) {
        let newer = async {
            if let Some(newer) = &self.newer {
                newer.shutdown().await;
            }
        };
        tokio::join!(newer, self.older.shutdown());
    }
}

/// A recorder of one of the two APIs.
#[derive(Clone, Debug)]
pub enum AdaptedRecorder {
    /// Of `core/v1`: related object and action are left out.
    CoreV1(record::EventRecorder),
    /// Of `events.k8s.io/v1`.
    EventsV1(EventRecorder),
}

impl AdaptedRecorder {
    /// Records an event of an object: see [`EventRecorder::event`].
    pub fn event(
        &self,
        regarding: impl Into<Reference>,
        related: Option<Reference>,
        event_type: EventType,
        reason: &str,
        action: &str,
        note: impl Display,
    ) {
        match self {
            Self::CoreV1(recorder) => recorder.event(regarding, event_type, reason, note),
            Self::EventsV1(recorder) => recorder.event(regarding, related, event_type, reason, action, note),
        }
    }
}

fn log_unless_absent(error: &Error) {
    if !error.is_not_found() {
        tracing::warn!(%error, "can't find out whether the server has events.k8s.io/v1; using core/v1");
    }
}
