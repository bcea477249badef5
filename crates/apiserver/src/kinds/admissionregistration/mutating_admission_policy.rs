//! `MutatingAdmissionPolicy`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use super::expressions::{Expressions, Use};
use super::matching;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, ParamRights, Rights};
use crate::kinds::shared::checks::{at, list, one_of, required, text};
use crate::kinds::shared::defaulting::default;

pub(super) const RULES: KindRules = KindRules {
    plural: "mutatingadmissionpolicies",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    rights: Rights::params(ParamRights::Kind),
    defaults,
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Mutations", "Number of mutations.", |object, _| {
        columns::list(columns::at(object, &["spec", "mutations"])).count().into()
    }),
    columns::text("ParamKind", "Kind of the parameters.", |object, _| {
        let kind = columns::at(object, &["spec", "paramKind"]);
        if kind.is_null() {
            return "<unset>".into();
        }
        format!(
            "{}/{}",
            kind["apiVersion"].as_str().unwrap_or_default(),
            kind["kind"].as_str().unwrap_or_default()
        )
        .into()
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    let Some(spec) = matching::existing(object, "spec") else { return };
    default(spec, "failurePolicy", "Fail");
    matching::default_resources(spec, "matchConstraints");
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    one_of(spec, "spec", "failurePolicy", &["Fail", "Ignore"], errors);
    matching::param_kind(&spec["paramKind"], "spec.paramKind", errors);
    matching::constraints(spec, errors);
    matching::mutable(&spec["matchConstraints"], "spec.matchConstraints", errors);
    let params = !spec["paramKind"].is_null();
    matching::conditions(&spec["matchConditions"], "spec.matchConditions", params, errors);
    let mut expressions = Expressions::with_variables(params);
    matching::variables(spec, &mut expressions, errors);
    if list(&spec["mutations"]).next().is_none() {
        errors.push(FieldError::required("spec.mutations", "mutations must contain at least one item"));
    }
    for (index, mutation) in list(&spec["mutations"]).enumerate() {
        check_mutation(mutation, &format!("spec.mutations[{index}]"), &expressions, errors);
    }
    if required(spec, "spec", "reinvocationPolicy", errors) {
        one_of(spec, "spec", "reinvocationPolicy", &["IfNeeded", "Never"], errors);
    }
}

fn check_mutation(mutation: &Json, path: &str, expressions: &Expressions, errors: &mut Errors) {
    let (own, other, to) = match text(&mutation["patchType"]) {
        "" => return errors.push(FieldError::required(format!("{path}.patchType"), "")),
        "JSONPatch" => ("jsonPatch", "applyConfiguration", Use::JsonPatch),
        "ApplyConfiguration" => ("applyConfiguration", "jsonPatch", Use::ApplyConfiguration),
        unknown => {
            let at = format!("{path}.patchType");
            let known = ["ApplyConfiguration", "JSONPatch"];
            return errors.push(FieldError::not_supported(at, unknown, &known));
        }
    };
    let kind = text(&mutation["patchType"]);
    if mutation[own].is_null() {
        let why = format!("must be specified when patchType is {kind}");
        errors.push(FieldError::required(format!("{path}.{own}"), why));
    } else {
        let (at, expression) =
            (format!("{path}.{own}.expression"), text(&mutation[own]["expression"]).trim());
        if expression.is_empty() {
            errors.push(FieldError::required(at, ""));
        } else if let Err(error) = expressions.compile(expression, to) {
            error.report(at, expression, errors);
        }
    }
    if !mutation[other].is_null() {
        let why = format!("must not be specified when patchType is {kind}");
        errors.push(FieldError::invalid(format!("{path}.{other}"), &format!("{{{other}}}"), why));
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn mutations_are_validated() {
        let of = |mutation: Json| {
            let mut errors = Vec::new();
            check_mutation(&mutation, "m", &Expressions::with_variables(false), &mut errors);
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let applies = json!({"expression": "Object{spec: Object.spec{replicas: 1}}"});
        assert!(
            of(json!({"patchType": "ApplyConfiguration", "applyConfiguration": applies.clone()})).is_empty()
        );
        assert_eq!(of(json!({})), ["m.patchType: Required value"]);
        assert_eq!(
            of(json!({"patchType": "JSONPatch", "applyConfiguration": applies})),
            [
                "m.jsonPatch: Required value: must be specified when patchType is JSONPatch",
                "m.applyConfiguration: Invalid value: \"{applyConfiguration}\": must not be specified when patchType is \
                 JSONPatch",
            ]
        );
        assert_eq!(
            of(json!({"patchType": "JSONPatch", "jsonPatch": {"expression": "[1]"}})),
            [
                "m.jsonPatch.expression: Invalid value: \"[1]\": must evaluate to list(JSONPatch) but got list(int)"
            ]
        );
    }
}
