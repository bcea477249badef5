//! `ResourceClaim`.

use std::collections::BTreeMap;

use client_rs_machinery::{Json, Quantity, Time, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Charges, DeleteRules, KindRules, QuotaRules, Touched};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, list, text};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceclaims",
    columns: Some(COLUMNS),
    delete: DeleteRules::RETURNS_OBJECT,
    quota: QuotaRules::charges(&CHARGES),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("State", "Whether the claim is allocated, reserved, or ends.", |object, _| {
        let status = columns::at(object, &["status"]);
        let mut state: Vec<&str> = Vec::new();
        state.extend(object.deletion_timestamp().map(|_| "deleted"));
        state.extend(status.get("allocation").filter(|one| !one.is_null()).map(|_| "allocated"));
        state.extend(columns::list(&status["reservedFor"]).next().map(|_| "reserved"));
        if state.is_empty() { "pending".into() } else { state.join(",").into() }
    }),
    columns::AGE,
];

const CHARGES: Charges = Charges {
    has: |name| name.ends_with(OF_CLASS),
    usage,
    on_update: |write, _| write.part == Touched::Whole,
    in_scope: |_, _| false,
    constraints: |_, _| Ok(()),
};

/// The suffix of a device class in the name of a resource of quotas.
const OF_CLASS: &str = ".deviceclass.resource.k8s.io/devices";
/// The number of devices that a claim for all of them may get.
const DEVICES_MAX: i64 = 32;

/// The devices of each class. Of alternatives, the largest number of each class counts.
fn usage(claim: &Unstructured, _: Time) -> Amounts {
    let count = |request: &Json| match text(&request["allocationMode"]) {
        "ExactCount" => request["count"].as_i64().unwrap_or_default(),
        "All" => DEVICES_MAX,
        _ => 0,
    };
    let mut used = Amounts::default();
    for request in list(&at(claim, "spec")["devices"]["requests"]) {
        let mut most: BTreeMap<&str, i64> = BTreeMap::new();
        let exactly = Some(&request["exactly"]).filter(|exactly| !exactly.is_null());
        for one in list(&request["firstAvailable"]).chain(exactly) {
            let largest = most.entry(text(&one["deviceClassName"])).or_default();
            *largest = count(one).max(*largest);
        }
        for (class, count) in most {
            used.add(&format!("{class}{OF_CLASS}"), &Quantity::from(count));
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn devices_are_counted_by_class() {
        let claim = json!({"spec": {"devices": {"requests": [
            {"exactly": {"deviceClassName": "a", "allocationMode": "ExactCount", "count": 2}},
            {"firstAvailable": [
                {"deviceClassName": "a", "allocationMode": "ExactCount", "count": 1},
                {"deviceClassName": "b", "allocationMode": "All"},
            ]},
        ]}}});
        let used = usage(&Unstructured::try_from(claim).unwrap(), Time::now());
        let expected = "a.deviceclass.resource.k8s.io/devices=3,b.deviceclass.resource.k8s.io/devices=32";
        assert_eq!(used.shown(), expected);
    }
}
