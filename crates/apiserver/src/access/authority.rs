//! The certificate authority of a server: created on first use, and lost when the server stops.

use std::fmt;
use std::io;
use std::sync::OnceLock;

use client_rs_machinery::{Duration, Time};
use ring::digest;
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;

use super::key_pair::KeyPair;
use super::pem;
use super::x509::{Certificate, Role, Usages, alternative_names, user_name};
use crate::pki::{Signature, SigningRequest};
use crate::request::User;

/// How far in the past a certificate's validity begins, because clocks differ.
const BACKDATED: Duration = Duration::from_secs(5 * 60);
/// The validity of certificates that nobody limits: 1975 to 4096.
const ALWAYS: (i64, i64) = (157_766_400, 67_090_118_400);

/// Signs certificates of servers and users.
///
/// Generating its key takes time. A server without TLS generates the key only when somebody requests a certificate.
#[derive(Default)]
pub(crate) struct Authority {
    issuer: OnceLock<Result<Issuer, String>>,
}

/// The certificate and the key of an authority.
struct Issuer {
    certificate: CertificateDer<'static>,
    key: KeyPair,
    key_identifier: Vec<u8>,
}

/// A request for a certificate.
pub(crate) struct CertificateRequest<'a> {
    /// The certificate signing request, in PEM.
    pub(crate) request: &'a [u8],
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
        Ok(&self.issuer()?.certificate)
    }

    /// Its own certificate, in PEM.
    pub(crate) fn pem(&self) -> io::Result<String> {
        Ok(to_pem(&self.issuer()?.certificate))
    }

    /// Its key, in PEM.
    pub(crate) fn key(&self) -> io::Result<String> {
        Ok(self.issuer()?.key.to_pem())
    }

    /// Issues a client certificate that identifies a user. Returns the certificate and its key, both in PEM.
    pub(crate) fn issue(&self, user: &User) -> io::Result<(String, String)> {
        let key = KeyPair::generate()?;
        let usages = Usages::read(&["client auth"]).map_err(io::Error::other)?;
        let subject = user_name(&user.name, &user.groups);
        let certificate = self.issuer()?.sign(&subject, &key.info(), None, &usages, always()?)?;
        Ok((to_pem(&certificate), key.to_pem()))
    }

    /// Issues a serving certificate for these host names and addresses.
    pub(crate) fn issue_serving(
        &self,
        common_name: &str,
        names: &[&str],
    ) -> io::Result<(CertificateDer<'static>, KeyPair)> {
        let key = KeyPair::generate()?;
        let usages = Usages::read(&["server auth"]).map_err(io::Error::other)?;
        let (subject, names) = (user_name(common_name, &[]), alternative_names(names));
        let certificate = self.issuer()?.sign(&subject, &key.info(), Some(&names), &usages, always()?)?;
        Ok((certificate, key))
    }

    /// Signs a certificate signing request and returns the certificate in PEM. Subject, names and key come from the
    /// request.
    pub(crate) fn grant(&self, wanted: &CertificateRequest<'_>) -> io::Result<String> {
        let request = SigningRequest::from_pem(wanted.request).map_err(io::Error::other)?;
        let asked = SigningRequest::read(&request).map_err(io::Error::other)?;
        match asked.signature() {
            Signature::Valid => {}
            Signature::Unverified => {
                return Err(io::Error::other("signatures of this algorithm can't be checked"));
            }
            Signature::Invalid(why) => return Err(io::Error::other(why)),
        }
        let usages = Usages::read(wanted.usages).map_err(io::Error::other)?;
        let validity = || {
            let now = Time::new(wanted.now, 0)?;
            Some((now.checked_sub(BACKDATED)?, Time::new(wanted.now.checked_add(wanted.seconds)?, 0)?))
        };
        let validity = validity().ok_or_else(|| io::Error::other("the lifetime is out of range"))?;
        let names = (!asked.names.is_empty()).then_some(asked.names);
        Ok(to_pem(&self.issuer()?.sign(asked.subject, asked.key, names, &usages, validity)?))
    }

    fn issuer(&self) -> io::Result<&Issuer> {
        let made = self.issuer.get_or_init(|| Issuer::new().map_err(|error| error.to_string()));
        made.as_ref().map_err(|why| io::Error::other(why.clone()))
    }
}

/// The name of every server's authority.
pub(crate) const NAME: &str = "client-rs-apiserver-ca";

impl Issuer {
    fn new() -> io::Result<Self> {
        let key = KeyPair::generate()?;
        let (name, info) = (user_name(NAME, &[]), key.info());
        let key_identifier = digest::digest(&digest::SHA256, &info).as_ref()[..20].to_vec();
        let (not_before, not_after) = always()?;
        let role = Role::Authority { key: &key_identifier };
        let certificate =
            Certificate { issuer: &name, subject: &name, key: &info, role, not_before, not_after };
        let certificate = certificate.signed(|text| key.sign(text))?.into();
        Ok(Self { certificate, key, key_identifier })
    }

    fn sign(
        &self,
        subject: &[u8],
        key: &[u8],
        names: Option<&[u8]>,
        usages: &Usages,
        (not_before, not_after): (Time, Time),
    ) -> io::Result<CertificateDer<'static>> {
        let issuer = &user_name(NAME, &[]);
        let role = Role::Leaf { issuer_key: &self.key_identifier, names, usages };
        let certificate = Certificate { issuer, subject, key, role, not_before, not_after };
        let certificate = CertificateDer::from(certificate.signed(|text| self.key.sign(text))?);
        // A part of a request that was copied may be malformed in a way that its reader does not look at.
        ParsedCertificate::try_from(&certificate).map_err(io::Error::other)?;
        Ok(certificate)
    }
}

fn always() -> io::Result<(Time, Time)> {
    let times = Time::new(ALWAYS.0, 0).zip(Time::new(ALWAYS.1, 0));
    times.ok_or_else(|| io::Error::other("the validity is out of range"))
}

/// Writes a certificate in PEM.
pub(crate) fn to_pem(certificate: &[u8]) -> String {
    pem::write("CERTIFICATE", certificate)
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
    use crate::pki::der;

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
        let mut params = rcgen::CertificateParams::new(["node.example".to_owned()]).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(rcgen::DnType::OrganizationName, "system:nodes");
        params.distinguished_name.push(rcgen::DnType::CommonName, "system:node:worker");
        let key = rcgen::KeyPair::generate().unwrap();
        let request = params.serialize_request(&key).unwrap().pem().unwrap();
        let wanted =
            |usages| CertificateRequest { request: request.as_bytes(), usages, now: NOW, seconds: 600 };
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
        let info = der::sequence(&[&[2, 1, 0], &subject, &key.info(), &[0xa0, 0]]);
        let signature = key.sign(&info).unwrap();
        let bits = der::written(der::BIT_STRING, &[&[0], &*signature].concat());
        let algorithm = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
        let request = pem::write("CERTIFICATE REQUEST", &der::sequence(&[&info, &algorithm, &bits]));
        let wanted = CertificateRequest {
            request: request.as_bytes(),
            usages: &["client auth"],
            now: NOW,
            seconds: 600,
        };
        let pem = Authority::default().grant(&wanted).unwrap();
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let organizations = Subject::of_certificate(&der).unwrap();
        assert_eq!(organizations.organizations(), Some(vec!["builders", "painters"]));
    }
}
