//! The certificate authority of a server: created on first use, and lost when the server stops.

use std::fmt;
use std::io;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, PublicKeyData, SigningKey as _,
};
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;
use time::{Duration, OffsetDateTime};

use super::leaf::{Leaf, Usages, user_name};
use super::signing_request::SigningRequest;
use crate::request::User;

/// How far in the past a certificate's validity begins, because clocks differ.
const BACKDATED: Duration = Duration::minutes(5);

/// Signs certificates of servers and users.
///
/// Generating its key takes time. A server without TLS generates the key only when somebody requests a certificate.
#[derive(Default)]
pub(crate) struct Authority {
    issuer: OnceLock<Result<CertifiedIssuer<'static, KeyPair>, String>>,
}

/// A request for a certificate.
pub(crate) struct CertificateRequest<'a> {
    /// The certificate signing request, in PEM.
    pub(crate) request: &'a str,
    /// The key usages, as the API spells them.
    pub(crate) usages: &'a [&'a str],
    /// The server's time, in seconds since 1970.
    pub(crate) now: i64,
    /// The lifetime of the certificate, in seconds.
    pub(crate) seconds: i64,
}

impl Authority {
    /// Its own certificate.
    pub(crate) fn der(&self) -> io::Result<&CertificateDer<'static>> {
        Ok(self.issuer()?.der())
    }

    /// Its own certificate, in PEM.
    pub(crate) fn pem(&self) -> io::Result<String> {
        Ok(self.issuer()?.pem())
    }

    /// Its key, in PEM.
    pub(crate) fn key(&self) -> io::Result<String> {
        Ok(self.issuer()?.key().serialize_pem())
    }

    /// Signs a certificate for the given key.
    pub(crate) fn sign(
        &self,
        params: &CertificateParams,
        key: &impl PublicKeyData,
    ) -> io::Result<Certificate> {
        params.signed_by(key, self.issuer()?).map_err(io::Error::other)
    }

    /// Issues a client certificate that identifies a user. Returns the certificate and its key, both in PEM.
    pub(crate) fn issue(&self, user: &User) -> io::Result<(String, String)> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let validity = CertificateParams::default();
        let certificate = self.sign_leaf(&Leaf {
            issuer: &user_name(NAME, &[]),
            issuer_key: &self.key_identifier()?,
            subject: &user_name(&user.name, &user.groups),
            key: &key.subject_public_key_info(),
            names: None,
            usages: &Usages::read(&["client auth"]).map_err(io::Error::other)?,
            not_before: validity.not_before,
            not_after: validity.not_after,
        })?;
        Ok((certificate, key.serialize_pem()))
    }

    /// Issues a serving certificate for this machine. Returns the certificate and its key, both in PEM.
    pub(crate) fn issue_serving(&self) -> io::Result<(String, String)> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        Ok((self.sign(&params, &key)?.pem(), key.serialize_pem()))
    }

    /// Signs a certificate signing request and returns the certificate in PEM. Subject, names and key come from the
    /// request.
    pub(crate) fn grant(&self, wanted: &CertificateRequest<'_>) -> io::Result<String> {
        let asked = SigningRequest::from_pem(wanted.request).map_err(io::Error::other)?;
        let now = OffsetDateTime::from_unix_timestamp(wanted.now).map_err(io::Error::other)?;
        self.sign_leaf(&Leaf {
            issuer: &user_name(NAME, &[]),
            issuer_key: &self.key_identifier()?,
            subject: &asked.subject,
            key: &asked.key,
            names: asked.names.as_deref(),
            usages: &Usages::read(wanted.usages).map_err(io::Error::other)?,
            not_before: now - BACKDATED,
            not_after: now.saturating_add(Duration::seconds(wanted.seconds)),
        })
    }

    /// Signs a certificate and returns it in PEM.
    fn sign_leaf(&self, leaf: &Leaf<'_>) -> io::Result<String> {
        let issuer = self.issuer()?;
        let der = leaf.signed(|text| issuer.key().sign(text).map_err(io::Error::other))?;
        // A part of a request that the authority copied may be malformed in a way that it does not look at.
        let der = CertificateDer::from(der);
        ParsedCertificate::try_from(&der).map_err(io::Error::other)?;
        Ok(to_pem(&der))
    }

    /// The identifier of its key.
    fn key_identifier(&self) -> io::Result<Vec<u8>> {
        Ok(CertificateParams::default().key_identifier(self.issuer()?.key()))
    }

    fn issuer(&self) -> io::Result<&CertifiedIssuer<'static, KeyPair>> {
        let made = self.issuer.get_or_init(|| make().map_err(|error| error.to_string()));
        made.as_ref().map_err(|why| io::Error::other(why.clone()))
    }
}

/// The name of every server's authority.
pub(crate) const NAME: &str = "client-rs-apiserver-ca";

fn make() -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.remove(DnType::CommonName);
    params.distinguished_name.push(DnType::CommonName, NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

/// A certificate in PEM.
fn to_pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let mut pem = "-----BEGIN CERTIFICATE-----\n".to_owned();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        pem.extend([line, "\n"]);
        rest = after;
    }
    pem.push_str("-----END CERTIFICATE-----\n");
    pem
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authority")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use client_rs_transport::tls_source::Subject;
    use rustls::RootCertStore;
    use rustls::pki_types::UnixTime;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::server::WebPkiClientVerifier;

    use super::*;
    use crate::access::certificates::user;
    use crate::access::der;

    const NOW: i64 = 1_800_000_000;

    /// The user of a certificate that the authority signed; `None` if a verifier does not accept it.
    fn verified(authority: &Authority, pem: &str) -> Option<User> {
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().unwrap().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs(NOW.unsigned_abs()));
        user(verifier.as_ref(), &[certificate], now)
    }

    #[test]
    fn a_user_keeps_all_groups() {
        let authority = Authority::default();
        let groups = ["builders", "painters", "system:masters"].map(str::to_owned);
        let (certificate, key) = authority.issue(&User::new("jane", groups.to_vec())).unwrap();
        let found = verified(&authority, &certificate).unwrap();
        assert_eq!((found.name.as_str(), found.groups.as_slice()), ("jane", &groups[..]));
        assert!(key.starts_with("-----BEGIN PRIVATE KEY-----"));
        assert_eq!(verified(&Authority::default(), &certificate), None);
    }

    #[test]
    fn a_granted_request_has_its_subject_names_and_lifetime() {
        let authority = Authority::default();
        let mut params = CertificateParams::new(["node.example".to_owned()]).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::OrganizationName, "system:nodes");
        params.distinguished_name.push(DnType::CommonName, "system:node:worker");
        let key = KeyPair::generate().unwrap();
        let request = params.serialize_request(&key).unwrap().pem().unwrap();
        let wanted = |usages| CertificateRequest { request: &request, usages, now: NOW, seconds: 600 };
        let pem = authority.grant(&wanted(&["digital signature", "client auth"])).unwrap();
        let found = verified(&authority, &pem).unwrap();
        assert_eq!((found.name.as_str(), found.groups.len()), ("system:node:worker", 1));
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        assert!(der.windows(12).any(|part| part == b"node.example"));
        assert!(der.windows(15).any(|part| part == b"\x17\x0d270115081000Z"), "{pem}");
        // Not for clients: the verifier of clients refuses it.
        let pem = authority.grant(&wanted(&["digital signature", "server auth"])).unwrap();
        assert_eq!(verified(&authority, &pem), None);
        let why = authority.grant(&wanted(&["ocsp signing"])).unwrap_err();
        assert_eq!(why.to_string(), "the signer does not support the usage \"ocsp signing\"");
    }

    #[test]
    fn a_request_with_several_organizations_keeps_them() {
        // rcgen writes one attribute of a kind, so the request is written by hand.
        let key = KeyPair::generate().unwrap();
        let subject = user_name("jane", &["builders".to_owned(), "painters".to_owned()]);
        let info = der::sequence(&[&[2, 1, 0], &subject, &key.subject_public_key_info(), &[0xa0, 0]]);
        let signature = key.sign(&info).unwrap();
        let bits = der::written(der::BIT_STRING, &[&[0], &*signature].concat());
        let algorithm = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
        let request = to_pem(&der::sequence(&[&info, &algorithm, &bits]));
        let request = request.replace("CERTIFICATE-----", "CERTIFICATE REQUEST-----");
        let wanted =
            CertificateRequest { request: &request, usages: &["client auth"], now: NOW, seconds: 600 };
        let pem = Authority::default().grant(&wanted).unwrap();
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let organizations = Subject::of_certificate(&der).unwrap();
        assert_eq!(organizations.organizations(), Some(vec!["builders", "painters"]));
    }
}
