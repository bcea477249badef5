//! Subjects and validities of certificates and signing requests in DER.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use client_rs_transport::tls_source::{ClientIdentity, Subject};
use x509_parser::prelude::{FromDer, X509Certificate, X509CertificationRequest, X509Name};

/// A key, so that a certificate is read: whether they belong together is not looked at.
static KEY: LazyLock<String> =
    LazyLock::new(|| rcgen::KeyPair::generate().expect("a key can be made").serialize_pem());

/// Subjects and validities are read without a panic, and where there are any, those that `x509-parser` reads.
pub fn certificates(data: &[u8]) {
    let subject = Subject::of_certificate(data);
    if let Ok((_, parsed)) = X509Certificate::from_der(data) {
        same(subject.as_ref(), parsed.subject());
    }
    let subject = Subject::of_request(data);
    if let Ok((_, parsed)) = X509CertificationRequest::from_der(data) {
        same(subject.as_ref(), &parsed.certification_request_info.subject);
    }
    let pem =
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", BASE64_STANDARD.encode(data));
    if let Ok(identity) = ClientIdentity::from_pem(&pem.into(), &KEY.clone().into()) {
        let validity = identity.validity();
        let _ = format!("{identity:?}");
        if let (Some(validity), Ok((_, parsed))) = (validity, X509Certificate::from_der(data)) {
            let seconds = |time: std::time::SystemTime| match time.duration_since(std::time::UNIX_EPOCH) {
                Ok(after) => i64::try_from(after.as_secs()).unwrap(),
                Err(before) => -i64::try_from(before.duration().as_secs()).unwrap(),
            };
            assert_eq!(seconds(validity.not_before), parsed.validity().not_before.timestamp());
            assert_eq!(seconds(validity.not_after), parsed.validity().not_after.timestamp());
        }
    }
}

fn same(ours: Option<&Subject<'_>>, theirs: &X509Name<'_>) {
    // x509-parser stops where the subject is broken, and has what comes before; ours has nothing then.
    let Some(ours) = ours else { return };
    let texts = |found: Vec<&x509_parser::x509::AttributeTypeAndValue<'_>>| -> Option<Vec<String>> {
        found
            .iter()
            .map(|value| std::str::from_utf8(value.attr_value().data).ok().map(str::to_owned))
            .collect()
    };
    let names = texts(theirs.iter_common_name().collect()).map(|mut names| names.pop());
    assert_eq!(ours.common_name().map(str::to_owned), names.flatten());
    let organizations = ours.organizations().map(|all| all.into_iter().map(str::to_owned).collect());
    assert_eq!(organizations, texts(theirs.iter_organization().collect()));
}
