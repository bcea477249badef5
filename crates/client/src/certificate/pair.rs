//! A certificate and its key.

use std::fmt;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use x509_parser::extensions::GeneralName;
use x509_parser::pem::Pem;
use x509_parser::prelude::X509Certificate;

use crate::certificate::{CertificateError, CertificateTemplate, PrivateKey};

/// A certificate chain and its key, both PEM, that match. `Debug` shows no part of the key.
///
/// ```
/// use client_rs_client::certificate::CertificatePair;
///
/// # let made = rcgen::generate_simple_self_signed(vec!["web.example".to_owned()])?;
/// # let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
/// # let other = rcgen::KeyPair::generate()?.serialize_pem();
/// let pair = CertificatePair::from_pem(&certificate, &key)?;
/// assert_eq!(pair.subject().dns_names, ["web.example"]);
/// assert!(CertificatePair::from_pem(&certificate, &other).is_err(), "another key");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CertificatePair {
    certificate: String,
    key: String,
    subject: CertificateTemplate,
    not_before: SystemTime,
    not_after: SystemTime,
}

impl CertificatePair {
    /// Parses a chain, leaf first, and a key. Fails if they can't be parsed, or do not match.
    pub fn from_pem(certificate: &str, key: &str) -> Result<Self, CertificateError> {
        let bad = |what: String| CertificateError::Pair(what);
        let mut leaf = None;
        let mut chain = String::new();
        for block in Pem::iter_from_buffer(certificate.as_bytes()) {
            let block = block.map_err(|error| bad(format!("the certificate is not PEM: {error}")))?;
            if block.label == "CERTIFICATE" {
                let (_, parsed) = x509_parser::parse_x509_certificate(&block.contents)
                    .map_err(|error| bad(format!("the certificate can't be read: {error}")))?;
                if leaf.is_none() {
                    leaf = Some(Leaf::of(&parsed)?);
                }
                chain.push_str(&encode("CERTIFICATE", &block.contents));
            }
        }
        let Some(leaf) = leaf else { return Err(bad("no CERTIFICATE block found in the PEM".to_owned())) };
        let key = private_block(key).ok_or_else(|| bad("no private key found in the PEM".to_owned()))?;
        let pair = PrivateKey::from_pem(&key).map_err(|_| bad("the key can't be read".to_owned()))?;
        if pair.0.public_key_raw() != leaf.public_key {
            return Err(bad("the key belongs to another certificate".to_owned()));
        }
        let Leaf { subject, not_before, not_after, .. } = leaf;
        Ok(Self { certificate: chain, key, subject, not_before, not_after })
    }

    /// The chain, leaf first, as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// The key, as PEM. It is a secret.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The subject of the certificate.
    pub fn subject(&self) -> &CertificateTemplate {
        &self.subject
    }

    /// The first instant at which it is valid.
    pub fn not_before(&self) -> SystemTime {
        self.not_before
    }

    /// The last instant at which it is valid.
    pub fn not_after(&self) -> SystemTime {
        self.not_after
    }

    /// Returns `true` if it has expired.
    pub fn is_expired(&self, now: SystemTime) -> bool {
        now > self.not_after
    }

    /// Chain and key as the content of one file.
    pub(crate) fn joined(&self) -> String {
        format!("{}{}", self.certificate, self.key)
    }
}

impl fmt::Debug for CertificatePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificatePair")
            .field("subject", &self.subject)
            .field("not_before", &self.not_before)
            .field("not_after", &self.not_after)
            .finish_non_exhaustive()
    }
}

pub(super) struct Leaf {
    pub(super) subject: CertificateTemplate,
    pub(super) not_before: SystemTime,
    pub(super) not_after: SystemTime,
    public_key: Vec<u8>,
}

impl Leaf {
    pub(super) fn of(parsed: &X509Certificate<'_>) -> Result<Self, CertificateError> {
        let names = parsed.subject();
        let mut subject = CertificateTemplate {
            common_name: names.iter_common_name().filter_map(|name| name.as_str().ok()).collect(),
            organizations: names
                .iter_organization()
                .filter_map(|name| name.as_str().ok())
                .map(str::to_owned)
                .collect(),
            ..CertificateTemplate::default()
        };
        let alternatives = parsed.subject_alternative_name().ok().flatten();
        for name in alternatives.iter().flat_map(|names| names.value.general_names.iter()) {
            match name {
                GeneralName::DNSName(name) => subject.dns_names.push((*name).to_owned()),
                GeneralName::IPAddress(bytes) => subject.ips.extend(address(bytes)),
                _ => {}
            }
        }
        let instant = |seconds: i64| {
            let since = u64::try_from(seconds).ok().map(Duration::from_secs);
            let bad = || CertificateError::Pair("the certificate is from before 1970".to_owned());
            since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since)).ok_or_else(bad)
        };
        Ok(Self {
            subject,
            not_before: instant(parsed.validity().not_before.timestamp())?,
            not_after: instant(parsed.validity().not_after.timestamp())?,
            public_key: parsed.public_key().subject_public_key.data.to_vec(),
        })
    }
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    <[u8; 4]>::try_from(bytes)
        .map(IpAddr::from)
        .or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

/// The first block with a private key, unchanged.
fn private_block(text: &str) -> Option<String> {
    let begin = text
        .match_indices("-----BEGIN ")
        .find(|(at, _)| text[*at..].lines().next().is_some_and(|line| line.contains("PRIVATE KEY")))?;
    let rest = &text[begin.0..];
    let end = rest.find("-----END ")?;
    let close = rest[end + 9..].find("-----")? + end + 9 + 5;
    Some(format!("{}\n", &rest[..close]))
}

pub(super) fn encode(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap_or_default()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A self-signed certificate.
    pub(crate) fn made(template: &CertificateTemplate, not_before: u64, lifetime: u64) -> CertificatePair {
        let (certificate, key) = pem(template, not_before, lifetime);
        CertificatePair::from_pem(&certificate, &key).unwrap()
    }

    pub(crate) fn pem(template: &CertificateTemplate, not_before: u64, lifetime: u64) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut params = template.params().unwrap();
        let instant = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        params.not_before = instant(not_before).into();
        params.not_after = instant(not_before + lifetime).into();
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    }

    pub(crate) fn template() -> CertificateTemplate {
        CertificateTemplate {
            common_name: "system:node:a".into(),
            organizations: vec!["system:nodes".into()],
            dns_names: vec!["a.example".into(), "b.example".into()],
            ips: vec!["10.0.0.1".parse().unwrap(), "::1".parse().unwrap()],
        }
    }

    #[test]
    fn the_subject_is_read_from_the_certificate() {
        let pair = made(&template(), 1_000_000_000, 3600);
        assert_eq!(*pair.subject(), template());
        assert_eq!(pair.not_before(), SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
        assert!(!pair.is_expired(pair.not_after()));
        assert!(pair.is_expired(pair.not_after() + Duration::from_secs(1)));
        assert!(!format!("{pair:?}").contains("PRIVATE"));
        let again = CertificatePair::from_pem(&pair.joined(), &pair.joined()).unwrap();
        assert_eq!(again, pair);
    }

    #[test]
    fn t8_3_02_common_name_organizations_names_and_addresses_decide() {
        let pair = made(&template(), 1_000_000_000, 3600);
        assert!(template().is_met_by(&pair));
        assert!(CertificateTemplate::default().is_met_by(&pair), "an empty template is always met");
        let less = CertificateTemplate { dns_names: vec!["b.example".into()], ips: vec![], ..template() };
        assert!(less.is_met_by(&pair));
        for other in [
            CertificateTemplate { common_name: "system:node:b".into(), ..template() },
            CertificateTemplate { organizations: vec!["system:masters".into()], ..template() },
            CertificateTemplate { dns_names: vec!["c.example".into()], ..template() },
            CertificateTemplate { ips: vec!["10.0.0.2".parse().unwrap()], ..template() },
        ] {
            assert!(!other.is_met_by(&pair), "{other:?}");
        }
    }

    #[test]
    fn t8_3_09_an_invalid_pair_is_refused() {
        let (certificate, key) = pem(&template(), 1_000_000_000, 3600);
        let (_, other) = pem(&template(), 1_000_000_000, 3600);
        for (certificate, key) in [
            ("", key.as_str()),
            (&certificate, ""),
            (&certificate, &other),
            ("garbage", "garbage"),
            (&key, &key),
        ] {
            assert!(matches!(CertificatePair::from_pem(certificate, key), Err(CertificateError::Pair(_))));
        }
    }
}
