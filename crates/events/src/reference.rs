//! References to the objects of events.

use client_rs_api::core::v1::ObjectReference;
use client_rs_machinery::Object;

/// A reference to an object: converted from the object itself, or built by hand.
///
/// ```
/// use client_rs_api::core::v1::{ObjectReference, Pod};
/// use client_rs_events::Reference;
/// use client_rs_machinery::meta::v1::ObjectMeta;
///
/// let pod = Pod { metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
/// let container = Reference::from(&pod).field_path("spec.containers{app}");
/// assert_eq!(container.as_ref().kind, "Pod");
/// let by_hand = Reference::from(ObjectReference { kind: "Disk".into(), ..ObjectReference::EMPTY });
/// assert!(by_hand.checked().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    reference: ObjectReference,
    by_hand: bool,
}

/// The error for an object without a kind or version, which nothing can refer to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the object {name:?} has no kind or version, so an event can't refer to it")]
#[non_exhaustive]
pub struct ReferenceError {
    /// The object's name.
    pub name: String,
}

impl Reference {
    /// Refers to a part of the object, such as `spec.containers{app}`.
    #[must_use]
    pub fn field_path(mut self, path: &str) -> Self {
        self.reference.field_path = path.into();
        self
    }

    /// Returns the reference if the object has a kind and version. A reference that was built by hand is not checked.
    pub fn checked(self) -> Result<ObjectReference, ReferenceError> {
        let complete = !self.reference.kind.is_empty() && !self.reference.api_version.is_empty();
        if self.by_hand || complete {
            Ok(self.reference)
        } else {
            Err(ReferenceError { name: self.reference.name.as_str().to_owned() })
        }
    }
}

impl AsRef<ObjectReference> for Reference {
    fn as_ref(&self) -> &ObjectReference {
        &self.reference
    }
}

impl<K: Object + ?Sized> From<&K> for Reference {
    fn from(object: &K) -> Self {
        let reference = ObjectReference {
            kind: object.kind().into(),
            api_version: object.api_version().into(),
            namespace: object.namespace().into(),
            name: object.name().into(),
            uid: object.uid().into(),
            resource_version: object.resource_version().into(),
            ..ObjectReference::EMPTY
        };
        Self { reference, by_hand: false }
    }
}

impl From<ObjectReference> for Reference {
    fn from(reference: ObjectReference) -> Self {
        Self { reference, by_hand: true }
    }
}
