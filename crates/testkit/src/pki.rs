//! The certificates and keys of one cluster. All keys are ECDSA P-256, service accounts' too (ES256).

use std::fmt::{self, Write};
use std::io::Read;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use crate::error::{Context, Result};
use crate::layout::Layout;

/// Names and addresses that kube-apiserver answers to; the last is its service's address in the cluster.
const SERVER_NAMES: [&str; 7] = [
    "127.0.0.1",
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "10.0.0.1",
];

/// The certificates and keys for the kubeconfigs.
pub(crate) struct Pki {
    pub(crate) ca: String,
    pub(crate) admin: Identity,
    pub(crate) controller_manager: Identity,
    pub(crate) admin_token: String,
}

impl fmt::Debug for Pki {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pki").finish_non_exhaustive()
    }
}

/// A client certificate with its key, both PEM.
pub(crate) struct Identity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Pki {
    /// Makes new ones and writes the files that the programs read.
    pub(crate) fn create(layout: &Layout) -> Result<Self> {
        let ca = authority("client-rs-ca")?;
        layout.write("ca.crt", &ca.pem())?;
        layout.write("ca.key", &ca.key().serialize_pem())?;

        let server = signed(&ca, "kube-apiserver", None, &SERVER_NAMES, ExtendedKeyUsagePurpose::ServerAuth)?;
        layout.write("apiserver.crt", &server.certificate)?;
        layout.write("apiserver.key", &server.key)?;

        // From a separate CA: its clients may impersonate any user.
        let front_proxy_ca = authority("client-rs-front-proxy-ca")?;
        let front_proxy = client(&front_proxy_ca, "front-proxy-client", None)?;
        layout.write("front-proxy-ca.crt", &front_proxy_ca.pem())?;
        layout.write("front-proxy.crt", &front_proxy.certificate)?;
        layout.write("front-proxy.key", &front_proxy.key)?;

        let service_accounts = KeyPair::generate()?;
        layout.write("service-account.key", &service_accounts.serialize_pem())?;
        layout.write("service-account.pub", &service_accounts.public_key_pem())?;

        let admin_token = random_token()?;
        layout.write("tokens.csv", &format!("{admin_token},admin,admin,\"system:masters\"\n"))?;

        Ok(Self {
            ca: ca.pem(),
            admin: client(&ca, "admin", Some("system:masters"))?,
            controller_manager: client(&ca, "system:kube-controller-manager", None)?,
            admin_token,
        })
    }
}

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Result<Authority> {
    let mut params = params(name, None, &[])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages =
        vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign, KeyUsagePurpose::DigitalSignature];
    Ok(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?)
}

fn client(issuer: &Authority, name: &str, group: Option<&str>) -> Result<Identity> {
    signed(issuer, name, group, &[], ExtendedKeyUsagePurpose::ClientAuth)
}

fn signed(
    issuer: &Authority,
    name: &str,
    group: Option<&str>,
    names: &[&str],
    usage: ExtendedKeyUsagePurpose,
) -> Result<Identity> {
    let mut params = params(name, group, names)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![usage];
    params.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, issuer)?;
    Ok(Identity { certificate: certificate.pem(), key: key.serialize_pem() })
}

fn params(name: &str, group: Option<&str>, names: &[&str]) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    params.distinguished_name.remove(DnType::CommonName);
    params.distinguished_name.push(DnType::CommonName, name);
    if let Some(group) = group {
        params.distinguished_name.push(DnType::OrganizationName, group);
    }
    let now = OffsetDateTime::now_utc();
    // An hour back, for clocks that disagree.
    params.not_before = now - Duration::hours(1);
    params.not_after = now + Duration::days(3650);
    Ok(params)
}

/// 32 bytes from the system's generator, as hexadecimal digits.
fn random_token() -> Result<String> {
    let mut bytes = [0_u8; 32];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context(|| "read /dev/urandom".into())?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_the_programs_read_is_there() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path()).unwrap();
        let pki = Pki::create(&layout).unwrap();
        for (name, label) in [
            ("ca.crt", "CERTIFICATE"),
            ("ca.key", "PRIVATE KEY"),
            ("apiserver.crt", "CERTIFICATE"),
            ("apiserver.key", "PRIVATE KEY"),
            ("front-proxy-ca.crt", "CERTIFICATE"),
            ("front-proxy.crt", "CERTIFICATE"),
            ("front-proxy.key", "PRIVATE KEY"),
            ("service-account.key", "PRIVATE KEY"),
            ("service-account.pub", "PUBLIC KEY"),
        ] {
            let text = std::fs::read_to_string(layout.file(name)).unwrap();
            assert!(text.starts_with(&format!("-----BEGIN {label}-----")), "{name}");
        }
        let tokens = std::fs::read_to_string(layout.file("tokens.csv")).unwrap();
        assert_eq!(tokens, format!("{},admin,admin,\"system:masters\"\n", pki.admin_token));
        assert_eq!(std::fs::read_to_string(layout.file("ca.crt")).unwrap(), pki.ca);
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (first, second) = (random_token().unwrap(), random_token().unwrap());
        assert_eq!(first.len(), 64);
        assert_ne!(first, second);
    }
}
