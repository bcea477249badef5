//! The shared entry of custom resources. The parts that differ are in the definition, in
//! [`Rules::Custom`](super::Rules::Custom).

use client_rs_machinery::{Time, Unstructured};

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

/// Takes only the status and its managed fields from an update, and no labels.
fn prepare_status(new: &mut Unstructured, old: &Unstructured, _: Time) {
    let status = new.object.get("status").cloned();
    let managed = present(new, &["metadata", "managedFields"]).cloned();
    *new = old.clone();
    reset(new, "status", status.as_ref());
    if let Some(managed) = managed {
        drop(new.set_nested(&["metadata", "managedFields"], managed));
    }
}
