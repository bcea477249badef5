//! `Endpoints`.

use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Unstructured, validation};

use super::PROTOCOLS;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules};
use crate::kinds::shared::checks::{
    IP, at, endpoint_address, invalid, is_empty, list, one_of, port_number, text,
};
use crate::kinds::shared::defaulting::{items, protocols};

pub(super) const RULES: KindRules = KindRules {
    plural: "endpoints",
    columns: Some(COLUMNS),
    create_on_update: true,
    deprecated: Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
    defaults: |object| items(object, "subsets").for_each(protocols),
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Endpoints", "Addresses and ports that are ready.", |object, _| ready(object)),
    columns::AGE,
];

/// The first addresses with their ports.
fn ready(object: &Unstructured) -> Json {
    let mut all: Vec<String> = Vec::new();
    for subset in list(columns::at(object, &["subsets"])) {
        let addresses = || list(&subset["addresses"]).map(|address| text(&address["ip"]));
        if is_empty(&subset["ports"]) {
            all.extend(addresses().map(str::to_owned));
        }
        for port in list(&subset["ports"]) {
            let number = columns::number(&port["port"]);
            all.extend(addresses().map(|ip| {
                if ip.contains(':') { format!("[{ip}]:{number}") } else { format!("{ip}:{number}") }
            }));
        }
    }
    columns::first_three(&all, "<none>")
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    for (index, subset) in list(at(object, "subsets")).enumerate() {
        let path = format!("subsets[{index}]");
        if is_empty(&subset["addresses"]) && is_empty(&subset["notReadyAddresses"]) {
            let why = "must specify `addresses` or `notReadyAddresses`";
            errors.push(FieldError::required(path.as_str(), why));
        }
        for field in ["addresses", "notReadyAddresses"] {
            for (index, address) in list(&subset[field]).enumerate() {
                let path = format!("{path}.{field}[{index}]");
                let ip = text(&address["ip"]);
                if ip.parse::<IpAddr>().is_err() {
                    errors.push(FieldError::invalid(format!("{path}.ip"), ip, IP));
                }
                for name in [text(&address["hostname"])].into_iter().filter(|name| !name.is_empty()) {
                    invalid(&format!("{path}.hostname"), name, validation::dns1123_label(name), errors);
                }
                if ip.parse::<IpAddr>().is_err() {
                    errors.push(FieldError::invalid(format!("{path}.ip"), ip, "must be a valid IP address"));
                } else {
                    endpoint_address(ip, &format!("{path}.ip"), errors);
                }
            }
        }
        let ports: Vec<&Json> = list(&subset["ports"]).collect();
        for (index, port) in ports.iter().enumerate() {
            let path = format!("{path}.ports[{index}]");
            let name = text(&port["name"]);
            if name.is_empty() && ports.len() > 1 {
                errors.push(FieldError::required(format!("{path}.name"), ""));
            } else if !name.is_empty() {
                invalid(&format!("{path}.name"), name, validation::dns1123_label(name), errors);
            }
            port_number(port["port"].as_i64().unwrap_or(0), &format!("{path}.port"), errors);
            one_of(port, &path, "protocol", PROTOCOLS, errors);
        }
    }
}
