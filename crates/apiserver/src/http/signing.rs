//! Certificates for approved requests, which in a real cluster the controller manager signs.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{ApiError, Json, Unstructured, json};

use super::{Api, Call};
use crate::access::{Attributes, CertificateRequest, ResourceAttributes, requested_groups};
use crate::registry::{Part, Precondition, Served, Stored, WriteOptions, internal};
use crate::request::MASTERS;
use crate::request::Target;

/// The group of requests and their signers.
const GROUP: &str = "certificates.k8s.io";
/// Who is said to have written the certificate.
const MANAGER: &str = "kube-controller-manager";
/// How long a certificate is good when nobody says, in seconds.
const YEAR: i64 = 365 * 24 * 60 * 60;

/// The signers of a cluster, and what each signs.
const API_CLIENT: &str = "kubernetes.io/kube-apiserver-client";
const KUBELET_CLIENT: &str = "kubernetes.io/kube-apiserver-client-kubelet";
const KUBELET_SERVING: &str = "kubernetes.io/kubelet-serving";

impl Api {
    /// Signs a request that has been approved, if one of the cluster's own signers is to. What that signer does not sign
    /// is marked as failed. A request that has a certificate keeps it.
    pub(super) fn sign_approved(&self, served: &Served, name: &str, call: &Call<'_>) {
        let mut make = |stored: Option<&Stored>| {
            let object = &stored.ok_or_else(super::no_such_resource)?.object;
            let mut new = object.clone();
            match self.signed(object) {
                Some(Ok(certificate)) => {
                    drop(new.set_nested(&["status", "certificate"], STANDARD.encode(certificate)));
                }
                Some(Err(why)) => fail(&mut new, &why, &self.registry.clock().now().to_string()),
                None => return Err(internal("there is nothing to sign")),
            }
            self.ownership(served, "status", call).updated(Some(object), new, MANAGER)
        };
        // Others may have deleted or signed it: then there is nothing to do.
        let _ = self.registry.update(
            served,
            "",
            name,
            Part::Status,
            Precondition::SameUid,
            WriteOptions::default(),
            &mut make,
        );
    }

    /// Refuses to approve, sign or attest for a signer without the right to do so for it, or for all of its domain.
    pub(super) fn check_signer(
        &self,
        served: &Served,
        target: &Target<'_>,
        old: Option<&Unstructured>,
        object: &Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        let changes = |path: &[&str]| {
            let of = |object: &Unstructured| object.nested(path).ok().flatten().cloned().unwrap_or_default();
            old.is_none_or(|old| of(old) != of(object))
        };
        let right = served.rules.signers.iter().find(|right| right.subresource == target.subresource);
        let Some(right) =
            right.filter(|right| right.changes.is_empty() || right.changes.iter().any(|path| changes(path)))
        else {
            return Ok(());
        };
        let (verb, what) = (right.verb, right.what);
        let of = if right.of_new { Some(object) } else { old };
        let signer = of.and_then(|of| of.nested_str(&["spec", "signerName"]).ok().flatten());
        let Some(signer) = signer.filter(|signer| !signer.is_empty()) else { return Ok(()) };
        let may = |name: &str| {
            let resource = ResourceAttributes {
                group: GROUP.to_owned(),
                resource: "signers".to_owned(),
                name: name.to_owned(),
                ..ResourceAttributes::default()
            };
            let asked = Attributes { verb: verb.to_owned(), resource: Some(resource), path: String::new() };
            self.gate.decide(&self.registry, &call.user, &asked).allowed
        };
        let domain = signer.split_once('/').map_or(signer, |(domain, _)| domain);
        if may(signer) || may(&format!("{domain}/*")) {
            return Ok(());
        }
        let why = format!("user not permitted to {what} signerName {signer:?}");
        Err(ApiError::forbidden(&served.group_resource(), object.name(), why))
    }

    /// The certificate in PEM, or why there is none; `None` where it is not for us to sign.
    fn signed(&self, request: &Unstructured) -> Option<Result<String, String>> {
        let has = |kind: &str| {
            let conditions =
                request.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
            conditions.iter().any(|one| one["type"] == json!(kind) && one["status"] == json!("True"))
        };
        let spec = request.object.get("spec")?;
        let signer = spec["signerName"].as_str().unwrap_or_default();
        let done = request
            .nested_str(&["status", "certificate"])
            .ok()
            .flatten()
            .is_some_and(|text| !text.is_empty());
        if done || !has("Approved") || has("Denied") || has("Failed") {
            return None;
        }
        let usages: Vec<&str> =
            spec["usages"].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
        if !may_sign(signer, &usages)? {
            return Some(Err(format!("invalid usages for the signer {signer}: {}", usages.join(", "))));
        }
        if let Some(why) = asks_for_too_much(spec) {
            return Some(Err(why));
        }
        Some(self.certificate(spec, &usages))
    }

    fn certificate(&self, spec: &Json, usages: &[&str]) -> Result<String, String> {
        let request = STANDARD.decode(spec["request"].as_str().unwrap_or_default());
        let request = request.map_err(|error| error.to_string())?;
        let wanted = CertificateRequest {
            request: std::str::from_utf8(&request).map_err(|error| error.to_string())?,
            usages,
            now: self.registry.clock().now().seconds(),
            seconds: spec["expirationSeconds"].as_i64().unwrap_or(YEAR).min(YEAR),
        };
        self.authority.grant(&wanted).map_err(|error| error.to_string())
    }
}

/// Refuses a new request that would make somebody a master of the cluster.
pub(super) fn check_request(served: &Served, request: &Unstructured) -> Result<(), ApiError> {
    match request.object.get("spec").and_then(asks_for_too_much) {
        Some(why) => Err(ApiError::forbidden(&served.group_resource(), request.name(), why)),
        None => Ok(()),
    }
}

/// Why the signer of the server's clients never signs a request.
fn asks_for_too_much(spec: &Json) -> Option<String> {
    if spec["signerName"].as_str() != Some(API_CLIENT) {
        return None;
    }
    let request = STANDARD.decode(spec["request"].as_str().unwrap_or_default()).ok()?;
    let masters = requested_groups(&request).iter().any(|group| group == MASTERS);
    masters.then(|| format!("use of {API_CLIENT} signer with {MASTERS} group is not allowed"))
}

/// Whether a signer signs for these usages; `None` for one that is not the cluster's.
fn may_sign(signer: &str, usages: &[&str]) -> Option<bool> {
    let usages: BTreeSet<&str> = usages.iter().copied().collect();
    let optional: BTreeSet<&str> = ["digital signature", "key encipherment"].into();
    let exact = |purpose: &str| {
        let with = |more: &[&'static str]| -> bool {
            usages.len() == more.len() + 1
                && usages.contains(purpose)
                && more.iter().all(|one| usages.contains(one))
        };
        with(&["digital signature", "key encipherment"]) || with(&["digital signature"])
    };
    Some(match signer {
        API_CLIENT => {
            usages.contains("client auth")
                && usages.iter().all(|usage| *usage == "client auth" || optional.contains(usage))
        }
        KUBELET_CLIENT => exact("client auth"),
        KUBELET_SERVING => exact("server auth"),
        _ => return None,
    })
}

fn fail(request: &mut Unstructured, why: &str, now: &str) {
    let condition = json!({
        "type": "Failed", "status": "True", "reason": "SignerValidationFailure", "message": why,
        "lastUpdateTime": now, "lastTransitionTime": now,
    });
    let conditions = request.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let all: Vec<Json> = conditions.iter().cloned().chain([condition]).collect();
    drop(request.set_nested(&["status", "conditions"], Json::from(all)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signer_signs_what_it_is_for() {
        for (signer, usages, expected) in [
            (API_CLIENT, &["client auth"][..], Some(true)),
            (API_CLIENT, &["client auth", "digital signature", "key encipherment"], Some(true)),
            (API_CLIENT, &["digital signature"], Some(false)),
            (API_CLIENT, &["client auth", "server auth"], Some(false)),
            (KUBELET_CLIENT, &["client auth"], Some(false)),
            (KUBELET_CLIENT, &["client auth", "digital signature"], Some(true)),
            (KUBELET_SERVING, &["server auth", "digital signature", "key encipherment"], Some(true)),
            (KUBELET_SERVING, &["server auth", "digital signature", "cert sign"], Some(false)),
            ("example.com/own", &["client auth"], None),
        ] {
            assert_eq!(may_sign(signer, usages), expected, "{signer} {usages:?}");
        }
    }
}
