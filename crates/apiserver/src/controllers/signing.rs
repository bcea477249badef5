//! Signs approved certificate signing requests, as the controller manager of a real cluster does.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{ApiError, Json, Unstructured, collections::VecSet, json};

use crate::access::{Authority, CertificateRequest};
use crate::kinds::certificates::certificate_signing_request::{API_CLIENT, asks_for_too_much};
use crate::object::{Stored, internal};
use crate::registry::{Live, Ownership, Part, Precondition, Registry, Served, WriteOptions};

/// The field manager of the certificate.
const MANAGER: &str = "kube-controller-manager";
/// The default lifetime of a certificate, in seconds.
const YEAR: i64 = 365 * 24 * 60 * 60;

/// The signers of a cluster in addition to [`API_CLIENT`].
const KUBELET_CLIENT: &str = "kubernetes.io/kube-apiserver-client-kubelet";
const KUBELET_SERVING: &str = "kubernetes.io/kubelet-serving";

/// Signs an approved request if its signer is one of the cluster's. A request that this signer refuses is marked as
/// failed. A request that has a certificate keeps it.
///
/// As in a real cluster, the response to the approval does not contain the certificate yet.
pub(super) fn sign_approved(
    registry: &Registry,
    authority: &Authority,
    served: &Served,
    request: &Unstructured,
) {
    if !is_waiting(request) {
        return;
    }
    let now = registry.clock().now();
    let ownership = Ownership::new(registry.catalog(), served, "status", now, None);
    let mut make = |stored: Option<&Stored>| {
        let stored = stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), request.name()))?;
        let object = &stored.object;
        let mut new = object.clone();
        match signed(authority, object, now.seconds()) {
            Some(Ok(certificate)) => {
                drop(new.set_nested(&["status", "certificate"], STANDARD.encode(certificate)));
            }
            Some(Err(why)) => fail(&mut new, &why, &now.to_string()),
            None => return Err(internal("the request no longer needs a signature")),
        }
        ownership.updated(Some(Live::Stored(stored)), new, MANAGER)
    };
    let (part, options) = (Part::Status, WriteOptions::default());
    // It can only fail because another client deleted or signed the request.
    let _ = registry.update(served, "", request.name(), part, Precondition::SameUid, options, &mut make);
}

/// Whether a request is approved, and neither signed nor failed.
fn is_waiting(request: &Unstructured) -> bool {
    let conditions = request.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let has = |kind: &str| {
        conditions.iter().any(|one| one["type"] == json!(kind) && one["status"] == json!("True"))
    };
    let certificate = request.nested_str(&["status", "certificate"]).ok().flatten().unwrap_or_default();
    certificate.is_empty() && has("Approved") && !has("Denied") && !has("Failed")
}

/// The certificate in PEM, or the reason for refusing it; `None` for a signer that is not the cluster's.
fn signed(authority: &Authority, request: &Unstructured, now: i64) -> Option<Result<String, String>> {
    if !is_waiting(request) {
        return None;
    }
    let spec = request.object.get("spec")?;
    let signer = spec["signerName"].as_str().unwrap_or_default();
    let usages: Vec<&str> = spec["usages"].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
    if !may_sign(signer, &usages)? {
        return Some(Err(format!("invalid usages for the signer {signer}: {}", usages.join(", "))));
    }
    if let Some(why) = asks_for_too_much(spec) {
        return Some(Err(why));
    }
    Some(certificate(authority, spec, &usages, now))
}

fn certificate(authority: &Authority, spec: &Json, usages: &[&str], now: i64) -> Result<String, String> {
    let request = STANDARD.decode(spec["request"].as_str().unwrap_or_default());
    let request = request.map_err(|error| error.to_string())?;
    let wanted = CertificateRequest {
        request: &request,
        usages,
        now,
        seconds: spec["expirationSeconds"].as_i64().unwrap_or(YEAR).min(YEAR),
    };
    authority.grant(&wanted).map_err(|error| error.to_string())
}

/// Whether a signer signs for these usages; `None` for a signer that is not the cluster's.
fn may_sign(signer: &str, usages: &[&str]) -> Option<bool> {
    let usages: VecSet<&str> = usages.iter().copied().collect();
    let optional: VecSet<&str> = ["digital signature", "key encipherment"].into();
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
    fn a_signer_signs_only_its_usages() {
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
