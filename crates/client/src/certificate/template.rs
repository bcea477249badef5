//! The subject of a certificate.

use std::net::IpAddr;

use rcgen::{CertificateParams, DistinguishedName, DnType, SanType, SigningKey as _};

use super::der::{self, element, elements};
use crate::certificate::{CertificateError, CertificatePair};

client_rs_machinery::options! {
    /// The subject of a certificate: the user of a client, or the names and addresses of a server.
    ///
    /// ```
    /// use client_rs_client::certificate::CertificateTemplate;
    ///
    /// let node = CertificateTemplate::default()
    ///     .with_common_name("system:node:worker-1")
    ///     .with_organizations(["system:nodes"])
    ///     .with_ips(["10.0.0.7".parse()?]);
    /// assert_eq!(node.ips.len(), 1);
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct CertificateTemplate {
        /// The user's name, such as `system:node:worker-1`.
        pub common_name: String => with_common_name,
        /// The user's groups, such as `system:nodes`.
        pub organizations: Vec<String> => with_organizations,
        /// The DNS names of a server.
        pub dns_names: Vec<String> => with_dns_names,
        /// The addresses of a server.
        pub ips: Vec<IpAddr> => with_ips,
    }
}

impl CertificateTemplate {
    /// Returns `true` if a certificate contains all of it. It may contain more organizations, names and addresses.
    pub fn is_met_by(&self, pair: &CertificatePair) -> bool {
        let all = |wanted: &[String], had: &[String]| wanted.iter().all(|one| had.contains(one));
        let has = pair.subject();
        (self.common_name.is_empty() || self.common_name == has.common_name)
            && all(&self.organizations, &has.organizations)
            && all(&self.dns_names, &has.dns_names)
            && self.ips.iter().all(|ip| has.ips.contains(ip))
    }

    pub(crate) fn params(&self) -> Result<CertificateParams, CertificateError> {
        let bad = |error: rcgen::Error| CertificateError::Csr(error.to_string());
        let mut params = CertificateParams::default();
        let mut name = DistinguishedName::new();
        // The library keeps one value of each kind: `with_subject` replaces the name if there are several.
        if let Some(organization) = self.organizations.first() {
            name.push(DnType::OrganizationName, organization.as_str());
        }
        if !self.common_name.is_empty() {
            name.push(DnType::CommonName, self.common_name.as_str());
        }
        params.distinguished_name = name;
        for dns_name in &self.dns_names {
            let dns_name = dns_name.as_str().try_into().map_err(bad)?;
            params.subject_alt_names.push(SanType::DnsName(dns_name));
        }
        params.subject_alt_names.extend(self.ips.iter().copied().map(SanType::IpAddress));
        Ok(params)
    }

    /// The name as DER if it has more than one organization, each a part of its own.
    pub(super) fn several_organizations(&self) -> Option<Vec<u8>> {
        // 2.5.4.10 and 2.5.4.3
        let part = |kind: u8, value: &str| {
            let oid = element(der::OID, &[&[0x55, 4, kind]]);
            let pair = element(der::SEQUENCE, &[&oid, &element(der::UTF8_STRING, &[value.as_bytes()])]);
            element(der::SET, &[&pair])
        };
        let common_name = (!self.common_name.is_empty()).then(|| part(3, &self.common_name));
        let parts: Vec<_> =
            self.organizations.iter().map(|organization| part(10, organization)).chain(common_name).collect();
        let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
        (self.organizations.len() > 1).then(|| element(der::SEQUENCE, &parts))
    }
}

/// Replaces the subject of a certificate or a request, and signs it again. The subject is the field `at` of what is signed.
pub(super) fn with_subject(
    signed: &[u8],
    at: usize,
    subject: &[u8],
    key: &rcgen::KeyPair,
) -> Result<Vec<u8>, CertificateError> {
    let odd = || CertificateError::Csr("the certificate is not DER".to_owned());
    let outer = elements(signed).ok_or_else(odd)?;
    let parts = outer.first().and_then(|outer| elements(outer.content)).ok_or_else(odd)?;
    let [body, algorithm, _] = parts[..] else { return Err(odd()) };
    let fields = elements(body.content).ok_or_else(odd)?;
    let fields: Vec<_> = fields
        .iter()
        .enumerate()
        .map(|(number, field)| if number == at { subject } else { field.whole })
        .collect();
    let body = element(der::SEQUENCE, &fields);
    let signature = key.sign(&body).map_err(|error| CertificateError::Csr(error.to_string()))?;
    let signature = element(der::BIT_STRING, &[&[0], &signature]);
    Ok(element(der::SEQUENCE, &[&body, algorithm.whole, &signature]))
}
