//! `ValidatingAdmissionPolicy`.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, validation};

use super::expressions::{Expressions, Use};
use super::matching;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, ParamRights, Rights};
use crate::kinds::shared::checks::{at, invalid, list, one_of, text};
use crate::kinds::shared::defaulting::default;

/// The maximum number of audit annotations.
const ANNOTATIONS_MAX: usize = 20;
/// The maximum number of bytes of the expression of an audit annotation.
const ANNOTATION_MAX: usize = 5 * 1024;

pub(super) const RULES: KindRules = KindRules {
    plural: "validatingadmissionpolicies",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    rights: Rights::params(ParamRights::Kind),
    defaults,
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Validations", "Number of validations.", |object, _| {
        columns::list(columns::at(object, &["spec", "validations"])).count().into()
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
    let params = !spec["paramKind"].is_null();
    matching::conditions(&spec["matchConditions"], "spec.matchConditions", params, errors);
    let composed = list(&spec["variables"]).next().is_some();
    let mut expressions =
        if composed { Expressions::with_variables(params) } else { Expressions::new(params) };
    matching::variables(spec, &mut expressions, errors);
    let (validations, annotations) = (&spec["validations"], &spec["auditAnnotations"]);
    if list(validations).next().is_none() && list(annotations).next().is_none() {
        let why = "validations or auditAnnotations must contain at least one item";
        errors.push(FieldError::required("spec.validations", why));
        errors.push(FieldError::required("spec.auditAnnotations", why));
        return;
    }
    for (index, validation) in list(validations).enumerate() {
        check_validation(validation, &format!("spec.validations[{index}]"), &expressions, errors);
    }
    let count = list(annotations).count();
    if count > ANNOTATIONS_MAX {
        let why = format!("must not have more than {ANNOTATIONS_MAX} auditAnnotations");
        errors.push(FieldError::invalid_json("spec.auditAnnotations", annotations.to_string(), why));
    }
    let mut keys = HashSet::new();
    for (index, annotation) in list(annotations).enumerate() {
        let path = format!("spec.auditAnnotations[{index}]");
        check_annotation(object.name(), annotation, &path, &expressions, errors);
        let key = text(&annotation["key"]);
        if !keys.insert(key) {
            errors.push(FieldError::duplicate(format!("{path}.key"), key));
        }
    }
}

fn check_validation(validation: &Json, path: &str, expressions: &Expressions, errors: &mut Errors) {
    let expression = text(&validation["expression"]);
    if expression.trim().is_empty() {
        let why = "expression is not specified";
        errors.push(FieldError::required(format!("{path}.expression"), why));
    } else if let Err(error) = expressions.compile(expression, Use::Condition) {
        error.report(format!("{path}.expression"), expression, errors);
    }
    let expression = text(&validation["messageExpression"]);
    let at = format!("{path}.messageExpression");
    if !expression.is_empty() && expression.trim().is_empty() {
        errors.push(FieldError::invalid(at, expression, "must be non-empty if specified"));
    } else if !expression.is_empty()
        && let Err(error) = expressions.compile(expression, Use::Message)
    {
        error.report(at, expression, errors);
    }
    let message = text(&validation["message"]);
    let at = format!("{path}.message");
    if !message.is_empty() && message.trim().is_empty() {
        errors.push(FieldError::invalid(at, message, "must be non-empty if specified"));
    } else if message.trim().contains(['\n', '\r']) {
        errors.push(FieldError::invalid(at, message, "must not contain line breaks"));
    }
    let reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
    one_of(validation, path, "reason", &reasons, errors);
}

fn check_annotation(
    policy: &str,
    annotation: &Json,
    path: &str,
    expressions: &Expressions,
    errors: &mut Errors,
) {
    let (at, key) = (format!("{path}.key"), text(&annotation["key"]));
    if policy.is_empty() {
        errors.push(FieldError::invalid(at, key, "requires metadata.name be non-empty"));
    } else {
        let name = format!("{policy}/{key}");
        invalid(&at, &name, validation::qualified_name(&name), errors);
    }
    let (at, given) = (format!("{path}.valueExpression"), text(&annotation["valueExpression"]));
    let expression = given.trim();
    if expression.is_empty() {
        errors.push(FieldError::required(at, "valueExpression is not specified"));
    } else if expression.len() > ANNOTATION_MAX {
        errors.push(FieldError::required(at, format!("must not exceed {ANNOTATION_MAX} bytes in length")));
    } else if let Err(error) = expressions.compile(expression, Use::Annotation) {
        error.report(at, given, errors);
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn errors_of(spec: Json) -> Vec<String> {
        let policy = json!({"metadata": {"name": "p"}, "spec": spec});
        let mut policy = Unstructured::try_from(policy).unwrap();
        defaults(&mut policy.object);
        let mut errors = Vec::new();
        validate(&policy, &mut errors);
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn mistakes_have_the_words_of_the_real_server() {
        let rules = json!({"resourceRules": [{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"],
        }]});
        assert!(
            errors_of(json!({"matchConstraints": rules.clone(), "validations": [{"expression": "true"}]}))
                .is_empty()
        );
        assert_eq!(
            errors_of(json!({})),
            [
                "spec.matchConstraints: Required value",
                "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
                "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item",
            ]
        );
        assert_eq!(
            errors_of(json!({"matchConstraints": rules.clone(), "validations": [
                {"expression": "object.x ==", "reason": "NotFound"},
                {"expression": "1", "message": " ", "messageExpression": "2"},
            ]}))[1..],
            [
                "spec.validations[0].reason: Unsupported value: \"NotFound\": supported values: \"Forbidden\", \
                 \"Invalid\", \"RequestEntityTooLarge\"",
                "spec.validations[1].expression: Invalid value: \"1\": must evaluate to bool but got int",
                "spec.validations[1].messageExpression: Invalid value: \"2\": must evaluate to string but got int",
                "spec.validations[1].message: Invalid value: \" \": must be non-empty if specified",
            ]
        );
        assert_eq!(
            errors_of(json!({"matchConstraints": rules, "auditAnnotations": [
                {"key": "a", "valueExpression": "1"}, {"key": "a", "valueExpression": "'x'"},
            ]})),
            [
                "spec.auditAnnotations[0].valueExpression: Invalid value: \"1\": must evaluate to one of [string \
                 null_type] but got int",
                "spec.auditAnnotations[1].key: Duplicate value: \"a\"",
            ]
        );
    }
}
