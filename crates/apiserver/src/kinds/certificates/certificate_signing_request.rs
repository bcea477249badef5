//! `CertificateSigningRequest`.

use client_rs_machinery::{Json, Time};

use crate::kinds::rules::{KindRules, NameRule, SelectableField, SignerRight, Subresource};
use crate::kinds::shared::fields::keep_others;

pub(super) const RULES: KindRules = KindRules {
    plural: "certificatesigningrequests",
    name: NameRule::PathSegment,
    records_author: true,
    fields: &[SelectableField::text("spec.signerName", &["spec", "signerName"])],
    resets: &[
        ("", &[&["spec"], &["status"]]),
        ("status", &[&["spec"], &["status", "conditions"]]),
        ("approval", &[&["spec"], &["status", "certificate"]]),
    ],
    signers: SIGNERS,
    subresources: &[APPROVAL],
    ..super::SHARED
};

const SIGNERS: &[SignerRight] = &[
    SignerRight {
        subresource: "approval",
        verb: "approve",
        what: "approve requests with",
        changes: &[],
        of_new: false,
    },
    SignerRight {
        subresource: "status",
        verb: "sign",
        what: "sign requests with",
        changes: &[&["status", "certificate"], &["status", "conditions"]],
        of_new: false,
    },
];

/// Whether it is approved.
const APPROVAL: Subresource = Subresource {
    name: "approval",
    prepare: |new, old, now| {
        let conditions = new.nested(&["status", "conditions"]).ok().flatten().cloned();
        keep_others(new, old, "");
        if let Some(conditions) = conditions {
            drop(new.set_nested(&["status", "conditions"], stamped(conditions, now)));
        }
    },
};

/// The conditions with the times that their author left out.
fn stamped(mut conditions: Json, now: Time) -> Json {
    let now = now.to_string();
    for condition in conditions.as_list_mut().into_iter().flat_map(|list| list.iter_mut()) {
        for key in ["lastUpdateTime", "lastTransitionTime"] {
            if condition.get(key).is_none_or(Json::is_null) {
                // It is an object, or the type would not have let it in.
                let _ = condition.set(&[key], now.as_str());
            }
        }
    }
    conditions
}
