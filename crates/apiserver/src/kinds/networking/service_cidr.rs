//! `ServiceCIDR`.

use client_rs_machinery::{FieldError, Json, Unstructured, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, StatusRules};
use crate::kinds::shared::addresses::AddressRange;
use crate::kinds::shared::checks::{IMMUTABLE, at, list, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "servicecidrs",
    status: StatusRules::RESETS_METADATA,
    columns: Some(COLUMNS),
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("CIDRs", "Its address ranges.", |object, _| {
        let all = columns::list(columns::at(object, &["spec", "cidrs"])).filter_map(Json::as_str);
        all.collect::<Vec<_>>().join(",").into()
    }),
    columns::AGE,
];

fn validate(object: &Unstructured, errors: &mut Errors) {
    let cidrs = &at(object, "spec")["cidrs"];
    let all: Vec<&str> = list(cidrs).map(text).collect();
    if all.is_empty() {
        errors.push(FieldError::required("spec.cidrs", "at least one CIDR required"));
        return;
    }
    if all.len() > 2 {
        // The real server shows its inner type.
        wrong("spec.cidrs", &json!({"CIDRs": cidrs.clone()}), "may only hold up to 2 values", errors);
        return;
    }
    let ranges: Vec<Result<AddressRange, String>> =
        all.iter().map(|range| AddressRange::canonical(range)).collect();
    if let [Ok(one), Ok(other)] = ranges.as_slice()
        && one.is_ipv4() == other.is_ipv4()
    {
        let why = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
        wrong("spec.cidrs", cidrs, why, errors);
    }
    for (index, range) in ranges.into_iter().enumerate() {
        if let Err(why) = range {
            errors.push(FieldError::invalid(format!("spec.cidrs[{index}]"), all[index], why));
        }
    }
}

/// A range can be added, for the other family.
fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let of = |object: &Unstructured| list(&at(object, "spec")["cidrs"]).cloned().collect::<Vec<_>>();
    let (new, old) = (of(new), of(old));
    for (index, range) in old.iter().enumerate() {
        match new.get(index) {
            Some(own) if own == range => {}
            own => wrong(format!("spec.cidrs[{index}]"), own.unwrap_or(&Json::Null), IMMUTABLE, errors),
        }
    }
}
