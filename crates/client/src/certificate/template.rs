//! The subject of a certificate.

use std::net::IpAddr;

use rcgen::{CertificateParams, DistinguishedName, DnType, SanType};

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
        /// The user's group, such as `system:nodes`. A certificate may have several; a request can have only one.
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
        match self.organizations.as_slice() {
            [] => {}
            [organization] => name.push(DnType::OrganizationName, organization.as_str()),
            // The library that creates requests supports one of each kind.
            _ => {
                return Err(CertificateError::Csr(
                    "a request can't contain more than one organization".to_owned(),
                ));
            }
        }
        name.push(DnType::CommonName, self.common_name.as_str());
        params.distinguished_name = name;
        for dns_name in &self.dns_names {
            let dns_name = dns_name.as_str().try_into().map_err(bad)?;
            params.subject_alt_names.push(SanType::DnsName(dns_name));
        }
        params.subject_alt_names.extend(self.ips.iter().copied().map(SanType::IpAddress));
        Ok(params)
    }
}
