//! Certificates for tests.

/// A certificate for this name, and its key, both PEM.
pub(crate) fn self_signed(name: &str) -> (String, String) {
    let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// The same, good only from one year to another.
pub(crate) fn self_signed_between(from: i32, to: i32) -> (String, String) {
    let mut params = rcgen::CertificateParams::new(vec!["name".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(from, 1, 2);
    params.not_after = rcgen::date_time_ymd(to, 3, 4);
    let key = rcgen::KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}
