//! `CertificateSigningRequest`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::time::age;
use client_rs_machinery::{ApiError, FieldError, GroupResource, Json, Time, Unstructured};
use client_rs_transport::tls_source::Subject;
use rustls::pki_types::CertificateSigningRequestDer;
use rustls::pki_types::pem::PemObject as _;

use super::request_status;
use crate::kinds::columns::{self, Column};
use crate::kinds::rbac::MASTERS;
use crate::kinds::rules::{
    Errors, FollowUp, KindRules, NameRule, Rights, SelectableField, Serves, SignerRight, Subresource,
    WriteContext, Written,
};
use crate::kinds::shared::checks::{at, list, text, wrong};
use crate::kinds::shared::fields::copy;
use crate::kinds::shared::signer;
use crate::pki::{Signature, SigningRequest};

pub(super) const RULES: KindRules = KindRules {
    plural: "certificatesigningrequests",
    columns: Some(COLUMNS),
    name: NameRule::PathSegment,
    follow_up: Some(FollowUp::SignCertificate),
    fields: &[SelectableField::text("spec.signerName", &["spec", "signerName"])],
    resets: Some(&[&["spec"], &["status"]]),
    subresources: &[Subresource {
        name: "approval",
        serves: Serves::Part(&request_status::APPROVAL),
        resets: &[&["spec"], &["status", "certificate"]],
    }],
    status: request_status::STATUS,
    rights: Rights::signers(SIGNERS),
    complete: Some(set_author),
    check_admission: Some(check_subject),
    prepare_update: |new, old| copy(new, old, &["spec"]),
    validate_create,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::AGE,
    columns::text("SignerName", "Who is asked to sign.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "signerName"]))
    }),
    columns::text("Requestor", "User who made the request.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "username"]))
    }),
    columns::text("RequestedDuration", "How long the certificate is to be valid.", |object, _| {
        let seconds = columns::at(object, &["spec", "expirationSeconds"]).as_i64();
        let zero = Time::new(0, 0);
        let end = seconds.and_then(|seconds| Time::new(seconds, 0));
        zero.zip(end).map_or_else(|| "<none>".into(), |(zero, end)| age(zero, end).into())
    }),
    columns::text(
        "Condition",
        "Whether the request is approved, denied or failed, and the certificate issued.",
        |object, _| {
            let conditions = || columns::list(columns::at(object, &["status", "conditions"]));
            let has = |kind: &str| conditions().any(|one| one["type"].as_str() == Some(kind));
            let mut state: Vec<&str> = Vec::new();
            state.extend(if has("Denied") { Some("Denied") } else { has("Approved").then_some("Approved") });
            state.extend(has("Failed").then_some("Failed"));
            state.extend(
                columns::at(object, &["status", "certificate"])
                    .as_str()
                    .filter(|text| !text.is_empty())
                    .map(|_| "Issued"),
            );
            if state.is_empty() { "Pending".into() } else { state.join(",").into() }
        },
    ),
];

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

/// The signer for clients of the API server.
pub(crate) const API_CLIENT: &str = "kubernetes.io/kube-apiserver-client";

/// The usages that a certificate may have, in the order in which the server lists them.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

/// The shortest validity that can be asked for.
const SHORTEST: i64 = 600;

fn validate_create(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    if let Err(why) = check_signature(text(&spec["request"])) {
        wrong("spec.request", &spec["request"], &why, errors);
    }
    let usages: Vec<&str> = list(&spec["usages"]).map(text).collect();
    if usages.is_empty() {
        errors.push(FieldError::required("spec.usages", ""));
    }
    for (index, usage) in usages.iter().enumerate().filter(|(_, usage)| !USAGES.contains(*usage)) {
        errors.push(FieldError::not_supported(format!("spec.usages[{index}]"), usage, &USAGES));
    }
    for (index, usage) in usages.iter().enumerate().filter(|(at, usage)| usages[..*at].contains(*usage)) {
        errors.push(FieldError::duplicate(format!("spec.usages[{index}]"), usage));
    }
    match text(&spec["signerName"]) {
        name @ "kubernetes.io/legacy-unknown" => errors.push(FieldError::invalid(
            "spec.signerName",
            name,
            "the legacy signerName is not allowed via this API version",
        )),
        name => signer::check(name, "spec.signerName", errors),
    }
    if spec["expirationSeconds"].as_i64().is_some_and(|seconds| seconds < SHORTEST) {
        let why = "may not specify a duration less than 600 seconds (10 minutes)";
        wrong("spec.expirationSeconds", &spec["expirationSeconds"], why, errors);
    }
}

/// Checks that the author of a request has its key. A signature of an algorithm that can't be checked here is allowed; the
/// server's own signer refuses it.
fn check_signature(request: &str) -> Result<(), String> {
    let request = STANDARD.decode(request).unwrap_or_default();
    let request = SigningRequest::from_pem(&request)?;
    match SigningRequest::read(&request)?.signature() {
        Signature::Valid | Signature::Unverified => Ok(()),
        Signature::Invalid(why) => Err(why),
    }
}

/// Refuses a new request for membership in `system:masters`.
fn check_subject(write: &Written<'_>, _: &dyn WriteContext) -> Result<(), ApiError> {
    let why = write.new.object.get("spec").filter(|_| write.old.is_none()).and_then(asks_for_too_much);
    match why {
        Some(why) => {
            let resource = GroupResource::new(RULES.group, RULES.plural);
            Err(ApiError::forbidden(&resource, write.new.name(), why))
        }
        None => Ok(()),
    }
}

/// Sets the user fields of a new request.
fn set_author(object: &mut Unstructured, context: &dyn WriteContext) {
    let Some(author) = context.author() else { return };
    for key in ["username", "uid", "groups", "extra"] {
        match author.get(key) {
            Some(value) => drop(object.set_nested(&["spec", key], value.clone())),
            None => drop(object.remove_nested(&["spec", key])),
        }
    }
}

/// The reason why the signer for API clients refuses a request; `None` if it signs.
pub(crate) fn asks_for_too_much(spec: &Json) -> Option<String> {
    if spec["signerName"].as_str() != Some(API_CLIENT) {
        return None;
    }
    let request = STANDARD.decode(spec["request"].as_str().unwrap_or_default()).ok()?;
    let masters = requested_groups(&request).iter().any(|group| group == MASTERS);
    masters.then(|| format!("use of {API_CLIENT} signer with {MASTERS} group is not allowed"))
}

/// The organizations in a PEM certificate request, which are the user's groups. Empty if it is malformed.
fn requested_groups(request: &[u8]) -> Vec<String> {
    let groups = || {
        let request = CertificateSigningRequestDer::from_pem_slice(request).ok()?;
        let subject = Subject::of_request(&request)?;
        Some(subject.organizations()?.into_iter().map(str::to_owned).collect())
    };
    groups().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    #[test]
    fn the_organizations_of_a_request_are_its_groups() {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::OrganizationName, "system:masters");
        let request = params.serialize_request(&KeyPair::generate().unwrap()).unwrap().pem().unwrap();
        assert_eq!(requested_groups(request.as_bytes()), ["system:masters"]);
        assert_eq!(requested_groups(b"nothing"), [""; 0]);
    }
}
