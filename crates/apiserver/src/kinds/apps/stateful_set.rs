//! `StatefulSet`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured, json};

use super::{Workload, strategy_shown};
use crate::kinds::columns::{self, Column};
use crate::kinds::core::persistent_volume_claim;
use crate::kinds::rules::{Errors, KindRules, NameRule, StatusRules, Subresource};
use crate::kinds::shared::checks::{at, count_or_percent, immutable, list, not_negative, one_of, text};
use crate::kinds::shared::counts::Counts;
use crate::kinds::shared::defaulting::{default, is, items, within};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "statefulsets",
    name: NameRule::Label,
    columns: Some(COLUMNS),
    rewrite_json: Some(with_claim_kinds),
    subresources: &[Subresource::SCALE],
    status: StatusRules {
        validate: |new, old, errors| COUNTS.check(new, old, errors),
        ..StatusRules::DEFAULT
    },
    defaults,
    validate,
    validate_update,
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["spec", "template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const COUNTS: Counts = Counts {
    all: &[
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
    ],
    of_replicas: &["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
    ready: "status.readyReplicas",
};

const WORKLOAD: Workload = Workload {
    selector_owner: "statefulset",
    template_owner: "StatefulSet",
    unreadable_selector: Some(""),
    has_claims: true,
    ..Workload::DEFAULT
};

const COLUMNS: &[Column] =
    &[columns::NAME, columns::READY_OF, columns::AGE, columns::CONTAINERS, columns::IMAGES];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "podManagementPolicy", "OrderedReady");
    default(spec, "replicas", 1);
    default(spec, "revisionHistoryLimit", 10);
    let strategy = within(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if is(strategy, "type", "RollingUpdate") {
        let rolling = within(strategy, "rollingUpdate");
        default(rolling, "partition", 0);
        default(rolling, "maxUnavailable", 1);
    }
    let retention = within(spec, "persistentVolumeClaimRetentionPolicy");
    default(retention, "whenDeleted", "Retain");
    default(retention, "whenScaled", "Retain");
    for claim in items(spec, "volumeClaimTemplates") {
        claim.insert("kind", "PersistentVolumeClaim".into());
        claim.insert("apiVersion", "v1".into());
        default(within(claim, "spec"), "volumeMode", "Filesystem");
        default(within(claim, "status"), "phase", "Pending");
    }
    pod_defaults::template(object, &["spec", "template"]);
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    own_fields(spec, errors);
    not_negative(spec, "spec", &["replicas"], errors);
    WORKLOAD.validate(spec, errors);
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    for field in ["serviceName", "podManagementPolicy", "selector", "volumeClaimTemplates"] {
        immutable(&["spec", field], new, old, errors);
    }
}

fn own_fields(spec: &Json, errors: &mut Errors) {
    let policy = text(&spec["podManagementPolicy"]);
    if !["", "OrderedReady", "Parallel"].contains(&policy) {
        let why = "must be 'OrderedReady' or 'Parallel'";
        errors.push(FieldError::invalid("spec.podManagementPolicy", policy, why));
    }
    let strategy = &spec["updateStrategy"];
    let rolling = &strategy["rollingUpdate"];
    match text(&strategy["type"]) {
        "OnDelete" if !rolling.is_null() => {
            let shown = format!(
                "{{\"Partition\":{},\"MaxUnavailable\":{}}}",
                rolling.get("partition").unwrap_or(&json!(0)),
                rolling["maxUnavailable"]
            );
            let why = "only allowed for updateStrategy 'RollingUpdate'";
            errors.push(FieldError::invalid_json("spec.updateStrategy.rollingUpdate", shown, why));
        }
        "RollingUpdate" => {
            let path = "spec.updateStrategy.rollingUpdate";
            not_negative(rolling, path, &["partition"], errors);
            count_or_percent(&rolling["maxUnavailable"], &format!("{path}.maxUnavailable"), true, errors);
        }
        "" | "OnDelete" => {}
        _ => {
            let why = "must be 'RollingUpdate' or 'OnDelete'";
            errors.push(FieldError::invalid_json("spec.updateStrategy", strategy_shown(strategy), why));
        }
    }
    let retention = &spec["persistentVolumeClaimRetentionPolicy"];
    for field in ["whenDeleted", "whenScaled"] {
        one_of(retention, "spec.persistentVolumeClaimRetentionPolicy", field, &["Retain", "Delete"], errors);
    }
    not_negative(&spec["ordinals"], "spec.ordinals", &["start"], errors);
    for (index, claim) in list(&spec["volumeClaimTemplates"]).enumerate() {
        persistent_volume_claim::validate_spec(
            &claim["spec"],
            &format!("spec.volumeClaimTemplates[{index}].spec"),
            errors,
        );
    }
}

/// Adds `apiVersion` and `kind` to the claim templates. Types do not encode the kind of nested objects, which is
/// right for items of lists. The real server always includes it for claim templates.
fn with_claim_kinds(text: &[u8]) -> Vec<u8> {
    // This can't match inside a string, because its quotes would be escaped.
    const TEMPLATES: &[u8] = br#""volumeClaimTemplates":["#;
    const KIND: &[u8] = br#""kind":"PersistentVolumeClaim","apiVersion":"v1""#;
    let found = text.windows(TEMPLATES.len()).position(|part| part == TEMPLATES);
    let Some(start) = found.map(|at| at + TEMPLATES.len()) else { return text.to_vec() };
    let mut out = text[..start].to_vec();
    let (mut depth, mut in_string, mut escaped) = (1_usize, false, false);
    for (index, &byte) in text.iter().enumerate().skip(start) {
        out.push(byte);
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth == 2 {
                    out.extend_from_slice(KIND);
                    out.extend_from_slice(if text.get(index + 1) == Some(&b'}') { b"" } else { b"," });
                }
            }
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    out.extend_from_slice(&text[index + 1..]);
                    return out;
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_claim_template_gets_its_kind_and_nothing_else_changes() {
        let kind = r#""kind":"PersistentVolumeClaim","apiVersion":"v1""#;
        for (before, after) in [
            (r#"{"a":{"x":"\"volumeClaimTemplates\":[{"}}"#.to_owned(), None),
            (r#"{"volumeClaimTemplates":[]}"#.to_owned(), None),
            (
                r#"{"volumeClaimTemplates":[{"m":{"n":"]}\"{"},"l":[{}]},{}],"z":[{"y":{}}]}"#.to_owned(),
                Some(format!(
                    r#"{{"volumeClaimTemplates":[{{{kind},"m":{{"n":"]}}\"{{"}},"l":[{{}}]}},{{{kind}}}],"z":[{{"y":{{}}}}]}}"#
                )),
            ),
        ] {
            let made = String::from_utf8(with_claim_kinds(before.as_bytes())).unwrap();
            assert_eq!(made, after.unwrap_or(before));
        }
    }
}
