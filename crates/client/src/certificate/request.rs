//! Obtains certificates for the manager.

use crate::RestClient;
use crate::certificate::{
    CertificateError, CertificateManagerOptions, CertificatePair, CertificateTemplate, PrivateKey,
    SigningRequest, SigningRequestOptions,
};

/// A usage of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usage {
    /// Signing, which every TLS key does.
    DigitalSignature,
    /// Key exchange with RSA keys.
    KeyEncipherment,
    /// TLS client authentication.
    ClientAuth,
    /// TLS server authentication.
    ServerAuth,
    /// Another usage, by its name in the API.
    Other(String),
}

impl Usage {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::DigitalSignature => "digital signature",
            Self::KeyEncipherment => "key encipherment",
            Self::ClientAuth => "client auth",
            Self::ServerAuth => "server auth",
            Self::Other(name) => name,
        }
    }
}

/// Creates a key, requests its certificate and waits for it.
pub(crate) async fn issue(
    client: &RestClient,
    template: &CertificateTemplate,
    options: &CertificateManagerOptions,
) -> Result<CertificatePair, CertificateError> {
    let key = PrivateKey::generate(options.key)?;
    let request = key.certificate_request(template)?;
    let settings = SigningRequestOptions {
        name: None,
        signer: options.signer.clone(),
        usages: options.usages.clone(),
        lifetime: options.lifetime,
    };
    let sent = SigningRequest::create(client, &request, &settings).await?;
    let certificate = sent.wait(client, options.patience).await?;
    CertificatePair::from_pem(&certificate, &key.pem())
}
