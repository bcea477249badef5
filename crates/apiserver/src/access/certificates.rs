//! Client certificates: the user that each names, and whether our authority signed it.

use std::fmt::Write as _;
use std::sync::Arc;

use client_rs_transport::tls_source::Subject;
use ring::digest;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};

use crate::request::{CREDENTIAL_ID, User};

/// Accepts every client certificate in the handshake, as long as the client has its key. The signature of the
/// authority is checked later. So a client with a certificate of another authority receives 401, as from the real
/// server, instead of a failed handshake.
#[derive(Debug)]
pub(crate) struct AnyCertificate(pub(crate) Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for AnyCertificate {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The user of a certificate that our authority signed. The common name is the user name, the organizations are the
/// groups.
pub(crate) fn user(
    authority: &dyn ClientCertVerifier,
    chain: &[CertificateDer<'_>],
    now: UnixTime,
) -> Option<User> {
    let (own, others) = chain.split_first()?;
    authority.verify_client_cert(own, others, now).ok()?;
    let (name, groups) = subject(own)?;
    let mut id = "X509SHA256=".to_owned();
    for byte in digest::digest(&digest::SHA256, own).as_ref() {
        // Writing to a string never fails.
        let _ = write!(id, "{byte:02x}");
    }
    let mut user = User::new(name, groups);
    user.extra.insert(CREDENTIAL_ID.to_owned(), vec![id]);
    Some(user)
}

/// The common name and the organizations of a certificate's subject.
fn subject(certificate: &[u8]) -> Option<(String, Vec<String>)> {
    let subject = Subject::of_certificate(certificate)?;
    let common = subject.common_name().filter(|common| !common.is_empty())?;
    Some((common.to_owned(), owned(subject.organizations()?)))
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    #[test]
    fn the_subject_of_a_certificate_names_the_user() {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CountryName, "ZZ");
        params.distinguished_name.push(DnType::OrganizationName, "builders");
        params.distinguished_name.push(DnType::CommonName, "jane");
        let certificate = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
        assert_eq!(subject(certificate.der()), Some(("jane".to_owned(), vec!["builders".to_owned()])));
    }

    #[test]
    fn malformed_certificates_have_no_user() {
        assert_eq!(subject(b""), None);
        assert_eq!(subject(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(subject(&[0x30, 0x03, 0x30, 0x01, 0x00]), None);
    }
}
