//! `MutatingAdmissionPolicyBinding`.

use client_rs_machinery::{Json, Map, Unstructured};

use super::matching;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, ParamRights, Rights};
use crate::kinds::shared::checks::at;

pub(super) const RULES: KindRules = KindRules {
    plural: "mutatingadmissionpolicybindings",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    rights: Rights::params(ParamRights::Reference { policies: "mutatingadmissionpolicies" }),
    defaults,
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("PolicyName", "Policy that is bound.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "policyName"]))
    }),
    columns::text("ParamRef", "Object with the parameters.", |object, _| {
        let reference = columns::at(object, &["spec", "paramRef"]);
        let part = |field: &str| reference[field].as_str().unwrap_or_default();
        match (reference.is_null(), part("name").is_empty(), part("namespace").is_empty()) {
            (true, ..) => "<unset>".into(),
            (_, true, _) => columns::selector(&reference["selector"]),
            (_, _, true) => format!("*/{}", part("name")).into(),
            _ => format!("{}/{}", part("namespace"), part("name")).into(),
        }
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    if let Some(spec) = matching::existing(object, "spec") {
        matching::default_resources(spec, "matchResources");
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    matching::policy_name(spec, errors);
    matching::param_ref(&spec["paramRef"], "spec.paramRef", errors);
    matching::resources(&spec["matchResources"], "spec.matchResources", errors);
    matching::mutable(&spec["matchResources"], "spec.matchResources", errors);
}
