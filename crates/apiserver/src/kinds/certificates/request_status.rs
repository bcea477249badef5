//! The status of a `CertificateSigningRequest`: whether it is approved, and its certificate.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{FieldError, Json, Time, Unstructured};

use crate::kinds::rules::{Errors, PartRules, StatusRules};
use crate::kinds::shared::checks::{at, list, text};
use crate::kinds::shared::fields::keep_others;
use crate::pki::{count_certificates, pem};

/// The subresource `approval`: the conditions.
pub(super) const APPROVAL: PartRules = PartRules {
    prepare: prepare_approval,
    validate: |new, old, errors| {
        conditions(new, old, errors);
        kept(new, old, errors);
        exclusive(new, old, errors);
    },
};

/// The subresource `status`: the certificate, and conditions that are not an approval.
pub(super) const STATUS: StatusRules = StatusRules {
    resets: &[&["spec"], &["status", "conditions"]],
    prepare: prepare_status,
    validate: |new, old, errors| {
        conditions(new, old, errors);
        let (mine, theirs) = (certificate(new), certificate(old));
        if mine != theirs
            && let Err(why) = check_certificate(mine)
        {
            errors.push(FieldError::invalid("status.certificate", "<certificate data>", why));
        }
        kept(new, old, errors);
        for kind in DECISIONS.into_iter().filter(|kind| count(new, kind) > count(old, kind)) {
            let why = format!("updates may not add a condition of type {kind:?}");
            errors.push(FieldError::forbidden(CONDITIONS, why));
        }
        if mine != theirs && !theirs.is_empty() {
            let why = "updates may not modify existing certificate content";
            errors.push(FieldError::forbidden("status.certificate", why));
        }
        exclusive(new, old, errors);
    },
    ..StatusRules::DEFAULT
};

const CONDITIONS: &str = "status.conditions";
/// Conditions that only an approval sets.
const DECISIONS: [&str; 2] = ["Approved", "Denied"];
/// Conditions that are true and stay.
const FINAL: [&str; 3] = ["Approved", "Denied", "Failed"];

/// Takes only the conditions.
fn prepare_approval(new: &mut Unstructured, old: &Unstructured, now: Time) {
    let conditions = at(new, "status")["conditions"].clone();
    keep_others(new, old, "");
    drop(new.remove_nested(&["status", "conditions"]));
    if !conditions.is_null() {
        drop(new.set_nested(&["status", "conditions"], stamped(conditions, old, now)));
    }
}

/// Keeps the content of decisions. Those that are added or removed are refused by the validation.
fn prepare_status(new: &mut Unstructured, old: &Unstructured, now: Time) {
    let mut conditions = at(new, "status")["conditions"].clone();
    if conditions.is_null() {
        return;
    }
    for kind in DECISIONS.into_iter().filter(|kind| count(new, kind) == count(old, kind)) {
        let mine = conditions.as_list_mut().into_iter().flat_map(|list| list.iter_mut());
        let theirs = list(&at(old, "status")["conditions"]);
        let of = |one: &Json| text(&one["type"]) == kind;
        for (mine, theirs) in mine.filter(|one| of(one)).zip(theirs.filter(|one| of(one))) {
            *mine = theirs.clone();
        }
    }
    drop(new.set_nested(&["status", "conditions"], stamped(conditions, old, now)));
}

/// Sets missing times. A condition that had the same status before keeps the time of its transition.
fn stamped(mut conditions: Json, old: &Unstructured, now: Time) -> Json {
    let now = Json::from(now.to_string());
    let mut transitions: BTreeMap<(&str, &str), &Json> = BTreeMap::new();
    for condition in list(&at(old, "status")["conditions"]) {
        let time = &condition["lastTransitionTime"];
        if !time.is_null() {
            transitions.entry((text(&condition["type"]), text(&condition["status"]))).or_insert(time);
        }
    }
    for condition in conditions.as_list_mut().into_iter().flat_map(|list| list.iter_mut()) {
        let same = transitions.get(&(text(&condition["type"]), text(&condition["status"])));
        for (key, time) in [("lastUpdateTime", &now), ("lastTransitionTime", same.copied().unwrap_or(&now))] {
            if condition.get(key).is_none_or(Json::is_null) {
                // It can't fail: the type allows only objects here.
                let _ = condition.set(&[key], time.clone());
            }
        }
    }
    conditions
}

/// Validates the conditions. Faults that the old object has as well are allowed.
fn conditions(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let nameless = count(old, "") > 0;
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let doubled = !list(&at(old, "status")["conditions"]).all(|one| seen.insert(text(&one["type"])));
    seen.clear();
    for (index, condition) in list(&at(new, "status")["conditions"]).enumerate() {
        let (kind, status) = (text(&condition["type"]), text(&condition["status"]));
        let path = |field: &str| format!("{CONDITIONS}[{index}].{field}");
        if kind.is_empty() && !nameless {
            errors.push(FieldError::required(path("type"), ""));
        }
        let allowed: &[&str] = if FINAL.contains(&kind) { &["True"] } else { &["False", "True", "Unknown"] };
        if status.is_empty() {
            errors.push(FieldError::required(path("status"), ""));
        } else if !allowed.contains(&status) {
            errors.push(FieldError::not_supported(path("status"), status, allowed));
        }
        if !seen.insert(kind) && !doubled {
            errors.push(FieldError::duplicate(path("type"), kind));
        }
    }
}

/// Refuses the removal of conditions that stay.
fn kept(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    for kind in FINAL.into_iter().filter(|kind| count(new, kind) < count(old, kind)) {
        let why = format!("updates may not remove a condition of type {kind:?}");
        errors.push(FieldError::forbidden(CONDITIONS, why));
    }
}

/// Refuses a request that becomes both approved and denied.
fn exclusive(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let both = |object: &Unstructured| DECISIONS.iter().all(|kind| count(object, kind) > 0);
    if both(new) && !both(old) {
        let members = DECISIONS.map(|kind| format!("conditions[{{\"type\": {kind:?}}}]"));
        let why = format!("must specify at most one of: `{}`", members.join("`, `"));
        errors.push(FieldError::invalid(CONDITIONS, &format!("{{{}}}", members.join(", ")), why));
    }
}

/// The number of conditions of a type.
fn count(object: &Unstructured, kind: &str) -> usize {
    list(&at(object, "status")["conditions"]).filter(|one| text(&one["type"]) == kind).count()
}

fn certificate(object: &Unstructured) -> &str {
    text(&at(object, "status")["certificate"])
}

/// Validates PEM in base64. An empty certificate is one that is not issued yet.
fn check_certificate(encoded: &str) -> Result<(), String> {
    if encoded.is_empty() {
        return Ok(());
    }
    let certificate = STANDARD.decode(encoded).unwrap_or_default();
    let mut any = false;
    for block in pem::blocks(&String::from_utf8_lossy(&certificate)) {
        if block.label != "CERTIFICATE" {
            return Err(format!("only CERTIFICATE PEM blocks are allowed, found {:?}", block.label));
        }
        if block.has_headers {
            return Err("no PEM block headers are permitted".to_owned());
        }
        if count_certificates(&block.content)? == 0 {
            return Err("found CERTIFICATE PEM block containing 0 certificates".to_owned());
        }
        any = true;
    }
    if any { Ok(()) } else { Err("must contain at least one CERTIFICATE PEM block".to_owned()) }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn request(status: Json) -> Unstructured {
        Unstructured::try_from(json!({"metadata": {"name": "r"}, "status": status})).unwrap()
    }

    fn at_second(second: i64) -> Time {
        Time::new(second, 0).unwrap()
    }

    #[test]
    fn a_condition_keeps_its_transition_and_a_status_keeps_decisions() {
        let one = |kind: &str| json!({"type": kind, "status": "True"});
        let mut first = request(json!({"conditions": [one("Approved"), one("Failed")]}));
        prepare_approval(&mut first, &request(json!({"certificate": "eA=="})), at_second(0));
        assert_eq!(at(&first, "status")["certificate"], json!("eA=="));
        let changed = json!({"type": "Approved", "status": "True", "reason": "other"});
        let mut second = request(json!({"conditions": [one("Failed"), changed]}));
        prepare_status(&mut second, &first, at_second(60));
        let conditions = &at(&second, "status")["conditions"];
        assert_eq!(conditions[1], at(&first, "status")["conditions"][0]);
        assert_eq!(conditions[0]["lastUpdateTime"], json!("1970-01-01T00:01:00Z"));
        assert_eq!(conditions[0]["lastTransitionTime"], json!("1970-01-01T00:00:00Z"));
    }

    #[test]
    fn faults_of_the_old_object_are_allowed() {
        let faulty = json!([
            {"type": "", "status": "True"}, {"type": "Approved", "status": "True"},
            {"type": "Denied", "status": "True"}, {"type": "Approved", "status": "True"},
        ]);
        let faulty = request(json!({"conditions": faulty}));
        let errors = |old: &Unstructured| {
            let mut errors = Vec::new();
            (APPROVAL.validate)(&faulty, old, &mut errors);
            errors.iter().map(|error: &FieldError| error.field().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(errors(&faulty), [""; 0]);
        let fresh = ["status.conditions[0].type", "status.conditions[3].type", "status.conditions"];
        assert_eq!(errors(&request(json!({}))), fresh);
    }
}
