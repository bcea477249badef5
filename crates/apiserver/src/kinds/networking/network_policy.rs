//! `NetworkPolicy`.

use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules};
use crate::kinds::shared::checks::{
    CIDR, at, cidr, label_selector, list, one_of, port, port_number, text, wrong,
};
use crate::kinds::shared::defaulting;
use crate::kinds::shared::defaulting::list_is_empty;

pub(super) const RULES: KindRules = KindRules {
    plural: "networkpolicies",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    defaults,
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Pod-Selector", "Label selector of the pods.", |object, _| {
        columns::selector(columns::at(object, &["spec", "podSelector"]))
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    let spec = defaulting::within(object, "spec");
    if list_is_empty(spec, "policyTypes") {
        let egress = !list_is_empty(spec, "egress");
        let types = if egress { json!(["Ingress", "Egress"]) } else { json!(["Ingress"]) };
        spec.insert("policyTypes", types);
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    label_selector(&spec["podSelector"], "spec.podSelector", errors);
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in list(&spec[direction]).enumerate() {
            let path = format!("spec.{direction}[{index}]");
            for (index, one) in list(&rule["ports"]).enumerate() {
                policy_port(one, &format!("{path}.ports[{index}]"), errors);
            }
            for (index, peer) in list(&rule[peers]).enumerate() {
                self::peer(peer, &format!("{path}.{peers}[{index}]"), errors);
            }
        }
    }
    for (index, kind) in list(&spec["policyTypes"]).map(text).enumerate() {
        if !["Ingress", "Egress"].contains(&kind) {
            let path = format!("spec.policyTypes[{index}]");
            errors.push(FieldError::not_supported(path, kind, &["Ingress", "Egress"]));
        }
    }
}

fn policy_port(one: &Json, path: &str, errors: &mut Errors) {
    one_of(one, path, "protocol", &["TCP", "UDP", "SCTP"], errors);
    if !one["port"].is_null() {
        port(&one["port"], &format!("{path}.port"), errors);
    }
    let end = &one["endPort"];
    let Some(last) = end.as_i64() else { return };
    let path = format!("{path}.endPort");
    match (&one["port"], one["port"].as_i64()) {
        (Json::Null, _) => wrong(path, end, "may not be specified when `port` is not specified", errors),
        (_, None) => wrong(path, end, "may not be specified when `port` is non-numeric", errors),
        (_, Some(first)) => {
            if last < first {
                wrong(path.as_str(), end, "must be greater than or equal to `port`", errors);
            }
            port_number(last, &path, errors);
        }
    }
}

fn peer(peer: &Json, path: &str, errors: &mut Errors) {
    let mut found = 0;
    for field in ["podSelector", "namespaceSelector"].iter().filter(|field| !peer[**field].is_null()) {
        found += 1;
        label_selector(&peer[*field], &format!("{path}.{field}"), errors);
    }
    let block = &peer["ipBlock"];
    if !block.is_null() {
        found += 1;
        self::block(block, &format!("{path}.ipBlock"), errors);
    }
    if found == 0 {
        errors.push(FieldError::required(path, "must specify a peer"));
    } else if found > 1 && !block.is_null() {
        errors.push(FieldError::forbidden(path, "may not specify both ipBlock and another peer"));
    }
}

fn block(block: &Json, path: &str, errors: &mut Errors) {
    let own = text(&block["cidr"]);
    let Some((base, bits)) = cidr(own) else {
        errors.push(FieldError::invalid(format!("{path}.cidr"), own, CIDR));
        return;
    };
    for (index, except) in list(&block["except"]).map(text).enumerate() {
        let path = format!("{path}.except[{index}]");
        match cidr(except) {
            None => errors.push(FieldError::invalid(path, except, CIDR)),
            Some((inner, fewer)) if fewer <= bits || !within(inner, base, bits) => {
                errors.push(FieldError::invalid(path, except, "must be a strict subset of `cidr`"));
            }
            Some(_) => {}
        }
    }
}

/// Whether an address is in a range.
fn within(address: IpAddr, base: IpAddr, bits: u8) -> bool {
    let number = |address: IpAddr| match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => u128::from(address),
    };
    let mask = if bits == 0 { 0 } else { u128::MAX << (128 - u32::from(bits)) };
    address.is_ipv4() == base.is_ipv4() && number(address) & mask == number(base) & mask
}
