//! `MutatingAdmissionPolicyBinding`.

use client_rs_machinery::{Json, Map, Unstructured};

use super::matching;
use crate::kinds::rules::{Errors, Generation, KindRules, ParamRights, Rights};
use crate::kinds::shared::checks::at;

pub(super) const RULES: KindRules = KindRules {
    plural: "mutatingadmissionpolicybindings",
    generation: Generation::SPEC,
    rights: Rights::params(ParamRights::Reference { policies: "mutatingadmissionpolicies" }),
    defaults,
    validate,
    ..super::SHARED
};

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
