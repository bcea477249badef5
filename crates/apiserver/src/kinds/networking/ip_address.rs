//! `IPAddress`.

use client_rs_machinery::{FieldError, Json, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, NameRule};
use crate::kinds::shared::addresses::canonical_ip;
use crate::kinds::shared::checks::{IMMUTABLE, at, invalid, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "ipaddresses",
    columns: Some(COLUMNS),
    name: NameRule::Own(|_, name, _| canonical_ip(name).err().into_iter().collect()),
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("ParentRef", "Object that has the address.", |object, _| {
        let parent = columns::at(object, &["spec", "parentRef"]);
        let dot = if text(&parent["group"]).is_empty() { "" } else { "." };
        let resource = format!("{}{dot}{}", text(&parent["resource"]), text(&parent["group"]));
        match text(&parent["namespace"]) {
            "" => format!("{resource}/{}", text(&parent["name"])).into(),
            namespace => format!("{resource}/{namespace}/{}", text(&parent["name"])).into(),
        }
    }),
];

fn validate(object: &Unstructured, errors: &mut Errors) {
    let parent = &at(object, "spec")["parentRef"];
    if parent.is_null() {
        errors.push(FieldError::required("spec.parentRef", ""));
        return;
    }
    let group = text(&parent["group"]);
    if !group.is_empty() {
        invalid("spec.parentRef.group", group, validation::dns1123_subdomain(group), errors);
    }
    let parts = ["resource", "name", "namespace"].map(|field| (field, text(&parent[field])));
    for (field, value) in parts.iter().filter(|(_, value)| !value.is_empty()) {
        invalid(&format!("spec.parentRef.{field}"), value, validation::path_segment_name(value), errors);
    }
    for (field, _) in parts[..2].iter().filter(|(_, value)| value.is_empty()) {
        errors.push(FieldError::required(format!("spec.parentRef.{field}"), ""));
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let parent = |object: &Unstructured| at(object, "spec")["parentRef"].clone();
    if parent(new) != parent(old) {
        // The real server shows no value here.
        wrong("spec.parentRef", &Json::Null, IMMUTABLE, errors);
    }
}
