//! The task that renews a certificate.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::RestClient;
use crate::certificate::{
    CertificateError, CertificatePair, CertificateTemplate, KeyKind, Rotation, Step, Store, Usage, request,
};

client_rs_machinery::options! {
    /// The settings of a [`CertificateManager`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::certificate::{CertificateManagerOptions, Usage};
    ///
    /// let serving = CertificateManagerOptions::default()
    ///     .with_signer("kubernetes.io/kubelet-serving")
    ///     .with_usages([Usage::DigitalSignature, Usage::ServerAuth])
    ///     .with_lifetime(Duration::from_secs(24 * 3600));
    /// assert_eq!(serving.usages.len(), 2);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CertificateManagerOptions {
        /// The signer. Default: `kubernetes.io/kube-apiserver-client`. The signer of a node's identity is
        /// `kubernetes.io/kube-apiserver-client-kubelet`, that of its server certificate `kubernetes.io/kubelet-serving`.
        pub signer: String => with_signer,
        /// The usages of the certificate. Default: digital signatures and client authentication.
        pub usages: Vec<Usage> => with_usages,
        /// The requested lifetime; the signer may shorten it. Default: the signer decides.
        pub lifetime: Option<Duration> => with_lifetime,
        /// The algorithm of the key. Default: ECDSA over P-256.
        pub key: KeyKind => with_key,
        /// The time that a request may wait for approval and issue before the next one is created. Default: 15 min.
        pub patience: Duration => with_patience,
        /// The first certificate, used only until one is issued. Default: none.
        pub bootstrap: Option<CertificatePair> => with_bootstrap,
    }
}

impl Default for CertificateManagerOptions {
    fn default() -> Self {
        Self {
            signer: "kubernetes.io/kube-apiserver-client".to_owned(),
            usages: vec![Usage::DigitalSignature, Usage::ClientAuth],
            lifetime: None,
            key: KeyKind::default(),
            patience: Duration::from_mins(15),
            bootstrap: None,
        }
    }
}

/// Obtains a certificate, and renews it before it expires. It runs one task, which ends when the manager is dropped.
///
/// [`Rotation`] documents when it renews. A failure is logged, and [`last_error`](Self::last_error) returns it until the next
/// success. The manager retries indefinitely, and the current certificate stays in use.
///
/// ```
/// use std::sync::Arc;
/// use client_rs_client::certificate::{
///     CertificateManager, CertificateManagerOptions, CertificatePair, CertificateTemplate, MemoryStore, Store,
/// };
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut params = rcgen::CertificateParams::default();
/// # params.distinguished_name.push(rcgen::DnType::CommonName, "my-client");
/// # params.not_before = rcgen::date_time_ymd(2000, 1, 1);
/// # let key_pair = rcgen::KeyPair::generate()?;
/// # let (certificate, key) = (params.self_signed(&key_pair)?.pem(), key_pair.serialize_pem());
/// # let client = Canned::new().client();
/// let store = Arc::new(MemoryStore::default());
/// store.update(&CertificatePair::from_pem(&certificate, &key)?)?;
///
/// let template = CertificateTemplate::default().with_common_name("my-client");
/// let options = CertificateManagerOptions::default();
/// let mut manager = CertificateManager::start(client, Some(template), store, options).await?;
/// let pair = manager.ready().await.ok_or("the manager has ended")?;
/// assert_eq!(pair.subject().common_name, "my-client");
/// # Ok(())
/// # }
/// ```
#[must_use = "the certificate is not renewed any more when this is dropped"]
pub struct CertificateManager {
    current: watch::Receiver<Option<CertificatePair>>,
    errors: watch::Receiver<Option<Arc<CertificateError>>>,
    template: watch::Sender<Option<CertificateTemplate>>,
    task: AbortHandle,
}

impl CertificateManager {
    /// Starts the manager with the certificate in the store, if there is one. Must be called inside a tokio runtime.
    ///
    /// `client` sends the signing requests: with a bootstrap certificate or token or, if the managed identity is its own, with
    /// that one, through the file of a [`FileStore`](crate::certificate::FileStore).
    ///
    /// If the stored certificate is not usable, this logs a warning and requests a new one.
    pub async fn start(
        client: RestClient,
        template: Option<CertificateTemplate>,
        store: Arc<dyn Store>,
        options: CertificateManagerOptions,
    ) -> Result<Self, CertificateError> {
        let reading = Arc::clone(&store);
        let stored = tokio::task::spawn_blocking(move || reading.current()).await;
        let stored = match stored.map_err(|error| CertificateError::Wait(error.to_string()))? {
            Ok(pair) => Some(pair),
            Err(CertificateError::None(_)) => None,
            Err(error) => {
                tracing::warn!(%error, "the stored certificate is not usable: requesting a new one");
                None
            }
        };
        let is_bootstrap = stored.is_none() && options.bootstrap.is_some();
        let first = stored.or_else(|| options.bootstrap.clone());
        let mut rotation = Rotation::new(first.clone(), is_bootstrap, fastrand::f64());
        rotation.set_template(template.clone());
        let (publish, current) = watch::channel(first);
        let (report, errors) = watch::channel(None);
        let (template, templates) = watch::channel(template);
        let worker = Worker { client, store, options, rotation, templates, publish, report };
        let task = tokio::spawn(worker.run()).abort_handle();
        Ok(Self { current, errors, template, task })
    }

    /// The current certificate; `None` if there is no valid one.
    pub fn current(&self) -> Option<CertificatePair> {
        self.current.borrow().clone().filter(|pair| !pair.is_expired(SystemTime::now()))
    }

    /// Waits for a valid certificate, issued or stored, and returns it; `None` if the manager's task has ended. It is safe to
    /// drop the future.
    pub async fn ready(&mut self) -> Option<CertificatePair> {
        let good = |pair: &Option<CertificatePair>| {
            pair.as_ref().is_some_and(|pair| !pair.is_expired(SystemTime::now()))
        };
        self.current.wait_for(good).await.ok()?.clone()
    }

    /// Notifies of each new certificate.
    pub fn changes(&self) -> watch::Receiver<Option<CertificatePair>> {
        self.current.clone()
    }

    /// Sets the subject of the certificate from now on, for example when addresses change; `None` if it is not known yet. A
    /// running request for another subject is cancelled.
    pub fn set_template(&self, template: Option<CertificateTemplate>) {
        self.template.send_if_modified(|current| {
            let changed = *current != template;
            *current = template;
            changed
        });
    }

    /// The error of the last request, if it failed.
    pub fn last_error(&self) -> Option<Arc<CertificateError>> {
        self.errors.borrow().clone()
    }

    /// Returns `true` if the server responds, even if it only refuses the credentials.
    pub fn is_server_healthy(&self) -> bool {
        self.errors.borrow().as_ref().is_none_or(|error| error.is_answer())
    }
}

impl Drop for CertificateManager {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for CertificateManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateManager").field("current", &*self.current.borrow()).finish_non_exhaustive()
    }
}

struct Worker {
    client: RestClient,
    store: Arc<dyn Store>,
    options: CertificateManagerOptions,
    rotation: Rotation,
    templates: watch::Receiver<Option<CertificateTemplate>>,
    publish: watch::Sender<Option<CertificatePair>>,
    report: watch::Sender<Option<Arc<CertificateError>>>,
}

impl Worker {
    async fn run(mut self) {
        loop {
            let work = match self.rotation.next(SystemTime::now()) {
                Step::AwaitTemplate => Work::Wait(None),
                Step::Wait(until) => Work::Wait(Some(until)),
                Step::Request(template) => Work::Request(template),
            };
            let outcome = tokio::select! {
                // The running step was for another template.
                changed = self.templates.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let template = self.templates.borrow_and_update().clone();
                    self.rotation.set_template(template);
                    continue;
                }
                outcome = work.done(&self.client, &self.options) => outcome,
            };
            match outcome {
                None => {}
                Some(Ok(pair)) => self.issued(pair).await,
                Some(Err(error)) => self.failed(error),
            }
        }
    }

    async fn issued(&mut self, pair: CertificatePair) {
        let (store, keeping) = (Arc::clone(&self.store), pair.clone());
        let kept = tokio::task::spawn_blocking(move || store.update(&keeping)).await;
        let kept = kept.unwrap_or_else(|error| Err(CertificateError::Wait(error.to_string())));
        if let Err(error) = kept {
            return self.failed(error);
        }
        tracing::info!(?pair, "certificate issued");
        self.rotation.issued(pair.clone(), fastrand::f64());
        self.report.send_replace(None);
        self.publish.send_replace(Some(pair));
    }

    fn failed(&mut self, error: CertificateError) {
        tracing::warn!(%error, "no certificate was issued: retrying");
        self.rotation.failed(SystemTime::now(), fastrand::f64());
        self.report.send_replace(Some(Arc::new(error)));
    }
}

enum Work {
    /// Wait until this time, or indefinitely.
    Wait(Option<SystemTime>),
    Request(CertificateTemplate),
}

impl Work {
    async fn done(
        self,
        client: &RestClient,
        options: &CertificateManagerOptions,
    ) -> Option<Result<CertificatePair, CertificateError>> {
        /// The longest sleep, because the clock may be set and the machine may be suspended.
        const LOOK: Duration = Duration::from_mins(1);
        match self {
            Self::Wait(None) => std::future::pending().await,
            Self::Wait(Some(until)) => {
                let left = until.duration_since(SystemTime::now()).unwrap_or_default();
                tokio::time::sleep(left.min(LOOK)).await;
                None
            }
            Self::Request(template) => Some(request::issue(client, &template, options).await),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use client_rs_transport::http::{Body, Target, Transport, TransportError};
    use http::{Method, Request, Response, Uri};
    use serde_json::{Value, json};

    use super::*;
    use crate::RestClientOptions;
    use crate::certificate::pair::tests::{made, template};
    use crate::certificate::{MemoryStore, Store};

    /// A server that signs every request, or denies the first ones.
    struct Signer {
        denials: AtomicU32,
        asked: Mutex<Vec<Value>>,
    }

    impl Signer {
        fn new(denials: u32) -> Arc<Self> {
            Arc::new(Self { denials: AtomicU32::new(denials), asked: Mutex::default() })
        }

        fn asked(&self) -> usize {
            self.asked.lock().unwrap().len()
        }

        fn answer(&self, method: &Method, path: &str, body: &[u8]) -> Value {
            let mut asked = self.asked.lock().unwrap();
            if method == Method::POST {
                let mut request: Value = serde_json::from_slice(body).unwrap();
                let name = format!("csr-{}", asked.len());
                request["metadata"] =
                    json!({"name": name, "uid": format!("uid-{name}"), "resourceVersion": "1"});
                let denied =
                    self.denials.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                request["status"] = if denied.is_ok() {
                    json!({"conditions": [{"type": "Denied", "status": "True", "reason": "No", "message": "not today"}]})
                } else {
                    let csr = STANDARD.decode(request["spec"]["request"].as_str().unwrap()).unwrap();
                    json!({"certificate": STANDARD.encode(sign(std::str::from_utf8(&csr).unwrap()))})
                };
                asked.push(request.clone());
                return request;
            }
            let wanted = path.split("fieldSelector=metadata.name%3D").nth(1).unwrap_or_default();
            let wanted = wanted.split('&').next().unwrap_or_default();
            let items: Vec<_> =
                asked.iter().filter(|request| request["metadata"]["name"] == wanted).cloned().collect();
            json!({
                "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequestList",
                "metadata": {"resourceVersion": "1"}, "items": items,
            })
        }

        fn client(self: &Arc<Self>) -> RestClient {
            let signer = Arc::clone(self);
            let service = tower::service_fn(move |request: Request<Body>| {
                let signer = Arc::clone(&signer);
                async move {
                    let (parts, body) = request.into_parts();
                    let body = body.bytes().await?;
                    let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
                    let answer = signer.answer(&parts.method, path, &body).to_string();
                    let response = Response::builder().header("content-type", "application/json");
                    Ok::<_, TransportError>(response.body(Body::from(answer)).unwrap())
                }
            });
            let url = Uri::from_static("http://signer");
            let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
            let options = RestClientOptions {
                limiter: None,
                content_type: Some("application/json".to_owned()),
                accept: Some("application/json".to_owned()),
                ..RestClientOptions::default()
            };
            RestClient::with_options(&url, transport, options).unwrap()
        }
    }

    /// A certificate for a request, valid for an hour from now.
    fn sign(csr: &str) -> String {
        let authority_key = rcgen::KeyPair::generate().unwrap();
        let issuer = rcgen::Issuer::new(rcgen::CertificateParams::default(), authority_key);
        let mut request = rcgen::CertificateSigningRequestParams::from_pem(csr).unwrap();
        let now = SystemTime::now();
        request.params.not_before = (now - Duration::from_mins(1)).into();
        request.params.not_after = (now + Duration::from_hours(1)).into();
        request.signed_by(&issuer).unwrap().pem()
    }

    async fn start(signer: &Arc<Signer>, store: &Arc<MemoryStore>) -> CertificateManager {
        let store: Arc<dyn Store> = Arc::clone(store) as Arc<dyn Store>;
        CertificateManager::start(
            signer.client(),
            Some(template()),
            store,
            CertificateManagerOptions::default(),
        )
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn t8_3_04_a_first_certificate_is_asked_for_stored_and_given_out() {
        let (signer, store) = (Signer::new(0), Arc::new(MemoryStore::default()));
        let mut manager = start(&signer, &store).await;
        let pair = manager.ready().await.unwrap();
        assert!(template().is_met_by(&pair));
        assert_eq!(store.current().unwrap(), pair);
        assert_eq!((manager.current(), signer.asked()), (Some(pair), 1));
        let asked = signer.asked.lock().unwrap()[0].clone();
        assert_eq!(asked["spec"]["signerName"], "kubernetes.io/kube-apiserver-client");
        assert_eq!(asked["spec"]["usages"], json!(["digital signature", "client auth"]));
        assert!(manager.is_server_healthy());
        // Another start with the same store sends no request.
        drop(manager);
        let again = start(&signer, &store).await;
        assert!(again.current().is_some());
        tokio::task::yield_now().await;
        assert_eq!(signer.asked(), 1);
    }

    #[tokio::test]
    async fn t8_3_03_a_denial_keeps_the_old_one_and_another_template_requests_at_once() {
        let (signer, store) = (Signer::new(1), Arc::new(MemoryStore::default()));
        let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let old = made(&template(), seconds - 10, 3600);
        store.update(&old).unwrap();
        let manager = start(&signer, &store).await;
        assert_eq!(manager.current(), Some(old.clone()));
        let wanted = CertificateTemplate { dns_names: vec!["new.example".into()], ..template() };
        manager.set_template(Some(wanted));
        let mut errors = manager.errors.clone();
        errors.changed().await.unwrap();
        assert!(
            matches!(&*manager.last_error().unwrap(), CertificateError::Denied { why, .. } if why.contains("not today"))
        );
        assert_eq!(manager.current(), Some(old));
        assert!(manager.is_server_healthy(), "a denial is a response");
    }

    #[tokio::test]
    async fn t8_3_07_dropping_it_ends_its_task() {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let before = tasks();
        let manager = start(&Signer::new(u32::MAX), &Arc::new(MemoryStore::default())).await;
        drop(manager);
        while tasks() > before {
            tokio::task::yield_now().await;
        }
    }
}
