//! Client certificates of a server's authority.

use std::time::Duration;

use anyhow::{Context, Result};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, Issuer, KeyPair, KeyUsagePurpose};
use time::OffsetDateTime;

use crate::Cluster;

/// A client certificate and its key, PEM.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// The name of every control plane's authority, as `client-rs-testkit` makes it.
const REAL: &str = "client-rs-ca";
/// The name of every embedded server's.
const EMBEDDED: &str = "client-rs-apiserver-ca";

/// Signs client certificates with the authority that a server of ours trusts.
#[derive(Debug)]
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    name: &'static str,
}

impl Authority {
    /// Returns the authority of a cluster. That of a control plane has its key next to the administrator's
    /// kubeconfig.
    pub fn of(cluster: &Cluster) -> Result<Self> {
        if let Some(server) = cluster.server() {
            let key = server.authority_key().context("an embedded server without TLS has no authority")?;
            return Ok(Self {
                issuer: Issuer::new(named(EMBEDDED), KeyPair::from_pem(&key)?),
                name: EMBEDDED,
            });
        }
        let cluster = cluster.control_plane().context("a server of neither kind")?;
        let folder = cluster.kubeconfig().parent().context("the kubeconfig is in no folder")?;
        let path = folder.join("ca.key");
        let key = std::fs::read_to_string(&path).with_context(|| {
            format!("no {}: only a control plane of `cargo xtask cluster` has one", path.display())
        })?;
        Ok(Self { issuer: Issuer::new(named(REAL), KeyPair::from_pem(&key)?), name: REAL })
    }

    /// Creates an authority that no server trusts.
    pub fn unknown() -> Result<Self> {
        const NAME: &str = "nobody-knows";
        Ok(Self { issuer: Issuer::new(named(NAME), KeyPair::generate()?), name: NAME })
    }

    /// Its own certificate, PEM.
    pub fn certificate(&self) -> Result<String> {
        let mut params = named(self.name);
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        Ok(params.self_signed(self.issuer.key())?.pem())
    }

    /// A certificate for a user, in a group, good for an hour.
    pub fn sign(&self, user: &str, group: Option<&str>) -> Result<Identity> {
        self.sign_until(user, group, OffsetDateTime::now_utc() + Duration::from_hours(1))
    }

    /// One that has expired an hour ago.
    pub fn sign_expired(&self, user: &str) -> Result<Identity> {
        self.sign_until(user, None, OffsetDateTime::now_utc() - Duration::from_hours(1))
    }

    fn sign_until(&self, user: &str, group: Option<&str>, end: OffsetDateTime) -> Result<Identity> {
        let mut params = named(user);
        if let Some(group) = group {
            params.distinguished_name.push(DnType::OrganizationName, group);
        }
        params.not_before = OffsetDateTime::now_utc() - Duration::from_hours(24);
        params.not_after = end;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.issuer)?;
        Ok(Identity { certificate: certificate.pem(), key: key.serialize_pem() })
    }
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.remove(DnType::CommonName);
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
