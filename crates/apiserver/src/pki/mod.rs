//! Certificates and requests for them, as they come from clients: DER, PEM, and the signatures of requests.
//!
//! Errors are those of Go's `encoding/asn1` and `crypto/x509`, because the API server passes them on.

pub(crate) mod der;
pub(crate) mod pem;
mod request;
mod signature;

use client_rs_transport::tls_source::is_authority;

pub(crate) use request::SigningRequest;
pub(crate) use signature::{Key, Signature};

/// The identifier of the extension with alternative names: 2.5.29.17.
pub(crate) const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];

/// The number of X.509 certificates in this data, one behind the other.
pub(crate) fn count_certificates(mut der: &[u8]) -> Result<usize, &'static str> {
    let mut count = 0;
    while !der.is_empty() {
        let (one, rest) = der::read_whole(der::SEQUENCE, der).ok_or("x509: malformed certificate")?;
        is_authority(one).ok_or("x509: malformed certificate")?;
        count += 1;
        der = rest;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair};

    use super::*;

    #[test]
    fn certificates_are_counted() {
        let one = CertificateParams::default().self_signed(&KeyPair::generate().unwrap()).unwrap();
        let one = one.der().as_ref();
        assert_eq!(count_certificates(&[]), Ok(0));
        assert_eq!(count_certificates(&[one, one].concat()), Ok(2));
        for malformed in [&one[..one.len() - 1], &[one, b"x"].concat(), b"hello", &[0x30, 0]] {
            assert_eq!(count_certificates(malformed), Err("x509: malformed certificate"));
        }
    }
}
