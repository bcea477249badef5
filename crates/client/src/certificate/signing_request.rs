//! Certificate signing requests, one step at a time.

use std::time::Duration;

use client_rs_api::certificates::v1::{CertificateSigningRequest, CertificateSigningRequestSpec};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Json, Object, Str};

use super::authority::key_of_request;
use crate::certificate::{CertificateError, Usage};
use crate::wait::{ConditionError, WaitError};
use crate::{Api, RestClient};

client_rs_machinery::options! {
    /// The settings of a certificate signing request.
    ///
    /// ```
    /// use client_rs_client::certificate::{SigningRequestOptions, Usage};
    ///
    /// let serving = SigningRequestOptions::default()
    ///     .with_signer("kubernetes.io/kubelet-serving")
    ///     .with_usages([Usage::DigitalSignature, Usage::ServerAuth]);
    /// assert_eq!(serving.name, None);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SigningRequestOptions {
        /// The name of the object. If an object of this name exists already with the same key and signer, it is used. Default: a generated name.
        pub name: Option<String> => with_name,
        /// The signer. Default: `kubernetes.io/kube-apiserver-client`.
        pub signer: String => with_signer,
        /// The usages of the certificate. Default: digital signatures and client authentication.
        pub usages: Vec<Usage> => with_usages,
        /// The requested lifetime; the signer may shorten it. Default: the signer decides.
        pub lifetime: Option<Duration> => with_lifetime,
    }
}

impl Default for SigningRequestOptions {
    fn default() -> Self {
        Self {
            name: None,
            signer: "kubernetes.io/kube-apiserver-client".to_owned(),
            usages: vec![Usage::DigitalSignature, Usage::ClientAuth],
            lifetime: None,
        }
    }
}

/// A `CertificateSigningRequest` that was sent. For an identity that renews itself, use a
/// [`CertificateManager`](super::CertificateManager) instead.
///
/// ```
/// # use client_rs_client::testing::Canned;
/// use std::time::Duration;
/// use client_rs_client::certificate::{
///     CertificateTemplate, KeyKind, PrivateKey, SigningRequest, SigningRequestOptions,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
/// # let issued = r#"{"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest",
/// #     "metadata": {"name": "anna", "uid": "7", "resourceVersion": "1"}, "spec": {"request": "", "signerName": "s"},
/// #     "status": {"certificate": "YQ=="}}"#;
/// # let list = format!(r#"{{"metadata": {{"resourceVersion": "1"}}, "items": [{issued}]}}"#);
/// # let server = Canned::new().on(&format!("POST {path}"), issued).on(&format!("GET {path}"), &list);
/// # let client = server.client();
/// let key = PrivateKey::generate(KeyKind::default())?;
/// let request = key.certificate_request(&CertificateTemplate::default().with_common_name("anna"))?;
/// let options = SigningRequestOptions::default().with_name("anna".to_owned());
/// let sent = SigningRequest::create(&client, &request, &options).await?;
/// let certificate = sent.wait(&client, Duration::from_mins(5)).await?;
/// # assert_eq!((sent.name(), certificate.as_str()), ("anna", "a"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningRequest {
    name: String,
    uid: String,
}

impl SigningRequest {
    /// Sends a certificate request (PEM), as [`PrivateKey::certificate_request`](super::PrivateKey::certificate_request) returns it.
    pub async fn create(
        client: &RestClient,
        request: &str,
        options: &SigningRequestOptions,
    ) -> Result<Self, CertificateError> {
        let seconds = options.lifetime.map(|lifetime| i32::try_from(lifetime.as_secs()).unwrap_or(i32::MAX));
        let spec = CertificateSigningRequestSpec {
            request: request.as_bytes().into(),
            signer_name: options.signer.as_str().into(),
            expiration_seconds: seconds,
            usages: options.usages.iter().map(|usage| Str::from(usage.as_str())).collect(),
            ..CertificateSigningRequestSpec::EMPTY
        };
        let metadata = match &options.name {
            Some(name) => ObjectMeta { name: name.as_str().into(), ..ObjectMeta::EMPTY },
            None => ObjectMeta { generate_name: "csr-".into(), ..ObjectMeta::EMPTY },
        };
        let object =
            CertificateSigningRequest { metadata, spec: spec.into(), ..CertificateSigningRequest::EMPTY };
        let requests = Api::<CertificateSigningRequest>::cluster(client);
        let made = match (requests.create(object).await, &options.name) {
            (Err(error), Some(name)) if error.is_already_exists() => {
                let found = requests.get(name).await?;
                if found.spec.signer_name != options.signer
                    || key_of_request(&found.spec.request) != key_of_request(request.as_bytes())
                {
                    let what =
                        format!("the certificate signing request {name} exists with another key or signer");
                    return Err(CertificateError::Csr(what));
                }
                found
            }
            (made, _) => made?,
        };
        tracing::info!(name = made.name(), signer = options.signer, "requested a certificate");
        Ok(Self { name: made.name().to_owned(), uid: made.metadata.uid.to_string() })
    }

    /// A request that was sent before, by its name and UID.
    pub fn existing(name: impl Into<String>, uid: impl Into<String>) -> Self {
        Self { name: name.into(), uid: uid.into() }
    }

    /// The name of the object.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The UID of the object.
    pub fn uid(&self) -> &str {
        &self.uid
    }

    /// Waits until the certificate is issued, and returns it as PEM. Ends with an error if the request is denied, fails, is deleted or
    /// replaced, or if the time is over. It can be called again.
    pub async fn wait(&self, client: &RestClient, patience: Duration) -> Result<String, CertificateError> {
        let requests = Api::<CertificateSigningRequest>::cluster(client);
        let condition = Issued { uid: self.uid.clone() };
        let name = &self.name;
        let found = requests.wait_for(name, condition, patience).await.map_err(|error| match error {
            WaitError::Request(error) => CertificateError::Request(error),
            error => CertificateError::Wait(error.to_string()),
        })?;
        let Some(request) = found else { return Err(CertificateError::Wait(format!("{name} was deleted"))) };
        for condition in &request.status.conditions {
            let (name, why) = (name.clone(), format!("{} {}", condition.reason, condition.message));
            match condition.type_.as_str() {
                "Denied" => return Err(CertificateError::Denied { name, why }),
                "Failed" => return Err(CertificateError::Failed { name, why }),
                _ => {}
            }
        }
        String::from_utf8(request.status.certificate.as_slice().to_vec())
            .map_err(|_| CertificateError::Pair("the issued certificate is not PEM".to_owned()))
    }
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

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::certificate::{CertificateTemplate, KeyKind, PrivateKey};
    use crate::testing::Canned;

    #[tokio::test]
    async fn t8_3_10_a_request_that_exists_is_used_only_with_the_same_key_and_signer() {
        let path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
        let subject = CertificateTemplate::default().with_common_name("anna");
        let key = PrivateKey::generate(KeyKind::default()).unwrap();
        let request = key.certificate_request(&subject).unwrap();
        let existing = format!(
            r#"{{"metadata": {{"name": "anna", "uid": "7"}}, "spec": {{"request": "{}", "signerName": "kubernetes.io/kube-apiserver-client"}}}}"#,
            STANDARD.encode(&request)
        );
        let server = Canned::new()
            .fail(&format!("POST {path}"), 409, "AlreadyExists")
            .on(&format!("GET {path}/anna"), existing);
        let client = server.client();
        let options = SigningRequestOptions::default().with_name("anna".to_owned());
        let sent = SigningRequest::create(&client, &request, &options).await.unwrap();
        assert_eq!(sent, SigningRequest::existing("anna", "7"));
        let other = PrivateKey::generate(KeyKind::default()).unwrap().certificate_request(&subject).unwrap();
        let outcome = SigningRequest::create(&client, &other, &options).await;
        assert!(matches!(outcome, Err(CertificateError::Csr(_))), "{outcome:?}");
        let serving = options.with_signer("example.com/serving");
        let outcome = SigningRequest::create(&client, &request, &serving).await;
        assert!(matches!(outcome, Err(CertificateError::Csr(_))), "{outcome:?}");
    }
}
