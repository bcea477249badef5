//! `rbac.authorization.k8s.io`: roles and their bindings.

mod cluster_role;
mod cluster_role_binding;
mod role;
mod role_binding;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, json, validation};

use crate::kinds::Group;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, NameRule};
use crate::kinds::shared::checks::{
    IMMUTABLE, at, invalid, is_empty, label_selector, list, parsed, required, text, wrong,
};
use crate::kinds::shared::defaulting::{default, is, items, within};

/// The group whose members may do everything.
pub(crate) const MASTERS: &str = "system:masters";

/// The defaults for the kinds of the group.
const SHARED: KindRules =
    KindRules { group: NAME, name: NameRule::PathSegment, create_on_update: true, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[&cluster_role::RULES, &cluster_role_binding::RULES, &role::RULES, &role_binding::RULES],
};

/// The columns of bindings.
const BINDING_COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Role", "Role that is bound.", |object, _| {
        let role = columns::at(object, &["roleRef"]);
        format!("{}/{}", text(&role["kind"]), text(&role["name"])).into()
    }),
    columns::AGE,
    columns::wide(columns::text("Users", "Users that have the role.", |object, _| subjects(object, "User"))),
    columns::wide(columns::text("Groups", "Groups that have the role.", |object, _| {
        subjects(object, "Group")
    })),
    columns::wide(columns::text("ServiceAccounts", "Service accounts that have the role.", |object, _| {
        subjects(object, "ServiceAccount")
    })),
];

/// The names of the subjects of a kind.
fn subjects(object: &Unstructured, kind: &str) -> Json {
    let all = list(columns::at(object, &["subjects"])).filter(|subject| text(&subject["kind"]) == kind);
    let name = |subject: &Json| match kind {
        "ServiceAccount" => format!("{}/{}", text(&subject["namespace"]), text(&subject["name"])),
        _ => text(&subject["name"]).to_owned(),
    };
    all.map(name).collect::<Vec<_>>().join(", ").into()
}

/// The API group in bindings.
const NAME: &str = "rbac.authorization.k8s.io";

/// Validates a role or a cluster role.
fn validate_role(object: &Unstructured, namespaced: bool, errors: &mut Errors) {
    for (index, rule) in list(at(object, "rules")).enumerate() {
        self::rule(rule, &format!("rules[{index}]"), namespaced, errors);
    }
    let aggregation = at(object, "aggregationRule");
    if aggregation.is_null() {
        return;
    }
    let path = "aggregationRule.clusterRoleSelectors";
    if is_empty(&aggregation["clusterRoleSelectors"]) {
        let why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
        errors.push(FieldError::required(path, why));
    }
    for (index, selector) in list(&aggregation["clusterRoleSelectors"]).enumerate() {
        let path = format!("{path}[{index}]");
        label_selector(selector, &path, errors);
        if parsed(selector).is_none() {
            errors.push(FieldError::invalid_json(path, "null", "invalid label selector."));
        }
    }
}

fn rule(rule: &Json, path: &str, namespaced: bool, errors: &mut Errors) {
    required(rule, path, "verbs", errors);
    let urls = &rule["nonResourceURLs"];
    if !is_empty(urls) {
        let path = format!("{path}.nonResourceURLs");
        if namespaced {
            wrong(path.as_str(), urls, "namespaced rules cannot apply to non-resource URLs", errors);
        }
        if ["apiGroups", "resources", "resourceNames"].iter().any(|field| !is_empty(&rule[*field])) {
            wrong(path, urls, "rules cannot apply to both regular resources and non-resource URLs", errors);
        }
        return;
    }
    if is_empty(&rule["apiGroups"]) {
        let why = "resource rules must supply at least one api group";
        errors.push(FieldError::required(format!("{path}.apiGroups"), why));
    }
    if is_empty(&rule["resources"]) {
        let why = "resource rules must supply at least one resource";
        errors.push(FieldError::required(format!("{path}.resources"), why));
    }
}

/// Validates a binding.
fn validate_binding(object: &Unstructured, namespaced: bool, errors: &mut Errors) {
    let role = at(object, "roleRef");
    if text(&role["apiGroup"]) != NAME {
        errors.push(FieldError::not_supported("roleRef.apiGroup", text(&role["apiGroup"]), &[NAME]));
    }
    let kinds: &[&str] = if namespaced { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    if !kinds.contains(&text(&role["kind"])) {
        errors.push(FieldError::not_supported("roleRef.kind", text(&role["kind"]), kinds));
    }
    if required(role, "roleRef", "name", errors) {
        let name = text(&role["name"]);
        invalid("roleRef.name", name, validation::path_segment_name(name), errors);
    }
    for (index, subject) in list(at(object, "subjects")).enumerate() {
        self::subject(subject, &format!("subjects[{index}]"), namespaced, errors);
    }
}

fn subject(subject: &Json, path: &str, namespaced: bool, errors: &mut Errors) {
    let named = required(subject, path, "name", errors);
    let (name, group) = (text(&subject["name"]), text(&subject["apiGroup"]));
    match text(&subject["kind"]) {
        "ServiceAccount" => {
            if named {
                invalid(&format!("{path}.name"), name, validation::dns1123_subdomain(name), errors);
            }
            if !group.is_empty() {
                errors.push(FieldError::not_supported(format!("{path}.apiGroup"), group, &[""]));
            }
            if !namespaced {
                required(subject, path, "namespace", errors);
            }
        }
        "User" | "Group" => {
            if group != NAME {
                errors.push(FieldError::not_supported(format!("{path}.apiGroup"), group, &[NAME]));
            }
        }
        other => {
            let kinds = ["ServiceAccount", "User", "Group"];
            errors.push(FieldError::not_supported(format!("{path}.kind"), other, &kinds));
        }
    }
}

/// The role of a binding is immutable.
fn validate_binding_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "roleRef"), at(old, "roleRef"));
    if new != old {
        let of = |field: &str| json!(text(&new[field]));
        let shown =
            format!("{{\"APIGroup\":{},\"Kind\":{},\"Name\":{}}}", of("apiGroup"), of("kind"), of("name"));
        errors.push(FieldError::invalid_json("roleRef", shown, IMMUTABLE));
    }
}

fn binding_defaults(object: &mut Map<Json>) {
    default(within(object, "roleRef"), "apiGroup", NAME);
    for subject in items(object, "subjects") {
        if is(subject, "kind", "User") || is(subject, "kind", "Group") {
            default(subject, "apiGroup", NAME);
        }
    }
}
