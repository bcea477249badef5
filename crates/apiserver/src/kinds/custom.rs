//! The entry of custom resources: what all of them share. What one of them has of its own is in its definition, which
//! [`Rules::Custom`](super::Rules::Custom) holds.

use client_rs_machinery::Unstructured;

use super::columns::NAME;
use super::rules::{Generation, KindRules, StatusRules, Subresource};
use super::shared::fields::{present, reset};
use crate::custom::Custom;

pub(super) const RULES: KindRules = KindRules {
    generation: Generation::Content,
    unconditional_update: false,
    plain_finalizers: true,
    own_labels: true,
    columns: Some(&[NAME]),
    subresources: &[Subresource::SCALE],
    status: StatusRules { prepare: prepare_status, ..StatusRules::RESETS_METADATA },
    warnings: Custom::finalizer_warnings,
    ..KindRules::DEFAULT
};

/// Takes nothing but the status, not even labels, and who owns what of it.
fn prepare_status(new: &mut Unstructured, old: &Unstructured) {
    let status = new.object.get("status").cloned();
    let managed = present(new, &["metadata", "managedFields"]).cloned();
    *new = old.clone();
    reset(new, "status", status.as_ref());
    if let Some(managed) = managed {
        drop(new.set_nested(&["metadata", "managedFields"], managed));
    }
}
