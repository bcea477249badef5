//! A certificate signing request (PKCS #10): the parts that go into a certificate, as their bytes.

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateSigningRequestDer, SignatureVerificationAlgorithm};

use super::der::{BIT_STRING, BOOLEAN, INTEGER, OBJECT_ID, OCTET_STRING, SEQUENCE, SET, read, read_whole};
use super::x509::SUBJECT_ALT_NAME;

/// A request whose signature is valid: its author has the key.
///
/// The parts are copied, not interpreted. So the certificate has exactly the subject of the request, also with attributes
/// that occur more than once, as the groups of a user do.
#[derive(Debug)]
pub(super) struct SigningRequest {
    /// The subject, a `Name`.
    pub(super) subject: Vec<u8>,
    /// The public key, a `SubjectPublicKeyInfo`.
    pub(super) key: Vec<u8>,
    /// The requested names and addresses, a `GeneralNames`.
    pub(super) names: Option<Vec<u8>>,
}

/// The parts of a request before its signature is checked.
struct Parts<'a> {
    /// The signed bytes.
    signed: &'a [u8],
    /// The content of the signature's `AlgorithmIdentifier`.
    algorithm: &'a [u8],
    signature: &'a [u8],
    subject: &'a [u8],
    key: &'a [u8],
    /// Empty if none are requested.
    names: &'a [u8],
}

impl SigningRequest {
    /// Reads a request in PEM, and checks its signature.
    pub(super) fn from_pem(pem: &str) -> Result<Self, &'static str> {
        let der = CertificateSigningRequestDer::from_pem_slice(pem.as_bytes());
        let der = der.map_err(|_| "the request is not a certificate request in PEM")?;
        let parts = parts(&der).ok_or("the request is malformed")?;
        parts.check_signature(default_provider().signature_verification_algorithms.all)?;
        Ok(Self {
            subject: parts.subject.to_vec(),
            key: parts.key.to_vec(),
            names: (!parts.names.is_empty()).then(|| parts.names.to_vec()),
        })
    }
}

impl Parts<'_> {
    fn check_signature(
        &self,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
    ) -> Result<(), &'static str> {
        let (kind, key) = public_key(self.key).ok_or("the public key of the request is malformed")?;
        let mut fitting = algorithms
            .iter()
            .filter(|one| one.signature_alg_id().as_ref() == self.algorithm)
            .filter(|one| one.public_key_alg_id().as_ref() == kind)
            .peekable();
        if fitting.peek().is_none() {
            return Err("the request has a key or signature of an unsupported algorithm");
        }
        let valid = fitting.any(|one| one.verify_signature(key, self.signed, self.signature).is_ok());
        if valid { Ok(()) } else { Err("the signature of the request is invalid") }
    }
}

fn parts(der: &[u8]) -> Option<Parts<'_>> {
    let (request, after) = read(SEQUENCE, der)?;
    let (signed, rest) = read_whole(SEQUENCE, request)?;
    let (algorithm, rest) = read(SEQUENCE, rest)?;
    let (signature, end) = read(BIT_STRING, rest)?;
    let (info, _) = read(SEQUENCE, signed)?;
    let (_version, info) = read(INTEGER, info)?;
    let (subject, info) = read_whole(SEQUENCE, info)?;
    let (key, attributes) = read_whole(SEQUENCE, info)?;
    if !after.is_empty() || !end.is_empty() || !is_name(subject) {
        return None;
    }
    Some(Parts {
        signed,
        algorithm,
        signature: signature.strip_prefix(&[0])?,
        subject,
        key,
        names: names(attributes)?,
    })
}

/// The content of the `AlgorithmIdentifier` of a key, and its bits.
fn public_key(info: &[u8]) -> Option<(&[u8], &[u8])> {
    let (info, _) = read(SEQUENCE, info)?;
    let (kind, rest) = read(SEQUENCE, info)?;
    let (bits, _) = read(BIT_STRING, rest)?;
    Some((kind, bits.strip_prefix(&[0])?))
}

/// Whether this is a `Name`: a sequence of sets that are not empty.
fn is_name(name: &[u8]) -> bool {
    let Some((mut sets, _)) = read(SEQUENCE, name) else { return false };
    while !sets.is_empty() {
        match read(SET, sets) {
            Some((set, rest)) if !set.is_empty() => sets = rest,
            _ => return false,
        }
    }
    true
}

/// The requested names in the attributes of a request; empty if there are none. `None` if the attributes are malformed.
fn names(attributes: &[u8]) -> Option<&[u8]> {
    /// The tag of the attributes.
    const ATTRIBUTES: u8 = 0xa0;
    /// 1.2.840.113549.1.9.14
    const EXTENSION_REQUEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e];
    let mut rest = match attributes {
        [] => return Some(&[]),
        _ => read(ATTRIBUTES, attributes)?.0,
    };
    while !rest.is_empty() {
        let (attribute, after) = read(SEQUENCE, rest)?;
        rest = after;
        let (id, values) = read(OBJECT_ID, attribute)?;
        if id != EXTENSION_REQUEST {
            continue;
        }
        let (mut extensions, _) = read(SEQUENCE, read(SET, values)?.0)?;
        while !extensions.is_empty() {
            let (extension, after) = read(SEQUENCE, extensions)?;
            extensions = after;
            let (id, value) = read(OBJECT_ID, extension)?;
            if id == SUBJECT_ALT_NAME {
                // A flag before the value may mark the extension as critical.
                let value = read(BOOLEAN, value).map_or(value, |(_, value)| value);
                let (names, _) = read(OCTET_STRING, value)?;
                read(SEQUENCE, names)?;
                return Some(names);
            }
        }
    }
    Some(&[])
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, PublicKeyData as _, SignatureAlgorithm};

    use super::*;

    fn request(kind: &'static SignatureAlgorithm, names: &[&str]) -> (KeyPair, String) {
        let key = KeyPair::generate_for(kind).unwrap();
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let params = CertificateParams::new(names).unwrap();
        let pem = params.serialize_request(&key).unwrap().pem().unwrap();
        (key, pem)
    }

    #[test]
    fn parts_are_copied_for_every_kind_of_key() {
        for kind in [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ECDSA_P384_SHA384, &rcgen::PKCS_ED25519] {
            let (key, pem) = request(kind, &["node.example", "127.0.0.1"]);
            let read = SigningRequest::from_pem(&pem).unwrap();
            assert_eq!(read.key, key.subject_public_key_info());
            let names = read.names.unwrap();
            let dns = [&[0x82, 12], b"node.example".as_slice()].concat();
            assert!(names.windows(dns.len()).any(|part| part == dns), "{names:?}");
            assert!(names.ends_with(&[0x87, 4, 127, 0, 0, 1]), "{names:?}");
        }
        assert_eq!(SigningRequest::from_pem(&request(&rcgen::PKCS_ED25519, &[]).1).unwrap().names, None);
    }

    #[test]
    fn a_request_that_was_changed_has_no_valid_signature() {
        let (_, pem) = request(&rcgen::PKCS_ECDSA_P256_SHA256, &["node.example"]);
        let der = CertificateSigningRequestDer::from_pem_slice(pem.as_bytes()).unwrap();
        let mut changed = der.to_vec();
        let at = changed.windows(4).position(|part| part == b"node").unwrap();
        changed[at] = b'c';
        let parts = parts(&changed).unwrap();
        let why =
            parts.check_signature(default_provider().signature_verification_algorithms.all).unwrap_err();
        assert_eq!(why, "the signature of the request is invalid");
    }

    #[test]
    fn a_malformed_request_is_an_error() {
        let (_, pem) = request(&rcgen::PKCS_ECDSA_P256_SHA256, &["node.example"]);
        let der = CertificateSigningRequestDer::from_pem_slice(pem.as_bytes()).unwrap().to_vec();
        for length in 0..der.len() {
            assert!(parts(&der[..length]).is_none(), "{length}");
        }
        // Each byte changed: never a panic, and never a valid signature over other content.
        let algorithms = default_provider().signature_verification_algorithms.all;
        for at in 0..der.len() {
            let mut changed = der.clone();
            changed[at] ^= 0x55;
            if let Some(parts) = parts(&changed) {
                assert!(parts.check_signature(algorithms).is_err(), "{at}");
            }
        }
        assert!(SigningRequest::from_pem("no PEM").is_err());
    }

    #[test]
    fn an_empty_part_of_a_name_is_malformed() {
        assert!(is_name(&[0x30, 0]));
        assert!(!is_name(&[0x30, 2, 0x31, 0]));
        assert!(!is_name(&[0x30, 2, 0x30, 0]));
    }
}
