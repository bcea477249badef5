//! The parts of policies and bindings that select requests and parameters.

use std::collections::HashSet;

use client_rs_cel::is_identifier;
use client_rs_machinery::{FieldError, Json, Map, validation};

use super::expressions::{ExpressionError, Expressions, Use};
use super::webhooks;
use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{invalid, label_selector, list, one_of, text};
use crate::kinds::shared::defaulting::{default, items};

/// The maximum number of match conditions.
const CONDITIONS_MAX: usize = 64;
/// The operations that can be mutated.
const MUTABLE: [&str; 4] = ["*", "CONNECT", "CREATE", "UPDATE"];

/// The object at a key, if there is one.
pub(super) fn existing<'m>(map: &'m mut Map<Json>, key: &str) -> Option<&'m mut Map<Json>> {
    // A lookup first: it does not copy what is shared.
    map.get(key)?.as_map()?;
    map.get_mut(key)?.as_map_mut()
}

/// Sets the defaults of the resources that a policy or a binding matches.
pub(super) fn default_resources(holder: &mut Map<Json>, key: &str) {
    let Some(resources) = existing(holder, key) else { return };
    default(resources, "matchPolicy", "Equivalent");
    default(resources, "namespaceSelector", Json::EMPTY_MAP);
    default(resources, "objectSelector", Json::EMPTY_MAP);
    for rules in ["resourceRules", "excludeResourceRules"] {
        for rule in items(resources, rules) {
            default(rule, "scope", "*");
        }
    }
}

/// Validates the resources that a policy or a binding matches.
pub(super) fn resources(resources: &Json, path: &str, errors: &mut Errors) {
    if resources.is_null() {
        return;
    }
    one_of(resources, path, "matchPolicy", &["Equivalent", "Exact"], errors);
    for key in ["namespaceSelector", "objectSelector"] {
        label_selector(&resources[key], &format!("{path}.{key}"), errors);
    }
    for key in ["resourceRules", "excludeResourceRules"] {
        for (index, rule) in list(&resources[key]).enumerate() {
            let path = format!("{path}.{key}[{index}]");
            let mut names = HashSet::new();
            for (index, name) in list(&rule["resourceNames"]).map(text).enumerate() {
                let at = format!("{path}.resourceNames[{index}]");
                invalid(&at, name, validation::path_segment_name(name), errors);
                if !names.insert(name) {
                    errors.push(FieldError::duplicate(at, name));
                }
            }
            webhooks::rule(rule, &path, errors);
        }
    }
}

/// Validates that rules match only requests that can be mutated.
pub(super) fn mutable(resources: &Json, path: &str, errors: &mut Errors) {
    for operation in list(&resources["resourceRules"]).flat_map(|rule| list(&rule["operations"])).map(text) {
        if !MUTABLE.contains(&operation) {
            errors.push(FieldError::not_supported(
                format!("{path}.resourceRules.operations"),
                operation,
                &MUTABLE,
            ));
        }
    }
}

/// Validates the constraints of a policy, which must name resources.
pub(super) fn constraints(spec: &Json, errors: &mut Errors) {
    let (constraints, path) = (&spec["matchConstraints"], "spec.matchConstraints");
    if constraints.is_null() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    resources(constraints, path, errors);
    if list(&constraints["resourceRules"]).next().is_none() {
        errors.push(FieldError::required(format!("{path}.resourceRules"), ""));
    }
}

/// Validates match conditions.
pub(super) fn conditions(conditions: &Json, path: &str, params: bool, errors: &mut Errors) {
    let count = list(conditions).count();
    if count > CONDITIONS_MAX {
        errors.push(FieldError::too_many(path, count, CONDITIONS_MAX));
    }
    let expressions = Expressions::new(params);
    let mut names = HashSet::new();
    for (index, condition) in list(conditions).enumerate() {
        let at = format!("{path}[{index}]");
        let (name, expression) = (text(&condition["name"]), text(&condition["expression"]).trim());
        if expression.is_empty() {
            errors.push(FieldError::required(format!("{at}.expression"), ""));
        } else if let Err(error) = expressions.compile(expression, Use::Condition) {
            error.report(format!("{at}.expression"), expression, errors);
        }
        if name.is_empty() {
            errors.push(FieldError::required(format!("{at}.name"), ""));
            continue;
        }
        invalid(&format!("{at}.name"), name, validation::qualified_name(name), errors);
        if !names.insert(name) {
            errors.push(FieldError::duplicate(format!("{at}.name"), name));
        }
    }
}

/// Validates the kind of a policy's parameters.
pub(super) fn param_kind(kind: &Json, path: &str, errors: &mut Errors) {
    if kind.is_null() {
        return;
    }
    let at = format!("{path}.apiVersion");
    let version = text(&kind["apiVersion"]);
    let mut joined = |value: &str, prefix: &str, at: &str, checked: validation::Result| {
        let why: Vec<String> = checked.err().into_iter().flatten().map(|why| why.to_string()).collect();
        if !why.is_empty() {
            errors.push(FieldError::invalid(at, value, format!("{prefix}{}", why.join(","))));
        }
    };
    match version.split('/').collect::<Vec<_>>().as_slice() {
        [""] | ["", ""] if version.is_empty() => errors.push(FieldError::required(at, "")),
        [only] => joined(only, "", &at, validation::dns1035_label(only)),
        [group, version_of_group] => {
            if !group.is_empty() {
                joined(group, "", &at, validation::dns1123_subdomain(group));
            }
            if version_of_group.is_empty() {
                errors.push(FieldError::invalid(at, version, "version must be specified"));
            } else {
                joined(version_of_group, "", &at, validation::dns1035_label(version_of_group));
            }
        }
        _ => {
            let why = format!("unexpected GroupVersion string: {version}");
            errors.push(FieldError::invalid(at, version, why));
        }
    }
    let (at, kind) = (format!("{path}.kind"), text(&kind["kind"]));
    if kind.is_empty() {
        errors.push(FieldError::required(at, ""));
        return;
    }
    let checked = validation::dns1035_label(&kind.to_lowercase());
    let why: Vec<String> = checked.err().into_iter().flatten().map(|why| why.to_string()).collect();
    if !why.is_empty() {
        let why = format!("may have mixed case, but should otherwise match: {}", why.join(","));
        errors.push(FieldError::invalid(at, kind, why));
    }
}

/// Validates the reference of a binding to parameters.
pub(super) fn param_ref(reference: &Json, path: &str, errors: &mut Errors) {
    const BOTH: &str = "name and selector are mutually exclusive";
    if reference.is_null() {
        return;
    }
    let (name, selector) = (text(&reference["name"]), &reference["selector"]);
    if !name.is_empty() {
        let at = format!("{path}.name");
        invalid(&at, name, validation::path_segment_name(name), errors);
        if !selector.is_null() {
            errors.push(FieldError::forbidden(at, BOTH));
        }
    }
    if !selector.is_null() {
        let at = format!("{path}.selector");
        label_selector(selector, &at, errors);
        if !name.is_empty() {
            errors.push(FieldError::forbidden(at, BOTH));
        }
    }
    if name.is_empty() && selector.is_null() {
        errors.push(FieldError::required(path, "one of name or selector must be specified"));
    }
    let (at, action) =
        (format!("{path}.parameterNotFoundAction"), text(&reference["parameterNotFoundAction"]));
    match action {
        "" => errors.push(FieldError::required(at, "")),
        "Allow" | "Deny" => {}
        other => errors.push(FieldError::not_supported(at, other, &["Deny", "Allow"])),
    }
}

/// Validates the name of a binding's policy.
pub(super) fn policy_name(spec: &Json, errors: &mut Errors) {
    let name = text(&spec["policyName"]);
    if name.is_empty() {
        errors.push(FieldError::required("spec.policyName", ""));
        return;
    }
    invalid("spec.policyName", name, validation::dns1123_subdomain(name), errors);
}

/// Compiles and validates the variables of a policy.
pub(super) fn variables(spec: &Json, expressions: &mut Expressions, errors: &mut Errors) {
    for (index, variable) in list(&spec["variables"]).enumerate() {
        let path = format!("spec.variables[{index}]");
        let (name, expression) = (text(&variable["name"]), text(&variable["expression"]));
        if name.trim().is_empty() {
            errors.push(FieldError::required(format!("{path}.name"), "name is not specified"));
        } else if !is_identifier(name) {
            let why = "must be a valid CEL identifier";
            errors.push(FieldError::invalid(format!("{path}.name"), name, why));
        }
        if expression.trim().is_empty() {
            let why = "expression is not specified";
            errors.push(FieldError::required(format!("{path}.expression"), why));
        } else if let Err(error) = expressions.declare(name, expression) {
            ExpressionError::report(error, format!("{path}.expression"), expression, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn told(check: impl FnOnce(&mut Errors)) -> Vec<String> {
        let mut errors = Vec::new();
        check(&mut errors);
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn references_to_parameters_are_validated() {
        let of = |reference: Json| told(|errors| param_ref(&reference, "spec.paramRef", errors));
        assert!(of(json!({"name": "a", "parameterNotFoundAction": "Deny"})).is_empty());
        assert!(of(json!({"selector": {}, "parameterNotFoundAction": "Allow"})).is_empty());
        assert_eq!(
            of(json!({"name": "a", "selector": {}})),
            [
                "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
                "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
                "spec.paramRef.parameterNotFoundAction: Required value",
            ]
        );
        assert_eq!(
            of(json!({"parameterNotFoundAction": "Deny"})),
            ["spec.paramRef: Required value: one of name or selector must be specified"]
        );
    }

    #[test]
    fn kinds_of_parameters_are_validated() {
        let of = |version: &str, kind: &str| {
            let value = json!({"apiVersion": version, "kind": kind});
            told(|errors| param_kind(&value, "k", errors))
        };
        assert!(of("v1", "ConfigMap").is_empty() && of("a.example.com/v1", "Limit").is_empty());
        assert_eq!(of("", "X"), ["k.apiVersion: Required value"]);
        assert_eq!(of("a/", "X"), ["k.apiVersion: Invalid value: \"a/\": version must be specified"]);
        assert_eq!(
            of("a/b/c", "X"),
            ["k.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c"]
        );
        assert_eq!(of("v1", ""), ["k.kind: Required value"]);
        assert!(of("v1", "a b")[0].contains("may have mixed case, but should otherwise match: "));
    }

    #[test]
    fn names_of_variables_are_identifiers() {
        for (name, good) in
            [("a", true), ("_a1", true), ("1a", false), ("a-b", false), ("if", false), ("", false)]
        {
            assert_eq!(is_identifier(name), good, "{name}");
        }
    }
}
