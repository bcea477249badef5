//! Patches from two states of a typed object.

use crate::Json;
use crate::object::Object;
use crate::patch::{Patch, merge_patch};
use crate::wire::{DecodeError, Format, Payload};

/// Patches from two states of an object.
impl Patch {
    /// A merge patch with the changes from one state of an object to another: controller-runtime's `MergeFrom`.
    ///
    /// Take a copy, change it, and send the difference. Fields that you do not change stay as the server has them, so other clients
    /// may write them at the same time. A list is replaced as a whole, as in every merge patch; see
    /// [`merge_from_version`](Self::merge_from_version) for objects in which that could lose changes.
    ///
    /// ```
    /// use client_rs_machinery::patch::Patch;
    /// use client_rs_machinery::{Unstructured, json};
    ///
    /// let mut before = Unstructured::new("example.com/v1", "Shop", "web");
    /// before.set_nested(&["spec"], json!({"replicas": 1, "paused": true}))?;
    /// let mut after = before.clone();
    /// after.set_nested(&["spec", "replicas"], 3)?;
    /// assert_eq!(Patch::merge_from(&before, &after)?.body(), br#"{"spec":{"replicas":3}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a state has a JSON form that is not valid, which only a hand-written [`Payload`] can cause.
    pub fn merge_from<K: Payload>(original: &K, modified: &K) -> Result<Self, DecodeError> {
        Ok(Self::Merge(difference(original, modified)?))
    }

    /// Like [`merge_from`](Self::merge_from), for exactly the version that `original` has: the server refuses the patch with a
    /// conflict if the object has changed since. controller-runtime's `MergeFromWithOptimisticLock`.
    ///
    /// ```
    /// use client_rs_machinery::patch::Patch;
    /// use client_rs_machinery::{Unstructured, json};
    ///
    /// let mut before = Unstructured::new("example.com/v1", "Shop", "web");
    /// before.set_nested(&["metadata", "resourceVersion"], "7")?;
    /// let mut after = before.clone();
    /// after.set_nested(&["spec", "replicas"], 3)?;
    /// let patch = Patch::merge_from_version(&before, &after)?;
    /// assert_eq!(patch.body(), br#"{"metadata":{"resourceVersion":"7"},"spec":{"replicas":3}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`merge_from`](Self::merge_from).
    pub fn merge_from_version<K: Payload + Object>(original: &K, modified: &K) -> Result<Self, DecodeError> {
        let mut patch = difference(original, modified)?;
        // It can't fail: the difference of two objects is an object, whose `metadata` is one too.
        let _ = patch.set(&["metadata", "resourceVersion"], original.resource_version());
        Ok(Self::Merge(patch))
    }
}

fn difference<K: Payload>(original: &K, modified: &K) -> Result<Json, DecodeError> {
    let json = |object: &K| Json::parse(&object.encode(Format::Json));
    Ok(merge_patch::diff(&json(original)?, &json(modified)?))
}
