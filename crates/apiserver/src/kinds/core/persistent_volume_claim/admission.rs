//! The real server's built-in admission of claims: the default storage class, limit ranges, expansion.

use client_rs_machinery::{ApiError, GroupResource, Json, Unstructured};

use super::{BETA_CLASS, RULES, class_of};
use crate::kinds::rules::{AdmissionPlugin, Touched, WriteContext, Written};
use crate::kinds::shared::checks::{at, quantity};
use crate::kinds::shared::classes;
use crate::kinds::shared::limits;

/// The annotations of the default storage class. The second one is old.
const IS_DEFAULT: &[&str] =
    &["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

/// Sets the default storage class of a new claim that names none.
pub(super) fn set_class(claim: &mut Unstructured, context: &dyn WriteContext) {
    if !context.runs(AdmissionPlugin::DefaultStorageClass) {
        return;
    }
    let named = !at(claim, "spec")["storageClassName"].is_null() || claim.annotation(BETA_CLASS).is_some();
    if !named
        && let Some(class) = classes::default_class(context, "storage.k8s.io", "storageclasses", IS_DEFAULT)
    {
        drop(claim.set_nested(&["spec", "storageClassName"], class));
    }
}

/// Refuses claims outside of the limit ranges, and expansions that the storage class does not allow.
pub(super) fn check(write: &Written<'_>, context: &dyn WriteContext) -> Result<(), ApiError> {
    if write.part != Touched::Whole || write.old.is_some_and(|old| old.deletion_timestamp().is_some()) {
        return Ok(());
    }
    limits::check_claim(write.new, context)?;
    match write.old {
        Some(old) => check_expansion(write.new, old, context),
        None => Ok(()),
    }
}

fn check_expansion(
    new: &Unstructured,
    old: &Unstructured,
    context: &dyn WriteContext,
) -> Result<(), ApiError> {
    let size = |claim: &Unstructured| quantity(&at(claim, "spec")["resources"]["requests"]["storage"]);
    if size(new).unwrap_or_default() <= size(old).unwrap_or_default() {
        return Ok(());
    }
    let refused = |why: &str| {
        Err(ApiError::forbidden(&GroupResource::new(RULES.group, RULES.plural), new.name(), why.to_owned()))
    };
    if at(old, "status")["phase"].as_str() != Some("Bound") {
        return refused("Only bound persistent volume claims can be expanded");
    }
    let (class, before) = (class_of(new), class_of(old));
    let found = context.find("storage.k8s.io", "storageclasses", "", class);
    let allowed =
        found.is_some_and(|class| class.object.get("allowVolumeExpansion") == Some(&Json::Bool(true)));
    if class.is_empty() || class != before || !allowed {
        return refused(
            "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must \
             support resize",
        );
    }
    Ok(())
}
