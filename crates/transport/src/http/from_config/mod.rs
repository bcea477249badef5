//! Transports for a [`Config`].

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll};

use bytes::Bytes;
use client_rs_machinery::features::FeatureGates;
use http::request::Parts;
use http::{Request, Response, StatusCode};
use rustls::ClientConfig;
use tokio::task::AbortHandle;
use tower::Service;

use super::transport::Core;
use super::{
    Body, BoxError, Dial, HttpOptions, InProcess, Proxy, ProxyEnv, Target, TlsProvider, Transport,
    TransportBuilder, TransportError,
};
use crate::auth::ClientCertificates;
use crate::auth::{Credentials, CredentialsOptions, Impersonate, NoCredentialMetrics, Stamp};
use crate::task;
use crate::tls::{Trust, client_config};
use crate::tls_source::{CaSource, ClientIdentity};
use crate::{Config, TlsOptions};

/// An extension of a response: a possible reason why the server refused the request, as far as the client can know it. A
/// sentence for the user, without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation(pub String);

client_rs_machinery::options! {
    /// The settings of a transport in addition to its [`Config`].
    #[derive(Clone)]
    pub struct TransportOptions {
        /// The settings of connections. Default: [`HttpOptions::default`], which reads the environment.
        pub http: HttpOptions => with_http,
        /// Opens byte streams. Default: TCP.
        pub dial: Option<Arc<dyn Dial>> => with_dial,
        /// The proxies of the environment, for a config without a proxy. Default: those of the process.
        pub proxies: ProxyEnv => with_proxies,
        /// The settings of credentials. Default: OpenID providers are reached over HTTP, and metrics are ignored.
        pub credentials: CredentialsOptions => with_credentials,
        /// The feature gates. Default: those of the process.
        pub gates: FeatureGates => with_gates,
    }
}

impl Default for TransportOptions {
    fn default() -> Self {
        let credentials = CredentialsOptions {
            #[cfg(feature = "oidc")]
            http: Some(Arc::new(super::OpenIdHttp::default())),
            ..CredentialsOptions::default()
        };
        Self {
            http: HttpOptions::default(),
            dial: None,
            proxies: ProxyEnv::from_process(),
            credentials,
            gates: FeatureGates::global(),
        }
    }
}

impl fmt::Debug for TransportOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportOptions").field("http", &self.http).finish_non_exhaustive()
    }
}

impl Transport {
    /// Creates a transport to the server of a config, with its credentials. It opens no connection yet.
    ///
    /// Transports of equal configs share their connections: same server, certificates, credentials, impersonation and proxy. A server
    /// that is registered as [`InProcess`] is reached without a connection.
    ///
    /// ```
    /// use client_rs_transport::Config;
    /// use client_rs_transport::auth::{AuthOptions, BasicAuth};
    /// use client_rs_transport::http::Transport;
    ///
    /// let config = Config::new("https://k8s.example:6443".parse()?);
    /// let transport = Transport::from_config(&config)?;
    /// assert_eq!(transport.target().to_string(), "k8s.example:6443");
    /// assert_eq!(transport.connections(), 0);
    ///
    /// let both = AuthOptions::default().with_token("t").with_basic(BasicAuth::new("me", "pw"));
    /// assert!(Transport::from_config(&config.with_auth(both)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Contradicting credentials, or a server or proxy URL that is not valid. Files that can't be read are errors of the first
    /// request instead.
    pub fn from_config(config: &Config) -> Result<Self, TransportError> {
        if let Some(transport) = InProcess::find(&config.server) {
            return Ok(transport);
        }
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        cache.retain(|(_, base)| base.strong_count() > 0);
        let key = key(config);
        if let Some(base) = cache.iter().find(|(other, _)| *other == key).and_then(|(_, base)| base.upgrade())
        {
            return Ok(base.transport());
        }
        let base = Base::new(config, TransportOptions::default())?;
        cache.push((key, Arc::downgrade(&base)));
        Ok(base.transport())
    }

    /// Like [`from_config`](Self::from_config), with options. The connections are not shared with other transports.
    pub fn from_config_with(config: &Config, options: TransportOptions) -> Result<Self, TransportError> {
        Ok(Base::new(config, options)?.transport())
    }
}

/// The transports in use. An entry expires with the last transport that was created from it.
static CACHE: Mutex<Vec<(Config, Weak<Base>)>> = Mutex::new(Vec::new());

/// The fields that two configs must have in common to share connections.
fn key(config: &Config) -> Config {
    let defaults = Config::new(config.server.clone());
    Config {
        server: config.server.clone(),
        tls: config.tls.clone(),
        auth: config.auth.clone(),
        impersonate: config.impersonate.clone(),
        proxy: config.proxy.clone(),
        proxy_ca: config.proxy_ca.clone(),
        disable_compression: config.disable_compression,
        user_agent: String::new(),
        ..defaults
    }
}

type Answer = Result<Response<Body>, TransportError>;

/// The state that all clones of a transport share.
struct Base {
    core: Core,
    target: Target,
    credentials: Credentials,
    ca: Option<CaSource>,
    /// The generation of the authorities that the connections were made with.
    generation: AtomicU64,
    rotation: OnceLock<Rotation>,
}

/// Ends the task that waits for new certificates.
struct Rotation(AbortHandle);

impl Drop for Rotation {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Base {
    fn new(config: &Config, options: TransportOptions) -> Result<Arc<Self>, TransportError> {
        let server_name = config.tls.server_name.clone().filter(|name| !name.is_empty());
        let target = Target { server_name, ..Target::from_uri(&config.server)? };
        let proxy = match &config.proxy {
            Some(proxy) => Some(proxy.expose().to_owned()),
            None => options.proxies.proxy_for(target.tls, &target.host, target.port),
        };
        let proxy = proxy.map(|url| Proxy::parse(&url)).transpose().map_err(TransportError::Config)?;
        if config.tls.insecure_skip_verify && config.tls.ca.is_some() {
            let why = "certificate-authority and insecure-skip-tls-verify contradict each other: remove one of them";
            return Err(TransportError::Config(why.to_owned()));
        }
        let credentials = Credentials::new(config, &options.credentials)
            .map_err(|error| TransportError::Credentials(error.into()))?;
        let ca = (!config.tls.insecure_skip_verify)
            .then(|| CaSource::new(&config.tls, &options.gates, options.credentials.metrics.clone()));
        let certificates = credentials.client_certificates().clone();
        let tls = SourceTls::new(ca.clone(), certificates);
        let proxy_trust = TlsOptions { ca: config.proxy_ca.clone(), ..TlsOptions::default() };
        let proxy_ca = CaSource::new(&proxy_trust, &options.gates, options.credentials.metrics.clone());
        let mut builder = TransportBuilder::new(target.clone())
            .proxy(proxy)
            .proxy_tls(Arc::new(SourceTls::new(Some(proxy_ca), ClientCertificates::none())))
            .options(options.http)
            .compression(!config.disable_compression)
            .tls(Arc::new(tls));
        if let Some(dial) = options.dial {
            builder = builder.dial(dial);
        }
        let core = builder.core()?;
        let ca = ca.filter(|ca| target.tls && ca.rotates());
        let (generation, rotation) = (AtomicU64::new(0), OnceLock::new());
        Ok(Arc::new(Self { core, target, credentials, ca, generation, rotation }))
    }

    fn transport(self: Arc<Self>) -> Transport {
        let (target, pool) = (self.target.clone(), Arc::clone(&self.core.pool));
        Transport::assemble(Authenticated(self), target, Some(pool))
    }

    fn send(self: Arc<Self>, request: Request<Body>) -> impl Future<Output = Answer> {
        let (mut parts, mut body) = request.into_parts();
        async move {
            self.follow_certificates();
            self.follow_authorities().await;
            let again = self.credentials.may_be_replaced().then(|| parts.clone()).zip(body.replayable());
            let again = again.map(|(parts, bytes)| Box::new((parts, Bytes::clone(&bytes))));
            let stamp = self.authorize(&mut parts).await?;
            let response = self.core.send(&mut parts, &mut body).await?;
            if response.status() != StatusCode::UNAUTHORIZED {
                return Ok(response);
            }
            Box::pin(self.refused(response, stamp, again)).await
        }
    }

    /// After a 401: sends the request again, if there is a new credential.
    async fn refused(
        &self,
        response: Response<Body>,
        stamp: Stamp,
        again: Option<Box<(Parts, Bytes)>>,
    ) -> Answer {
        // Refresh even if this request can't be sent again: the next one will use the new credential.
        let fresh = self.credentials.refused(&stamp).await;
        match again {
            Some(again) if fresh => {
                tracing::debug!("the credential was refused and replaced: sending the request again");
                drop(response);
                let (mut parts, bytes) = *again;
                self.authorize(&mut parts).await?;
                let response = self.core.send(&mut parts, &mut Body::from(bytes)).await?;
                Ok(self.explained(response).await)
            }
            _ => Ok(self.explained(response).await),
        }
    }

    /// Adds the known reason to a refusal.
    async fn explained(&self, mut response: Response<Body>) -> Response<Body> {
        if response.status() == StatusCode::UNAUTHORIZED
            && let Some(why) = self.credentials.client_certificates().expired().await
        {
            response.extensions_mut().insert(Explanation(why));
        }
        response
    }

    /// Adds the credentials to a request.
    async fn authorize(&self, parts: &mut Parts) -> Result<Stamp, TransportError> {
        let user = parts.extensions.get::<Impersonate>().cloned();
        let stamp = self.credentials.apply_as(&mut parts.headers, user.as_ref()).await;
        stamp.map_err(|error| TransportError::Credentials(error.into()))
    }

    /// Closes all connections when the client certificate has been replaced.
    fn follow_certificates(&self) {
        let certificates = self.credentials.client_certificates();
        if certificates.is_none() {
            return;
        }
        self.rotation.get_or_init(|| {
            let mut rotations = certificates.rotations();
            let pool = Arc::downgrade(&self.core.pool);
            let task = task::spawn(async move {
                while rotations.changed().await.is_ok() {
                    let Some(pool) = pool.upgrade() else { return };
                    tracing::info!("client certificate replaced: closing connections");
                    pool.close();
                }
            });
            Rotation(task.abort_handle())
        });
    }

    /// Opens new connections when the authorities have been replaced. Running requests continue on the old ones.
    async fn follow_authorities(&self) {
        let Some(ca) = &self.ca else { return };
        // The next handshake reports a file that can't be read.
        let Ok(roots) = ca.current().await else { return };
        if self.generation.swap(roots.generation, Ordering::AcqRel) != roots.generation {
            tracing::info!("certificate authorities replaced: opening new connections");
            self.core.pool.retire();
        }
    }
}

/// The innermost service of a transport that was created from a config.
#[derive(Clone)]
struct Authenticated(Arc<Base>);

impl Service<Request<Body>> for Authenticated {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(Arc::clone(&self.0).send(request))
    }
}

/// TLS with the current certificates.
#[derive(Debug)]
pub(super) struct SourceTls {
    /// `None` accepts any certificate of the server.
    ca: Option<CaSource>,
    certificates: ClientCertificates,
    /// The last configurations, one for each list of protocols.
    built: Mutex<Vec<Built>>,
}

#[derive(Debug)]
struct Built {
    protocols: Vec<&'static [u8]>,
    generation: u64,
    identity: Option<Arc<ClientIdentity>>,
    config: Arc<ClientConfig>,
}

impl TlsProvider for SourceTls {
    fn config<'a>(
        &'a self,
        protocols: &'a [&'static [u8]],
    ) -> Pin<Box<dyn Future<Output = Result<Arc<ClientConfig>, BoxError>> + Send + 'a>> {
        Box::pin(async move {
            let (generation, trust) = match &self.ca {
                None => (0, Trust::Anybody),
                Some(ca) => {
                    let roots = ca.current().await?;
                    (roots.generation, roots.certificates.map_or(Trust::System, Trust::Only))
                }
            };
            let identity = self.certificates.current().await?;
            if let Some(config) = self.known(protocols, generation, identity.as_ref()) {
                return Ok(config);
            }
            let (owned, shown) = (protocols.to_vec(), identity.clone());
            // Reading the authorities of the system blocks on files.
            let config = tokio::task::spawn_blocking(move || {
                let identity = shown.as_ref().map(|identity| (identity.chain(), identity.key()));
                client_config(&trust, identity, &owned)
            });
            let config = Arc::new(config.await??);
            let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
            built.retain(|built| built.protocols != protocols);
            let (protocols, kept) = (protocols.to_vec(), Arc::clone(&config));
            built.push(Built { protocols, generation, identity, config: kept });
            Ok(config)
        })
    }
}

impl SourceTls {
    pub(super) fn new(ca: Option<CaSource>, certificates: ClientCertificates) -> Self {
        Self { ca, certificates, built: Mutex::default() }
    }

    /// Trusts the authorities of the system, and shows no certificate.
    pub(super) fn system() -> Self {
        let ca =
            CaSource::new(&TlsOptions::default(), &FeatureGates::global(), Arc::new(NoCredentialMetrics));
        Self::new(Some(ca), ClientCertificates::none())
    }

    fn known(
        &self,
        protocols: &[&'static [u8]],
        generation: u64,
        identity: Option<&Arc<ClientIdentity>>,
    ) -> Option<Arc<ClientConfig>> {
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let known = built.iter().find(|built| {
            // Equal certificates are the same `Arc`.
            let same_identity = match (&built.identity, identity) {
                (None, None) => true,
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                _ => false,
            };
            built.protocols == protocols && built.generation == generation && same_identity
        });
        known.map(|built| Arc::clone(&built.config))
    }
}

#[cfg(test)]
mod tests;
