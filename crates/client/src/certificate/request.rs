//! Sends certificate signing requests.

use std::time::Duration;

use client_rs_api::certificates::v1::{CertificateSigningRequest, CertificateSigningRequestSpec};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Json, Object, Str};

use crate::certificate::{CertificateError, CertificateManagerOptions, CertificatePair, CertificateTemplate};
use crate::wait::{ConditionError, WaitError};
use crate::{Api, RestClient};

/// The algorithm of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyKind {
    /// ECDSA over P-256. The default: small and fast.
    #[default]
    EcdsaP256,
    /// ECDSA over P-384.
    EcdsaP384,
    /// Ed25519. Not every signer accepts it.
    Ed25519,
}

impl KeyKind {
    fn generate(self) -> Result<rcgen::KeyPair, CertificateError> {
        let algorithm = match self {
            Self::EcdsaP256 => &rcgen::PKCS_ECDSA_P256_SHA256,
            Self::EcdsaP384 => &rcgen::PKCS_ECDSA_P384_SHA384,
            Self::Ed25519 => &rcgen::PKCS_ED25519,
        };
        rcgen::KeyPair::generate_for(algorithm).map_err(|error| CertificateError::Csr(error.to_string()))
    }
}

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
    fn as_str(&self) -> &str {
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
    let key = options.key.generate()?;
    let request = template.params()?.serialize_request(&key);
    let request = request
        .and_then(|request| request.pem())
        .map_err(|error| CertificateError::Csr(error.to_string()))?;
    let seconds = options.lifetime.map(|lifetime| i32::try_from(lifetime.as_secs()).unwrap_or(i32::MAX));
    let spec = CertificateSigningRequestSpec {
        request: request.as_bytes().into(),
        signer_name: options.signer.as_str().into(),
        expiration_seconds: seconds,
        usages: options.usages.iter().map(|usage| Str::from(usage.as_str())).collect(),
        ..CertificateSigningRequestSpec::EMPTY
    };
    let object = CertificateSigningRequest {
        metadata: ObjectMeta { generate_name: "csr-".into(), ..ObjectMeta::EMPTY },
        spec: spec.into(),
        ..CertificateSigningRequest::EMPTY
    };
    let requests = Api::<CertificateSigningRequest>::cluster(client);
    let made = requests.create(object).await?;
    let (name, uid) = (made.name().to_owned(), made.metadata.uid.to_string());
    tracing::info!(name, signer = options.signer, "requested a certificate");
    let certificate = wait(&requests, &name, &uid, options.patience).await?;
    CertificatePair::from_pem(&certificate, &key.serialize_pem())
}

async fn wait(
    requests: &Api<CertificateSigningRequest>,
    name: &str,
    uid: &str,
    patience: Duration,
) -> Result<String, CertificateError> {
    let condition = Issued { uid: uid.to_owned() };
    let found = requests.wait_for(name, condition, patience).await.map_err(|error| match error {
        WaitError::Request(error) => CertificateError::Request(error),
        error => CertificateError::Wait(error.to_string()),
    })?;
    let Some(request) = found else { return Err(CertificateError::Wait(format!("{name} was deleted"))) };
    for condition in &request.status.conditions {
        let (name, why) = (name.to_owned(), format!("{} {}", condition.reason, condition.message));
        match condition.type_.as_str() {
            "Denied" => return Err(CertificateError::Denied { name, why }),
            "Failed" => return Err(CertificateError::Failed { name, why }),
            _ => {}
        }
    }
    String::from_utf8(request.status.certificate.as_slice().to_vec())
        .map_err(|_| CertificateError::Pair("the issued certificate is not PEM".to_owned()))
}

/// Holds when the request is issued, denied or failed.
struct Issued {
    uid: String,
}

impl crate::wait::WaitCondition for Issued {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        let gone = || ConditionError::Never("it was deleted".to_owned());
        let object = object.ok_or_else(gone)?;
        if object["metadata"]["uid"].as_str() != Some(&self.uid) {
            return Err(gone());
        }
        Ok(decided(&object["status"]))
    }

    fn describe(&self) -> String {
        "to be issued".to_owned()
    }
}

fn decided(status: &Json) -> bool {
    let conditions = status["conditions"].as_list();
    let mut kinds = conditions.into_iter().flatten().filter_map(|condition| condition["type"].as_str());
    let issued = status["certificate"].as_str().is_some_and(|certificate| !certificate.is_empty());
    issued || kinds.any(|kind| matches!(kind, "Denied" | "Failed"))
}
