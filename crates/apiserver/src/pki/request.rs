//! A certificate signing request (PKCS #10): the parts that go into a certificate, as their bytes.

use super::der::{BIT_STRING, BOOLEAN, INTEGER, OBJECT_ID, OCTET_STRING, SEQUENCE, SET, read, read_whole};
use super::{Key, SUBJECT_ALT_NAME, Signature, pem};

/// A request. Its parts are not interpreted, so a certificate can have exactly the subject of the request, also with
/// attributes that occur more than once, as the groups of a user do.
#[derive(Debug)]
pub(crate) struct SigningRequest<'a> {
    /// The subject, a `Name`.
    pub(crate) subject: &'a [u8],
    /// The public key, a `SubjectPublicKeyInfo`.
    pub(crate) key: &'a [u8],
    /// The requested names and addresses, a `GeneralNames`; empty if none are requested.
    pub(crate) names: &'a [u8],
    /// The signed bytes.
    signed: &'a [u8],
    /// The content of the signature's `AlgorithmIdentifier`.
    algorithm: &'a [u8],
    signature: &'a [u8],
}

impl<'a> SigningRequest<'a> {
    /// The DER of a request in PEM. Only the first block counts.
    pub(crate) fn from_pem(text: &[u8]) -> Result<Vec<u8>, &'static str> {
        let first = pem::blocks(&String::from_utf8_lossy(text)).next();
        let found = first.filter(|block| block.label == "CERTIFICATE REQUEST");
        Ok(found.ok_or("PEM block type must be CERTIFICATE REQUEST")?.content)
    }

    /// Reads a request in DER. Its signature is not checked.
    pub(crate) fn read(der: &'a [u8]) -> Result<Self, &'static str> {
        match (der, read(SEQUENCE, der)) {
            ([] | [SEQUENCE, 0], _) => return Err("asn1: syntax error: sequence truncated"),
            ([SEQUENCE, ..], None) => return Err("asn1: syntax error: data truncated"),
            (_, Some((_, after))) if !after.is_empty() => return Err("asn1: syntax error: trailing data"),
            _ => {}
        }
        Self::parts(der).ok_or("asn1: structure error: malformed certificate request")
    }

    fn parts(der: &'a [u8]) -> Option<Self> {
        let (request, _) = read(SEQUENCE, der)?;
        let (signed, rest) = read_whole(SEQUENCE, request)?;
        let (algorithm, rest) = read(SEQUENCE, rest)?;
        let (signature, end) = read(BIT_STRING, rest)?;
        let (info, _) = read(SEQUENCE, signed)?;
        let (_version, info) = read(INTEGER, info)?;
        let (subject, info) = read_whole(SEQUENCE, info)?;
        let (key, attributes) = read_whole(SEQUENCE, info)?;
        if !end.is_empty() || !is_name(subject) {
            return None;
        }
        let signature = signature.strip_prefix(&[0])?;
        Some(Self { subject, key, names: names(attributes)?, signed, algorithm, signature })
    }

    /// Whether the author of the request has the key.
    pub(crate) fn signature(&self) -> Signature {
        match Key::read(self.key) {
            Ok(key) => key.check(self.algorithm, self.signed, self.signature),
            Err(why) => Signature::Invalid(why.to_owned()),
        }
    }
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

    fn request(kind: &'static SignatureAlgorithm, names: &[&str]) -> (KeyPair, Vec<u8>) {
        let key = KeyPair::generate_for(kind).unwrap();
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let params = CertificateParams::new(names).unwrap();
        let pem = params.serialize_request(&key).unwrap().pem().unwrap();
        (key, SigningRequest::from_pem(pem.as_bytes()).unwrap())
    }

    #[test]
    fn parts_are_copied_for_every_kind_of_key() {
        for kind in [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ECDSA_P384_SHA384, &rcgen::PKCS_ED25519] {
            let (key, der) = request(kind, &["node.example", "127.0.0.1"]);
            let read = SigningRequest::read(&der).unwrap();
            assert_eq!(read.signature(), Signature::Valid);
            assert_eq!(read.key, key.subject_public_key_info());
            let dns = [&[0x82, 12], b"node.example".as_slice()].concat();
            assert!(read.names.windows(dns.len()).any(|part| part == dns), "{:?}", read.names);
            assert!(read.names.ends_with(&[0x87, 4, 127, 0, 0, 1]), "{:?}", read.names);
        }
        assert_eq!(SigningRequest::read(&request(&rcgen::PKCS_ED25519, &[]).1).unwrap().names, b"");
    }

    #[test]
    fn a_request_that_was_changed_has_no_valid_signature() {
        for (kind, why) in [
            (&rcgen::PKCS_ECDSA_P256_SHA256, "x509: ECDSA verification failure"),
            (&rcgen::PKCS_ED25519, "x509: Ed25519 verification failure"),
        ] {
            let (_, mut changed) = request(kind, &["node.example"]);
            let at = changed.windows(4).position(|part| part == b"node").unwrap();
            changed[at] = b'c';
            let found = SigningRequest::read(&changed).unwrap().signature();
            assert_eq!(found, Signature::Invalid(why.to_owned()));
        }
    }

    #[test]
    fn a_malformed_request_is_an_error() {
        let (_, der) = request(&rcgen::PKCS_ECDSA_P256_SHA256, &["node.example"]);
        for length in 1..der.len() {
            let why = SigningRequest::read(&der[..length]).unwrap_err();
            assert_eq!(why, "asn1: syntax error: data truncated", "{length}");
        }
        // Each byte changed: never a panic, and never a valid signature over other content.
        for at in 0..der.len() {
            let mut changed = der.clone();
            changed[at] ^= 0x55;
            let valid = SigningRequest::read(&changed).is_ok_and(|read| read.signature() == Signature::Valid);
            assert!(!valid, "{at}");
        }
        let malformed = "asn1: structure error: malformed certificate request";
        for (der, why) in [
            (&b""[..], "asn1: syntax error: sequence truncated"),
            (&[SEQUENCE, 0], "asn1: syntax error: sequence truncated"),
            (&[&der[..], b"x"].concat(), "asn1: syntax error: trailing data"),
            (b"hello", malformed),
            (&[SEQUENCE, 2, SEQUENCE, 0], malformed),
        ] {
            assert_eq!(SigningRequest::read(der).unwrap_err(), why);
        }
        let why = SigningRequest::from_pem(b"no PEM").unwrap_err();
        assert_eq!(why, "PEM block type must be CERTIFICATE REQUEST");
    }

    #[test]
    fn an_empty_part_of_a_name_is_malformed() {
        assert!(is_name(&[0x30, 0]));
        assert!(!is_name(&[0x30, 2, 0x31, 0]));
        assert!(!is_name(&[0x30, 2, 0x30, 0]));
    }
}
