//! `Lease`.

use client_rs_machinery::Unstructured;

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Feature, KindRules};
use crate::kinds::shared::checks::{at, not_negative, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "leases",
    feature: Some(Feature { resource: "leasecandidates", fields: &["strategy", "preferredHolder"] }),
    columns: Some(COLUMNS),
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Holder", "Identity of the holder.", |object, _| {
        columns::at(object, &["spec", "holderIdentity"]).clone()
    }),
    columns::AGE,
];

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let duration = &spec["leaseDurationSeconds"];
    if duration.as_i64().is_some_and(|seconds| seconds <= 0) {
        wrong("spec.leaseDurationSeconds", duration, "must be greater than 0", errors);
    }
    not_negative(spec, "spec", &["leaseTransitions"], errors);
}
