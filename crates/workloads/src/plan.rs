//! The decision of a controller. It is a value, so that it can be tested without a server.

use std::time::Duration;

use client_rs_client::api::Propagation;
use client_rs_events::EventType;
use client_rs_machinery::wire::{DecodeError, Message};
use client_rs_machinery::{Object, ObjectKey, Str, Unstructured};

use crate::kind::Kind;

/// The steps of one run, in their order, and when the object has to be looked at again without a change.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) again: Option<Duration>,
}

/// One write or one event.
#[derive(Debug)]
pub(crate) enum Step {
    /// Creates an object. `{name}` in the note is the name that it got.
    Create { of: &'static Kind, object: Unstructured, note: Option<Note> },
    /// Replaces an object, or its status only.
    Update { of: &'static Kind, object: Unstructured, status: bool },
    /// Replaces an object that the object of the key adopts. No step of the plan is made if the latter is being deleted by now:
    /// what it orphans must not be adopted again.
    Adopt { of: &'static Kind, object: Unstructured },
    /// Deletes an object, if it is still the one with this UID.
    Delete { of: &'static Kind, key: ObjectKey, uid: Str, dependents: Propagation, note: Option<Note> },
    /// Records an event.
    Tell(Note),
}

/// An event about the object of the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) event_type: EventType,
    pub(crate) reason: &'static str,
    pub(crate) message: String,
}

impl Note {
    pub(crate) fn normal(reason: &'static str, message: impl Into<String>) -> Self {
        Self { event_type: EventType::Normal, reason, message: message.into() }
    }

    pub(crate) fn warning(reason: &'static str, message: impl Into<String>) -> Self {
        Self { event_type: EventType::Warning, reason, message: message.into() }
    }
}

impl Plan {
    /// Adds the creation of an object.
    pub(crate) fn create<M: Message>(
        &mut self,
        of: &'static Kind,
        object: &M,
        note: Option<Note>,
    ) -> Result<(), DecodeError> {
        self.steps.push(Step::Create { of, object: Unstructured::from_message(object)?, note });
        Ok(())
    }

    /// Adds the creation of a pod, with the events of most controllers.
    pub(crate) fn create_pod<M: Message>(&mut self, pod: &M) -> Result<(), DecodeError> {
        self.create(&crate::kind::POD, pod, Some(Note::normal("SuccessfulCreate", "Created pod: {name}")))
    }

    /// Adds an update of an object.
    pub(crate) fn update<M: Message>(&mut self, of: &'static Kind, object: &M) -> Result<(), DecodeError> {
        let object = Unstructured::from_message(object)?;
        self.steps.push(Step::Update { of, object, status: false });
        Ok(())
    }

    /// Adds an update of the status of an object.
    pub(crate) fn status<M: Message>(&mut self, of: &'static Kind, object: &M) -> Result<(), DecodeError> {
        let object = Unstructured::from_message(object)?;
        self.steps.push(Step::Update { of, object, status: true });
        Ok(())
    }

    /// Adds the deletion of an object.
    pub(crate) fn delete(&mut self, of: &'static Kind, object: &dyn Object, note: Option<Note>) {
        self.steps.push(Step::Delete {
            of,
            key: object.key(),
            uid: object.uid().into(),
            dependents: Propagation::Background,
            note,
        });
    }

    /// Adds the deletion of a pod, with the event of most controllers.
    pub(crate) fn delete_pod(&mut self, pod: &dyn Object) {
        let note = Note::normal("SuccessfulDelete", format!("Deleted pod: {}", pod.name()));
        self.delete(&crate::kind::POD, pod, Some(note));
    }

    /// Adds an event.
    pub(crate) fn tell(&mut self, note: Note) {
        self.steps.push(Step::Tell(note));
    }

    /// Keeps only the updates of a status.
    pub(crate) fn only_status(mut self) -> Self {
        self.steps.retain(|step| matches!(step, Step::Update { status: true, .. }));
        self
    }

    /// Looks at the object again after this time at the latest.
    pub(crate) fn again_in(&mut self, time: Duration) {
        self.again = Some(self.again.map_or(time, |known| known.min(time)));
    }
}

/// For tests: the names of created (by generated name), deleted, updated objects, and the reasons of events.
#[cfg(test)]
impl Plan {
    pub(crate) fn created(&self, of: &'static Kind) -> Vec<&Unstructured> {
        let created = self.steps.iter().filter_map(|step| match step {
            Step::Create { of: kind, object, .. } if *kind == of => Some(object),
            _ => None,
        });
        created.collect()
    }

    pub(crate) fn deleted(&self, of: &'static Kind) -> Vec<&str> {
        let deleted = self.steps.iter().filter_map(|step| match step {
            Step::Delete { of: kind, key, .. } if *kind == of => Some(&*key.name),
            _ => None,
        });
        deleted.collect()
    }

    pub(crate) fn updated(&self, of: &'static Kind) -> Vec<&Unstructured> {
        let updated = self.steps.iter().filter_map(|step| match step {
            Step::Update { of: kind, object, status: false } | Step::Adopt { of: kind, object }
                if *kind == of =>
            {
                Some(object)
            }
            _ => None,
        });
        updated.collect()
    }

    /// The object of the only update of a status.
    pub(crate) fn new_status<M: Message>(&self) -> Option<M> {
        let mut all = self.steps.iter().filter_map(|step| match step {
            Step::Update { object, status: true, .. } => Some(object),
            _ => None,
        });
        let one = all.next();
        assert!(all.next().is_none(), "two updates of a status in one plan: {self:?}");
        one.map(|object| object.to_message().expect("a plan has objects of their types"))
    }

    pub(crate) fn reasons(&self) -> Vec<&str> {
        let notes = self.steps.iter().filter_map(|step| match step {
            Step::Tell(note) => Some(note.reason),
            _ => None,
        });
        notes.collect()
    }
}
