//! `ValidatingAdmissionPolicyBinding`.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use super::matching;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, ParamRights, Rights};
use crate::kinds::shared::checks::{at, list, text};

const ACTIONS: [&str; 3] = ["Audit", "Deny", "Warn"];

pub(super) const RULES: KindRules = KindRules {
    plural: "validatingadmissionpolicybindings",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    rights: Rights::params(ParamRights::Reference { policies: "validatingadmissionpolicies" }),
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
    actions(&spec["validationActions"], "spec.validationActions", errors);
}

fn actions(actions: &Json, path: &str, errors: &mut Errors) {
    let mut known = HashSet::new();
    for (index, action) in list(actions).map(text).enumerate() {
        let at = format!("{path}[{index}]");
        if !ACTIONS.contains(&action) {
            errors.push(FieldError::not_supported(at.clone(), action, &ACTIONS));
        }
        if !known.insert(action) {
            errors.push(FieldError::duplicate(at, action));
        }
    }
    if known.contains("Deny") && known.contains("Warn") {
        let why = "must not contain both Deny and Warn (repeating the same validation failure information in the API \
                   response and headers serves no purpose)";
        errors.push(FieldError::invalid_json(path, actions.to_string(), why));
    }
    if known.is_empty() {
        errors.push(FieldError::required(path, "at least one validation action is required"));
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn actions_are_validated() {
        let of = |given: Json| {
            let mut errors = Vec::new();
            actions(&given, "a", &mut errors);
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(of(json!(["Deny", "Audit"])).is_empty());
        assert_eq!(of(json!([])), ["a: Required value: at least one validation action is required"]);
        assert_eq!(of(json!(["Warn", "Warn"])), ["a[1]: Duplicate value: \"Warn\""]);
        assert!(of(json!(["Deny", "Warn"]))[0].contains("must not contain both Deny and Warn"));
    }
}
