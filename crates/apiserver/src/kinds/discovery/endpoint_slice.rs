//! `EndpointSlice`.

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules};
use crate::kinds::shared::checks::{
    IMMUTABLE, IP, at, endpoint_address, invalid, list, one_of, required, text,
};
use crate::kinds::shared::defaulting::{default, items};

pub(super) const RULES: KindRules = KindRules {
    plural: "endpointslices",
    columns: Some(COLUMNS),
    generation: Generation::With(&[&["addressType"], &["endpoints"], &["ports"], &["metadata", "labels"]]),
    defaults,
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("AddressType", "Type of the addresses.", |object, _| {
        columns::or_empty(columns::at(object, &["addressType"]))
    }),
    columns::text("Ports", "Numbers of the ports.", |object, _| {
        let port =
            |port: &Json| port["port"].as_i64().map_or_else(|| "*".to_owned(), |port| port.to_string());
        columns::first_three(
            &columns::list(columns::at(object, &["ports"])).map(port).collect::<Vec<_>>(),
            "<unset>",
        )
    }),
    columns::text("Endpoints", "Addresses of the endpoints.", |object, _| {
        let endpoints = columns::list(columns::at(object, &["endpoints"]));
        let addresses = endpoints.flat_map(|endpoint| columns::list(&endpoint["addresses"]));
        columns::first_three(&addresses.map(|one| text(one).to_owned()).collect::<Vec<_>>(), "<unset>")
    }),
    columns::AGE,
];

const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

fn defaults(object: &mut Map<Json>) {
    for port in items(object, "ports") {
        default(port, "name", "");
        default(port, "protocol", "TCP");
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    const TYPES: &[&str] = &["FQDN", "IPv4", "IPv6"];
    const ADDRESSES_MAX: usize = 100;
    let kind = text(at(object, "addressType"));
    if kind.is_empty() {
        errors.push(FieldError::required("addressType", ""));
        return;
    }
    if !TYPES.contains(&kind) {
        errors.push(FieldError::not_supported("addressType", kind, TYPES));
        return;
    }
    for (index, endpoint) in list(at(object, "endpoints")).enumerate() {
        let path = format!("endpoints[{index}]");
        let addresses: Vec<&str> = list(&endpoint["addresses"]).map(text).collect();
        required(endpoint, &path, "addresses", errors);
        if addresses.len() > ADDRESSES_MAX {
            errors.push(FieldError::too_many(format!("{path}.addresses"), addresses.len(), ADDRESSES_MAX));
        } else {
            for (index, address) in addresses.iter().enumerate() {
                slice_address(kind, address, &format!("{path}.addresses"), index, errors);
            }
        }
        let name = text(&endpoint["hostname"]);
        if !name.is_empty() {
            invalid(&format!("{path}.hostname"), name, validation::dns1123_label(name), errors);
        }
    }
    let mut names = HashSet::new();
    for (index, port) in list(at(object, "ports")).enumerate() {
        let path = format!("ports[{index}]");
        let name = text(&port["name"]);
        if !name.is_empty() {
            invalid(&format!("{path}.name"), name, validation::dns1123_label(name), errors);
        }
        if !names.insert(name) {
            errors.push(FieldError::duplicate(format!("{path}.name"), name));
        }
        one_of(port, &path, "protocol", PROTOCOLS, errors);
    }
}

fn slice_address(kind: &str, address: &str, path: &str, index: usize, errors: &mut Errors) {
    let own = format!("{path}[{index}]");
    if kind == "FQDN" {
        invalid(&own, address, validation::dns1123_subdomain(address), errors);
        return;
    }
    match address.parse::<IpAddr>() {
        Err(_) => errors.push(FieldError::invalid(own, address, IP)),
        Ok(parsed) if parsed.is_ipv4() != (kind == "IPv4") => {
            // The real server leaves the index out here.
            errors.push(FieldError::invalid(path, address, format!("must be an {kind} address")));
        }
        Ok(_) => endpoint_address(address, &own, errors),
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    if at(new, "addressType") != at(old, "addressType") {
        errors.push(FieldError::invalid_json("addressType", "null", IMMUTABLE));
    }
}
