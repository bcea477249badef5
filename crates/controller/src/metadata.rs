//! Finalizers and owners in the metadata of an object that is about to be written: controller-runtime's `controllerutil`.

use client_rs_machinery::Object;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::{self, ReferenceError};

/// Whether an object has a finalizer.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_controller::{add_finalizer, has_finalizer, remove_finalizer};
///
/// let mut map = ConfigMap::EMPTY;
/// assert!(add_finalizer(&mut map.metadata, "example.com/bucket"));
/// assert!(!add_finalizer(&mut map.metadata, "example.com/bucket"), "it has it already");
/// assert!(has_finalizer(&map, "example.com/bucket"));
/// assert!(remove_finalizer(&mut map.metadata, "example.com/bucket"));
/// assert!(!has_finalizer(&map, "example.com/bucket"));
/// ```
pub fn has_finalizer(object: &dyn Object, name: &str) -> bool {
    object.meta().finalizers().any(|own| own == name)
}

/// Adds a finalizer, at the end. Returns whether it was missing. It changes only this metadata: write the object then. See
/// [`finalizer()`](crate::finalizer()) for the whole cycle.
pub fn add_finalizer(metadata: &mut ObjectMeta, name: &str) -> bool {
    let missing = !metadata.finalizers.iter().any(|own| own == name);
    if missing {
        metadata.finalizers.push(name.into());
    }
    missing
}

/// Removes a finalizer. Returns whether it was there. It changes only this metadata: write the object then.
pub fn remove_finalizer(metadata: &mut ObjectMeta, name: &str) -> bool {
    let before = metadata.finalizers.len();
    metadata.finalizers.retain(|own| own != name);
    metadata.finalizers.len() < before
}

/// Makes `owner` the controller of an object: it is deleted with its owner, and [`Controller::owns`](crate::Controller::owns) maps its
/// changes to the owner. The entry of the same owner is replaced.
///
/// # Errors
///
/// [`ReferenceError`] if the owner was not read from a server, is in another namespace, or if the object has another controller.
///
/// ```
/// use client_rs_api::core::v1::{ConfigMap, Secret};
/// use client_rs_controller::{has_owner, set_controller, set_owner, unset_owner};
///
/// let mut owner = ConfigMap::EMPTY;
/// (owner.metadata.name, owner.metadata.uid) = ("app".into(), "u-1".into());
/// let mut child = Secret::EMPTY;
/// set_controller(&mut child.metadata, &owner)?;
/// assert!(has_owner(&child, &owner));
/// let mut other = owner.clone();
/// other.metadata.uid = "u-2".into();
/// assert!(set_controller(&mut child.metadata, &other).is_err(), "an object has one controller");
/// set_owner(&mut child.metadata, &other)?; // Several objects may own it.
/// assert!(unset_owner(&mut child.metadata, &owner) && !has_owner(&child, &owner));
/// # Ok::<(), client_rs_machinery::references::ReferenceError>(())
/// ```
pub fn set_controller(metadata: &mut ObjectMeta, owner: &dyn Object) -> Result<(), ReferenceError> {
    let reference = references::controller_reference(owner)?;
    references::add_owner(&mut metadata.owner_references, &metadata.namespace, owner, reference)
}

/// Adds an owner that is not the controller: the object is deleted when its last owner is. The entry of the same owner is replaced.
///
/// # Errors
///
/// [`ReferenceError`] if the owner was not read from a server, or is in another namespace.
pub fn set_owner(metadata: &mut ObjectMeta, owner: &dyn Object) -> Result<(), ReferenceError> {
    let reference = references::owner_reference(owner)?;
    references::add_owner(&mut metadata.owner_references, &metadata.namespace, owner, reference)
}

/// Removes an owner, controller or not. Returns whether it was one.
pub fn unset_owner(metadata: &mut ObjectMeta, owner: &dyn Object) -> bool {
    references::remove_owner(&mut metadata.owner_references, owner.uid())
}

/// Whether `owner` is among the owners of an object, controller or not. For the controller see
/// [`controls`](client_rs_machinery::references::controls).
pub fn has_owner(object: &dyn Object, owner: &dyn Object) -> bool {
    !owner.uid().is_empty() && object.meta().owner_references().any(|known| known.uid == owner.uid())
}
