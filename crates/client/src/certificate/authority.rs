//! Certificate authorities of one's own.

use std::fmt;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, ExtendedKeyUsagePurpose, IsCa,
    KeyUsagePurpose,
};
use x509_parser::pem::Pem;
use x509_parser::prelude::{FromDer as _, X509CertificationRequest};

use super::pair::encode;
use super::template::with_subject;
use crate::certificate::{
    CertificateError, CertificateInfo, CertificatePair, CertificateTemplate, KeyKind, PrivateKey, Usage,
};

client_rs_machinery::options! {
    /// How a [`CertificateAuthority`] issues a certificate.
    ///
    /// ```
    /// use client_rs_client::certificate::{IssueOptions, Usage};
    ///
    /// let client = IssueOptions::default().with_usages([Usage::DigitalSignature, Usage::ClientAuth]);
    /// assert_eq!(client.lifetime.as_secs(), 365 * 24 * 3600);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct IssueOptions {
        /// The usages. Default: digital signatures, key encipherment and server authentication. An authority itself has those of an authority.
        pub usages: Vec<Usage> => with_usages,
        /// The time from now until it expires. Default: 365 days; an authority itself has ten times as much.
        pub lifetime: Duration => with_lifetime,
        /// The certificate is valid from this long ago, for peers whose clocks are behind. Default: 1 h.
        pub backdate: Duration => with_backdate,
        /// The algorithm of a new key. Default: ECDSA over P-256.
        pub key: KeyKind => with_key,
    }
}

impl Default for IssueOptions {
    fn default() -> Self {
        Self {
            usages: vec![Usage::DigitalSignature, Usage::KeyEncipherment, Usage::ServerAuth],
            lifetime: Duration::from_hours(365 * 24),
            backdate: Duration::from_hours(1),
            key: KeyKind::default(),
        }
    }
}

/// A certificate and a key that sign other certificates: for webhooks, aggregated API servers and tests.
///
/// It keeps no list of what it signed, and revokes nothing. Certificates that the cluster signs come from a
/// [`CertificateManager`](super::CertificateManager).
///
/// ```
/// use client_rs_client::certificate::{CertificateAuthority, CertificateInfo, CertificateTemplate, IssueOptions};
///
/// let authority = CertificateAuthority::generate("my-webhook-ca")?;
/// let names = CertificateTemplate::default().with_dns_names(["hook.shop.svc"]).with_ips(["127.0.0.1".parse()?]);
/// let serving = authority.issue(&names, &IssueOptions::default())?;
/// assert_eq!(serving.subject().dns_names, ["hook.shop.svc"]);
/// // The chain of a server: its certificate, then that of the authority.
/// let chain = CertificateInfo::all_from_pem(serving.certificate())?;
/// assert!(chain[0].is_signed_by(&chain[1]) && chain[1].is_authority);
/// // The value of `caBundle`.
/// assert!(authority.certificate().starts_with("-----BEGIN CERTIFICATE-----"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CertificateAuthority {
    pair: CertificatePair,
    issuer: rcgen::Issuer<'static, rcgen::KeyPair>,
}

impl CertificateAuthority {
    /// Makes an authority with a new key and a certificate that it signs itself.
    pub fn generate(common_name: impl Into<String>) -> Result<Self, CertificateError> {
        Self::generate_with(
            &CertificateTemplate::default().with_common_name(common_name),
            &IssueOptions::default(),
        )
    }

    /// Makes an authority with a subject and options. The usages of the options are not used. The subject has a common name or an
    /// organization, and not several organizations.
    pub fn generate_with(
        subject: &CertificateTemplate,
        options: &IssueOptions,
    ) -> Result<Self, CertificateError> {
        if subject.common_name.is_empty() && subject.organizations.is_empty() {
            return Err(CertificateError::Csr("an authority needs a name".to_owned()));
        }
        if subject.several_organizations().is_some() {
            return Err(CertificateError::Unsupported("an authority with several organizations".to_owned()));
        }
        let key = PrivateKey::generate(options.key)?;
        let mut params = subject.params()?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![
            KeyUsagePurpose::DigitalSignature,
            KeyUsagePurpose::KeyEncipherment,
            KeyUsagePurpose::KeyCertSign,
            KeyUsagePurpose::CrlSign,
        ];
        let long = options.lifetime.saturating_mul(10);
        set_validity(&mut params, SystemTime::now(), options.backdate, long)?;
        let certificate = params.self_signed(&key.0).map_err(failed)?;
        Self::from_pair(CertificatePair::from_pem(&encode("CERTIFICATE", certificate.der()), &key.pem())?)
    }

    /// Takes an authority that exists. Fails if its certificate is not that of an authority.
    pub fn from_pair(pair: CertificatePair) -> Result<Self, CertificateError> {
        let own = CertificateInfo::all_from_pem(pair.certificate())?.swap_remove(0);
        if !own.is_authority {
            return Err(CertificateError::Pair("it is not the certificate of an authority".to_owned()));
        }
        let key = PrivateKey::from_pem(pair.key())?;
        let own = encode("CERTIFICATE", own.der());
        let issuer = rcgen::Issuer::from_ca_cert_pem(&own, key.0).map_err(failed)?;
        Ok(Self { pair, issuer })
    }

    /// The authority's certificate, as PEM: a `caBundle`, and the content of a `ca.crt`.
    pub fn certificate(&self) -> &str {
        self.pair.certificate()
    }

    /// The authority's certificate and key, to store them.
    pub fn pair(&self) -> &CertificatePair {
        &self.pair
    }

    /// Issues a certificate with a new key. The chain contains the authority's certificate.
    pub fn issue(
        &self,
        subject: &CertificateTemplate,
        options: &IssueOptions,
    ) -> Result<CertificatePair, CertificateError> {
        let key = PrivateKey::generate(options.key)?;
        let mut params = subject.params()?;
        set_usages(&mut params, options)?;
        let certificate = params.signed_by(&key.0, &self.issuer).map_err(failed)?;
        let mut leaf = certificate.der().to_vec();
        if let Some(name) = subject.several_organizations() {
            leaf = with_subject(&leaf, 5, &name, self.issuer.key())?;
        }
        CertificatePair::from_pem(&self.chain(&leaf), &key.pem())
    }

    /// Signs a certificate request (PEM), and returns the chain. The signature of the request is checked. Subject, names and
    /// addresses are those of the request: check first whether its author may have them. The usages are those of the options.
    pub fn sign(&self, request: &str, options: &IssueOptions) -> Result<String, CertificateError> {
        let bad = || CertificateError::Csr("the certificate request can't be read".to_owned());
        let (_, block) = x509_parser::pem::parse_x509_pem(request.as_bytes()).map_err(|_| bad())?;
        let (_, parsed) = X509CertificationRequest::from_der(&block.contents).map_err(|_| bad())?;
        let name = parsed.certification_request_info.subject.as_raw();
        let der = block.contents.clone().into();
        let mut params = CertificateSigningRequestParams::from_der(&der)
            .map_err(|error| CertificateError::Csr(format!("the certificate request is refused: {error}")))?;
        params.params.is_ca = IsCa::NoCa;
        params.params.key_usages.clear();
        params.params.extended_key_usages.clear();
        set_usages(&mut params.params, options)?;
        let certificate = params.signed_by(&self.issuer).map_err(failed)?;
        Ok(self.chain(&with_subject(certificate.der(), 5, name, self.issuer.key())?))
    }

    fn chain(&self, leaf: &[u8]) -> String {
        format!("{}{}", encode("CERTIFICATE", leaf), self.pair.certificate())
    }
}

impl fmt::Debug for CertificateAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateAuthority").field("pair", &self.pair).finish_non_exhaustive()
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: rcgen::Error) -> CertificateError {
    CertificateError::Csr(error.to_string())
}

fn set_validity(
    params: &mut CertificateParams,
    now: SystemTime,
    backdate: Duration,
    lifetime: Duration,
) -> Result<(), CertificateError> {
    // The last second of the year 9999: what the format can hold.
    let last = SystemTime::UNIX_EPOCH + Duration::from_secs(253_402_300_799);
    let bad = || CertificateError::Csr("the lifetime is out of range".to_owned());
    params.not_before = now.checked_sub(backdate).ok_or_else(bad)?.into();
    params.not_after = now.checked_add(lifetime).filter(|end| *end <= last).ok_or_else(bad)?.into();
    Ok(())
}

fn set_usages(params: &mut CertificateParams, options: &IssueOptions) -> Result<(), CertificateError> {
    set_validity(params, SystemTime::now(), options.backdate, options.lifetime)?;
    params.use_authority_key_identifier_extension = true;
    for usage in &options.usages {
        use {ExtendedKeyUsagePurpose as Extended, KeyUsagePurpose as Plain};
        // The names of the API.
        let (plain, extended) = match usage.as_str() {
            "digital signature" | "signing" => (Some(Plain::DigitalSignature), None),
            "content commitment" => (Some(Plain::ContentCommitment), None),
            "key encipherment" => (Some(Plain::KeyEncipherment), None),
            "data encipherment" => (Some(Plain::DataEncipherment), None),
            "key agreement" => (Some(Plain::KeyAgreement), None),
            "any" => (None, Some(Extended::Any)),
            "client auth" => (None, Some(Extended::ClientAuth)),
            "server auth" => (None, Some(Extended::ServerAuth)),
            "code signing" => (None, Some(Extended::CodeSigning)),
            "email protection" => (None, Some(Extended::EmailProtection)),
            "timestamping" => (None, Some(Extended::TimeStamping)),
            "ocsp signing" => (None, Some(Extended::OcspSigning)),
            other => return Err(CertificateError::Unsupported(format!("the usage {other:?}"))),
        };
        params.key_usages.extend(plain);
        params.extended_key_usages.extend(extended);
    }
    Ok(())
}

/// The public key of a certificate request, as DER.
pub(super) fn key_of_request(request: &[u8]) -> Option<Vec<u8>> {
    let block = Pem::iter_from_buffer(request).next()?.ok()?;
    let (_, parsed) = X509CertificationRequest::from_der(&block.contents).ok()?;
    Some(parsed.certification_request_info.subject_pki.raw.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> CertificateTemplate {
        CertificateTemplate::default()
            .with_common_name("anna")
            .with_organizations(["dev", "system:masters", "ops"])
            .with_dns_names(["a.example", "b.example"])
            .with_ips(["10.0.0.1".parse().unwrap(), "::1".parse().unwrap()])
    }

    #[test]
    fn certificates_have_every_organization_name_and_address_and_are_signed() {
        let authority = CertificateAuthority::generate("ca").unwrap();
        assert!(!format!("{authority:?}").contains("PRIVATE KEY"));
        let issued = authority.issue(&subject(), &IssueOptions::default()).unwrap();
        assert_eq!(*issued.subject(), subject());
        let [leaf, own] = &CertificateInfo::all_from_pem(issued.certificate()).unwrap()[..] else { panic!() };
        assert!(leaf.is_signed_by(own) && own.is_signed_by(own) && !own.is_signed_by(leaf));
        assert!(!leaf.is_authority && own.is_authority);
        assert_eq!((leaf.issuer.as_str(), own.subject.common_name.as_str()), ("CN=ca", "ca"));
        let lifetime = leaf.not_after.duration_since(leaf.not_before).unwrap();
        assert_eq!(lifetime, Duration::from_hours(365 * 24 + 1));
        assert!(own.not_after > leaf.not_after);
    }

    #[test]
    fn a_request_is_signed_with_its_own_subject_and_only_if_its_signature_is_right() {
        let authority = CertificateAuthority::generate("ca").unwrap();
        let key = PrivateKey::generate(KeyKind::EcdsaP384).unwrap();
        let request = key.certificate_request(&subject()).unwrap();
        let options = IssueOptions::default().with_usages([Usage::ClientAuth]);
        let chain = authority.sign(&request, &options).unwrap();
        let pair = CertificatePair::from_pem(&chain, &key.pem()).unwrap();
        assert_eq!(*pair.subject(), subject());
        let chain = CertificateInfo::all_from_pem(&chain).unwrap();
        assert!(chain[0].is_signed_by(&chain[1]));

        let (_, block) = x509_parser::pem::parse_x509_pem(request.as_bytes()).unwrap();
        let mut forged = block.contents;
        let at = forged.windows(4).position(|window| window == b"anna").unwrap();
        forged[at] = b'A';
        let forged = encode("CERTIFICATE REQUEST", &forged);
        for request in [forged.as_str(), "", &encode("CERTIFICATE REQUEST", b"x")] {
            assert!(matches!(authority.sign(request, &options), Err(CertificateError::Csr(_))), "{request}");
        }
        assert_eq!(key_of_request(request.as_bytes()).unwrap(), key.public_key().der());
    }

    #[test]
    fn an_authority_is_stored_and_read_again_and_others_are_refused() {
        let authority = CertificateAuthority::generate("ca").unwrap();
        let again = CertificateAuthority::from_pair(authority.pair().clone()).unwrap();
        let issued = again.issue(&subject(), &IssueOptions::default()).unwrap();
        let chain = CertificateInfo::all_from_pem(issued.certificate()).unwrap();
        assert!(chain[0].is_signed_by(&chain[1]));
        assert!(matches!(CertificateAuthority::from_pair(issued), Err(CertificateError::Pair(_))));
        let nobody = CertificateAuthority::generate("");
        assert!(matches!(nobody, Err(CertificateError::Csr(_))));
        let several = CertificateAuthority::generate_with(&subject(), &IssueOptions::default());
        assert!(matches!(several, Err(CertificateError::Unsupported(_))));
        let odd = IssueOptions::default().with_usages([Usage::Other("flying".to_owned())]);
        assert!(matches!(authority.issue(&subject(), &odd), Err(CertificateError::Unsupported(_))));
        for lifetime in [Duration::MAX, Duration::from_hours(24 * 365 * 9000)] {
            let long = IssueOptions::default().with_lifetime(lifetime);
            assert!(matches!(authority.issue(&subject(), &long), Err(CertificateError::Csr(_))));
        }
    }
}
