//! The certificate authority of a server: created on first use, and lost when the server stops.

use std::fmt;
use std::io;
use std::sync::OnceLock;

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertificateSigningRequestParams, CertifiedIssuer,
    DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose, PublicKeyData,
};
use rustls::pki_types::CertificateDer;
use time::{Duration, OffsetDateTime};

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
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, user.name.as_str());
        for group in &user.groups {
            params.distinguished_name.push(DnType::OrganizationName, group.as_str());
        }
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        Ok((self.sign(&params, &key)?.pem(), key.serialize_pem()))
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
        let asked = CertificateSigningRequestParams::from_pem(wanted.request).map_err(io::Error::other)?;
        let mut params = asked.params;
        let now = OffsetDateTime::from_unix_timestamp(wanted.now).map_err(io::Error::other)?;
        params.not_before = now - BACKDATED;
        params.not_after = now.saturating_add(Duration::seconds(wanted.seconds));
        params.is_ca = IsCa::ExplicitNoCa;
        params.use_authority_key_identifier_extension = true;
        (params.key_usages, params.extended_key_usages) = (Vec::new(), Vec::new());
        for usage in wanted.usages {
            match *usage {
                "signing" | "digital signature" => params.key_usages.push(KeyUsagePurpose::DigitalSignature),
                "key encipherment" => params.key_usages.push(KeyUsagePurpose::KeyEncipherment),
                "client auth" => params.extended_key_usages.push(ExtendedKeyUsagePurpose::ClientAuth),
                "server auth" => params.extended_key_usages.push(ExtendedKeyUsagePurpose::ServerAuth),
                other => {
                    return Err(io::Error::other(format!("the signer does not support the usage {other:?}")));
                }
            }
        }
        Ok(self.sign(&params, &asked.public_key)?.pem())
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

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authority")
    }
}
