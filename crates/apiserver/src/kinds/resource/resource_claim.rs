//! `ResourceClaim`.

use client_rs_machinery::{Json, Map, Quantity, Time, Unstructured, collections::VecMap, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Charges, DeleteRules, KindRules, QuotaRules, Touched};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, list, text};
use crate::kinds::shared::defaulting::{default, is, items, missing, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceclaims",
    columns: Some(COLUMNS),
    defaults: |object| spec_defaults(within(object, "spec")),
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

/// Sets the defaults of a claim's specification: a request is for one device.
pub(super) fn spec_defaults(spec: &mut Map<Json>) {
    let Some(devices) = spec.get_mut("devices").and_then(Json::as_map_mut) else { return };
    for request in items(devices, "requests") {
        if let Some(exactly) = request.get_mut("exactly").and_then(Json::as_map_mut) {
            request_defaults(exactly);
        }
        // In v1beta1, a request without alternatives has the fields itself.
        if !missing(request, "deviceClassName") && !is(request, "deviceClassName", "") {
            request_defaults(request);
        }
        items(request, "firstAvailable").for_each(request_defaults);
    }
}

fn request_defaults(request: &mut Map<Json>) {
    default(request, "allocationMode", "ExactCount");
    // The type encodes a missing number as 0.
    let none = request.get("count").is_none_or(|count| count.is_null() || *count == json!(0));
    if none && is(request, "allocationMode", "ExactCount") {
        request.insert("count", 1.into());
    }
    for toleration in items(request, "tolerations") {
        default(toleration, "operator", "Equal");
    }
}

/// The devices of each class. Of alternatives, the largest number of each class counts.
fn usage(claim: &Unstructured, _: Time) -> Amounts {
    let count = |request: &Json| match text(&request["allocationMode"]) {
        "ExactCount" => request["count"].as_i64().unwrap_or_default(),
        "All" => DEVICES_MAX,
        _ => 0,
    };
    let mut used = Amounts::default();
    for request in list(&at(claim, "spec")["devices"]["requests"]) {
        let mut most: VecMap<&str, i64> = VecMap::new();
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
    use super::*;

    #[test]
    fn a_request_is_for_one_device_by_default() {
        let mut spec = json!({"devices": {"requests": [
            {"name": "a", "exactly": {"deviceClassName": "a", "tolerations": [{"key": "k", "effect": "NoExecute"}]}},
            {"name": "b", "firstAvailable": [{"deviceClassName": "a", "allocationMode": "All"}, {"count": 2}]},
            {"name": "c", "deviceClassName": "c"},
        ]}});
        spec_defaults(spec.as_map_mut().unwrap());
        let expected = json!({"devices": {"requests": [
            {"name": "a", "exactly": {
                "deviceClassName": "a", "tolerations": [{"key": "k", "effect": "NoExecute", "operator": "Equal"}],
                "allocationMode": "ExactCount", "count": 1,
            }},
            {"name": "b", "firstAvailable": [
                {"deviceClassName": "a", "allocationMode": "All"}, {"count": 2, "allocationMode": "ExactCount"},
            ]},
            {"name": "c", "deviceClassName": "c", "allocationMode": "ExactCount", "count": 1},
        ]}});
        assert_eq!(spec, expected);
    }

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
