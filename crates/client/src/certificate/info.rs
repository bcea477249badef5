//! Certificates, read.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use x509_parser::pem::Pem;
use x509_parser::prelude::X509Certificate;

use super::pair::{Leaf, encode};
use super::store::failed;
use crate::certificate::{CertificateError, CertificateTemplate};

/// A certificate without its key, as it was read: one of a chain or of a bundle of authorities.
///
/// ```
/// use client_rs_client::certificate::{CertificateAuthority, CertificateInfo};
///
/// let bundle = ["old", "new"].map(|name| CertificateAuthority::generate(name).map(|ca| ca.certificate().to_owned()));
/// let [old, new] = bundle;
/// let bundle = CertificateInfo::all_from_pem(&(old? + &new?))?;
/// assert_eq!(bundle.iter().map(|one| one.subject.common_name.as_str()).collect::<Vec<_>>(), ["old", "new"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CertificateInfo {
    /// The subject, with its names and addresses.
    pub subject: CertificateTemplate,
    /// The name of the issuer, as in `CN=ca, O=team`.
    pub issuer: String,
    /// The serial number, in hexadecimal digits.
    pub serial: String,
    /// The first instant at which it is valid.
    pub not_before: SystemTime,
    /// The last instant at which it is valid.
    pub not_after: SystemTime,
    /// Whether it may sign other certificates.
    pub is_authority: bool,
    der: Vec<u8>,
}

impl CertificateInfo {
    /// Reads all certificates of a PEM text, in its order. Other blocks are skipped. A text without a certificate is an error.
    pub fn all_from_pem(text: &str) -> Result<Vec<Self>, CertificateError> {
        let bad = |what: String| CertificateError::Pair(what);
        let mut found = Vec::new();
        for block in Pem::iter_from_buffer(text.as_bytes()) {
            let block = block.map_err(|error| bad(format!("the certificate is not PEM: {error}")))?;
            if block.label == "CERTIFICATE" {
                found.push(Self::from_der(block.contents)?);
            }
        }
        if found.is_empty() {
            return Err(bad("no CERTIFICATE block found in the PEM".to_owned()));
        }
        Ok(found)
    }

    /// Reads all certificates of a file; see [`all_from_pem`](Self::all_from_pem).
    pub fn all_from_file(path: impl AsRef<Path>) -> Result<Vec<Self>, CertificateError> {
        let path = path.as_ref();
        Self::all_from_pem(&fs::read_to_string(path).map_err(|error| failed(path, error))?)
    }

    /// Reads a certificate.
    pub fn from_der(der: Vec<u8>) -> Result<Self, CertificateError> {
        let parsed = parse(&der)?;
        let Leaf { subject, not_before, not_after, .. } = Leaf::of(&parsed)?;
        let (issuer, serial) = (parsed.issuer().to_string(), parsed.tbs_certificate.raw_serial_as_string());
        let is_authority = parsed.is_ca();
        Ok(Self { subject, issuer, serial, not_before, not_after, is_authority, der })
    }

    /// The certificate as DER.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The certificate as PEM.
    pub fn pem(&self) -> String {
        encode("CERTIFICATE", &self.der)
    }

    /// Returns `true` if it has expired.
    pub fn is_expired(&self, now: SystemTime) -> bool {
        now > self.not_after
    }

    /// Returns `true` if the other certificate's key signed this one, and the names fit. Times and usages are not checked: TLS
    /// does that.
    pub fn is_signed_by(&self, authority: &Self) -> bool {
        let (Ok(own), Ok(other)) = (parse(&self.der), parse(&authority.der)) else { return false };
        own.issuer().as_raw() == other.subject().as_raw()
            && own.verify_signature(Some(other.public_key())).is_ok()
    }
}

fn parse(der: &[u8]) -> Result<X509Certificate<'_>, CertificateError> {
    x509_parser::parse_x509_certificate(der)
        .map(|(_, parsed)| parsed)
        .map_err(|error| CertificateError::Pair(format!("the certificate can't be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::pair::tests::{pem, template};

    #[test]
    fn certificates_are_read_from_text_and_files() {
        let (certificate, key) = pem(&template(), 1_000_000_000, 3600);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tls.crt");
        fs::write(&path, format!("{key}{certificate}{certificate}")).unwrap();
        let read = CertificateInfo::all_from_file(&path).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].subject, template());
        assert!(read[0].issuer.contains("CN=system:node:a") && !read[0].serial.is_empty());
        assert!(!read[0].is_authority && read[0].is_expired(SystemTime::now()));
        assert_eq!(CertificateInfo::all_from_pem(&read[1].pem()).unwrap(), read[1..]);
    }

    #[test]
    fn a_text_without_a_certificate_is_an_error() {
        let (_, key) = pem(&template(), 1_000_000_000, 3600);
        for text in ["", "garbage", &key, &encode("CERTIFICATE", b"x")] {
            assert!(matches!(CertificateInfo::all_from_pem(text), Err(CertificateError::Pair(_))), "{text}");
        }
        let missing = CertificateInfo::all_from_file("/nowhere/tls.crt");
        assert!(matches!(missing, Err(CertificateError::File { .. })));
    }
}
