//! Who says what happened.

use std::fmt::Display;
use std::sync::Arc;

use client_rs_api::events::v1::Event;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Map, MicroTime, Str};

use super::broadcaster::Inner;
use crate::name::event_name;
use crate::{EventType, Reference};

/// Records events of one controller.
///
/// Recording never waits and never fails: an event is put into the broadcaster's queue, or dropped with a log line if
/// that is full, if the broadcaster has been shut down, or if the regarding object does not say what it is (a related
/// one that does not is left out). That an event reaches the server is not promised.
///
/// Cheap to clone. As long as a recorder lives, its broadcaster goes on.
#[derive(Clone, Debug)]
pub struct EventRecorder {
    controller: Str,
    instance: Str,
    inner: Arc<Inner>,
}

impl EventRecorder {
    pub(super) fn new(controller: &str, instance: &str, inner: Arc<Inner>) -> Self {
        Self { controller: controller.into(), instance: instance.into(), inner }
    }

    /// Something happened to an object, now.
    ///
    /// `related` is a second object where there is one; `reason` says why and `action` what was done or failed, both in
    /// `UpperCamelCase`; `note` is for people, and may be anything that displays, such as `format_args!(…)`.
    pub fn event(
        &self,
        regarding: impl Into<Reference>,
        related: Option<Reference>,
        event_type: EventType,
        reason: &str,
        action: &str,
        note: impl Display,
    ) {
        self.annotated_event(regarding, related, Map::EMPTY, event_type, reason, action, note);
    }

    /// The same with annotations on the event.
    #[allow(clippy::too_many_arguments)] // An event has as many parts.
    pub fn annotated_event(
        &self,
        regarding: impl Into<Reference>,
        related: Option<Reference>,
        annotations: Map<Str>,
        event_type: EventType,
        reason: &str,
        action: &str,
        note: impl Display,
    ) {
        let regarding = match regarding.into().checked() {
            Ok(regarding) => regarding,
            Err(error) => {
                tracing::error!(%error, %event_type, reason, "an event is not recorded");
                return;
            }
        };
        let now = self.inner.clock.now();
        let namespace =
            if regarding.namespace.is_empty() { Str::from("default") } else { regarding.namespace.clone() };
        let event = Event {
            metadata: ObjectMeta {
                name: event_name(&regarding.name, now),
                namespace,
                annotations,
                ..ObjectMeta::EMPTY
            },
            event_time: Some(MicroTime::from(now)),
            reporting_controller: self.controller.clone(),
            reporting_instance: self.instance.clone(),
            action: action.into(),
            reason: reason.into(),
            regarding: regarding.into(),
            related: related.and_then(|related| related.checked().ok()).map(Into::into),
            note: note.to_string().into(),
            type_: event_type.as_str().into(),
            ..Event::EMPTY
        };
        match self.inner.watchers.broadcaster.action_or_drop(Arc::new(event)) {
            // What is dropped is counted and logged there.
            Ok(_) => {}
            Err(error) => tracing::error!(%error, reason, "an event is not recorded"),
        }
    }
}
