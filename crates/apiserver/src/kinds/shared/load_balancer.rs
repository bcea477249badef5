//! The addresses of load balancers in the status of services and ingresses.

use std::net::IpAddr;

use client_rs_machinery::{FieldError, Unstructured, validation};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{IP, at, invalid, list, one_of, text};

/// Validates the addresses. Those that were there before stay. With `modes` each has a mode.
pub(crate) fn check(new: &Unstructured, old: &Unstructured, modes: bool, errors: &mut Errors) {
    let of = |object| &at(object, "status")["loadBalancer"]["ingress"];
    for (index, point) in list(of(new)).enumerate() {
        let path = format!("status.loadBalancer.ingress[{index}]");
        let (address, host) = (text(&point["ip"]), text(&point["hostname"]));
        let kept = || list(of(old)).any(|one| text(&one["ip"]) == address);
        if !address.is_empty() && address.parse::<IpAddr>().is_err() && !kept() {
            errors.push(FieldError::invalid(format!("{path}.ip"), address, IP));
        }
        if modes && !point["ipMode"].is_null() {
            if address.is_empty() {
                let why = "may not be specified when `ip` is not set";
                errors.push(FieldError::forbidden(format!("{path}.ipMode"), why));
            } else {
                one_of(point, &path, "ipMode", &["Proxy", "VIP"], errors);
            }
        } else if modes && !address.is_empty() {
            let why = "must be specified when `ip` is set";
            errors.push(FieldError::required(format!("{path}.ipMode"), why));
        }
        if !host.is_empty() {
            let path = format!("{path}.hostname");
            invalid(&path, host, validation::dns1123_subdomain(host), errors);
            if host.parse::<IpAddr>().is_ok() {
                errors.push(FieldError::invalid(path, host, "must be a DNS name, not an IP address"));
            }
        }
    }
}
