//! A client certificate with its key.

use std::{fmt, time::SystemTime};

use bytes::Bytes;
use client_rs_machinery::Time;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};

use super::x509::{SEQUENCE, element, from_validity};

/// A parsed client certificate chain and its key. The TLS library checks whether they match.
///
/// ```
/// use client_rs_transport::tls_source::ClientIdentity;
///
/// # let made = rcgen::generate_simple_self_signed(vec!["me".to_owned()]).unwrap();
/// # let (certificate, key) = (made.cert.pem().into(), made.signing_key.serialize_pem().into());
/// let identity = ClientIdentity::from_pem(&certificate, &key)?;
/// assert_eq!(identity.chain().len(), 1);
/// assert!(identity.validity().is_some_and(|validity| validity.not_after > std::time::SystemTime::now()));
/// # Ok::<(), String>(())
/// ```
pub struct ClientIdentity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    validity: Option<Validity>,
}

/// The time during which a certificate is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validity {
    /// The first instant.
    pub not_before: SystemTime,
    /// The last instant.
    pub not_after: SystemTime,
}

impl ClientIdentity {
    /// Parses a certificate chain (leaf first) and a key, both PEM. The error names the cause and shows neither of them.
    pub fn from_pem(certificate: &Bytes, key: &Bytes) -> Result<Self, String> {
        let chain = CertificateDer::pem_slice_iter(certificate)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| format!("client certificate is not PEM: {error}"))?;
        let Some(leaf) = chain.first() else {
            return Err("client certificate: no CERTIFICATE block found in the PEM".to_owned());
        };
        let key = PrivateKeyDer::from_pem_slice(key)
            .map_err(|error| format!("client key: no usable private key in the PEM: {error}"))?;
        let validity = validity_of(leaf);
        Ok(Self { chain, key, validity })
    }

    /// The certificates, leaf first.
    pub fn chain(&self) -> &[CertificateDer<'static>] {
        &self.chain
    }

    /// The private key.
    pub fn key(&self) -> &PrivateKeyDer<'static> {
        &self.key
    }

    /// The validity of the leaf certificate. `None` if it is missing or has an unknown format.
    pub fn validity(&self) -> Option<Validity> {
        self.validity
    }
}

impl PartialEq for ClientIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.chain == other.chain && self.key == other.key
    }
}

impl Eq for ClientIdentity {}

impl fmt::Debug for ClientIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientIdentity")
            .field("certificates", &self.chain.len())
            .field("validity", &self.validity)
            .finish_non_exhaustive()
    }
}

/// The validity of an X.509 certificate.
pub(crate) fn validity_of(certificate: &[u8]) -> Option<Validity> {
    let (_, validity, _) = element(from_validity(certificate)?).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (tag, text, rest) = element(validity)?;
    let not_before = der_time(tag, text)?;
    let (tag, text, _) = element(rest)?;
    let not_after = der_time(tag, text)?;
    Some(Validity { not_before, not_after })
}

/// Parses `UTCTime` (two digits of year) and `GeneralizedTime` (four), in the only format that RFC 5280 allows: to the second,
/// in UTC.
fn der_time(tag: u8, text: &[u8]) -> Option<SystemTime> {
    const UTC_TIME: u8 = 0x17;
    const GENERALIZED_TIME: u8 = 0x18;
    let text = str::from_utf8(text).ok().filter(|text| text.is_ascii())?;
    let (century, text) = match (tag, text.len()) {
        (UTC_TIME, 13) => (if text < "5" { "20" } else { "19" }, text),
        (GENERALIZED_TIME, 15) => text.split_at(2),
        _ => return None,
    };
    let [year, month, day, hour, minute, second] = [0, 2, 4, 6, 8, 10].map(|at| &text[at..at + 2]);
    let zone = &text[12..];
    Time::parse(format!("{century}{year}-{month}-{day}T{hour}:{minute}:{second}{zone}")).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_certificates::{self_signed, self_signed_between};

    #[test]
    fn the_validity_comes_from_the_certificate() {
        let time = |text: &str| SystemTime::try_from(Time::parse(text).unwrap()).unwrap();
        // Years before 1950 and from 2050 on use another format.
        for (from, to) in [(1949, 2049), (1950, 2050), (1999, 2024), (2020, 9999)] {
            let (certificate, key) = self_signed_between(from, to);
            let identity = ClientIdentity::from_pem(&certificate.into(), &key.into()).unwrap();
            let validity = identity.validity().unwrap();
            assert_eq!(validity.not_before, time(&format!("{from}-01-02T00:00:00Z")));
            assert_eq!(validity.not_after, time(&format!("{to}-03-04T00:00:00Z")));
        }
    }

    #[test]
    fn a_broken_certificate_has_no_validity_and_does_not_panic() {
        let (certificate, key) = self_signed("name");
        let identity = ClientIdentity::from_pem(&certificate.into(), &key.into()).unwrap();
        let der = identity.chain()[0].as_ref();
        for end in 0..der.len() {
            let _ = validity_of(&der[..end]);
            let mut changed = der.to_vec();
            changed[end] ^= 0xff;
            let _ = validity_of(&changed);
        }
        assert_eq!(validity_of(&der[..40]), None);
        assert_eq!(der_time(0x17, b"9913320000000"), None);
        assert_eq!(der_time(0x18, "20200102\u{e9}\u{e9}000Z".as_bytes()), None);
    }

    #[test]
    fn debug_shows_no_key() {
        let (certificate, key) = self_signed("name");
        let identity = ClientIdentity::from_pem(&certificate.into(), &key.into()).unwrap();
        let text = format!("{identity:?}");
        assert!(text.starts_with("ClientIdentity { certificates: 1, validity: Some("), "{text}");
    }
}
