//! What a request carries to say who asks.

use std::{fmt, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

use super::{
    AuthError, AuthOptions, BasicAuth, CredentialMetrics, NoMetrics,
    exec::{ExecAuthenticator, ExecCluster, ExecCredential},
    impersonate, oidc, provider,
    refresh::Serial,
    single_flight::{Clock, SingleFlight},
    token_file::token_file,
};
use crate::{Config, Secret, tls_source::ClientCertificates};

/// Says who asks, in every request, and keeps that fresh. A clone is a handle to the same credentials.
///
/// Nothing here blocks an async worker, and however many requests wait for a refresh, one runs. A request that is
/// dropped while it waits does not stop it.
#[derive(Clone)]
pub struct Credentials(Arc<Inner>);

struct Inner {
    method: Method,
    impersonation: HeaderMap,
    certificates: ClientCertificates,
}

enum Method {
    None,
    /// Never changes: a token, or a user and password.
    Static(HeaderValue),
    /// A header that is fetched anew: a token file, an OpenID provider.
    Fetched(SingleFlight<HeaderValue>),
    Exec(Arc<ExecAuthenticator>),
}

/// What [`Credentials`] need besides the [`Config`].
#[derive(Clone)]
pub struct CredentialsOptions {
    /// How to reach an OpenID provider; needed only for the `oidc` auth provider. Default: not at all.
    pub http: Option<Arc<dyn oidc::TokenHttp>>,
    /// Who hears of plugin runs and the like. Default: nobody.
    pub metrics: Arc<dyn CredentialMetrics>,
}

/// Which credential a request was sent with; see [`Credentials::refused`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Option<Serial>);

impl Credentials {
    /// The credentials of this config. Reads client certificate files only when they are asked for.
    ///
    /// A server that doesn't speak TLS gets none, only impersonation headers.
    pub fn new(config: &Config, options: &CredentialsOptions) -> Result<Self, AuthError> {
        let impersonation = match &config.impersonate {
            Some(impersonate) => impersonate.headers()?,
            None => HeaderMap::new(),
        };
        if !config.uses_tls() {
            if !config.auth.is_anonymous() {
                tracing::warn!(server = %config.server, "credentials are not sent, as the server's URL is not https");
            }
            let certificates = ClientCertificates::none();
            return Ok(Self(Arc::new(Inner { method: Method::None, impersonation, certificates })));
        }
        let method = Method::of(config, options)?;
        let certificates = match &method {
            Method::Exec(exec) => ClientCertificates::exec(exec.clone()),
            _ => ClientCertificates::of(&config.tls)?,
        };
        Ok(Self(Arc::new(Inner { method, impersonation, certificates })))
    }

    /// Adds the headers that say who asks. A request that has an `Authorization` header keeps it, and one that says in
    /// whose name it is made (`Impersonate-User`) keeps that.
    pub async fn apply(&self, headers: &mut HeaderMap) -> Result<Stamp, AuthError> {
        let stamp = self.authorize(headers).await?;
        impersonate::apply(&self.0.impersonation, headers);
        Ok(stamp)
    }

    async fn authorize(&self, headers: &mut HeaderMap) -> Result<Stamp, AuthError> {
        if headers.get(AUTHORIZATION).is_some_and(|value| !value.is_empty()) {
            return Ok(Stamp(None));
        }
        let (value, serial) = match &self.0.method {
            Method::None => (None, None),
            Method::Static(value) => (Some(value.clone()), None),
            Method::Fetched(flight) => {
                let (value, serial) = flight.get().await?;
                (Some(value), Some(serial))
            }
            Method::Exec(exec) => {
                let (credential, serial) = exec.get().await?;
                (credential.authorization.clone(), Some(serial))
            }
        };
        if let Some(value) = value {
            headers.insert(AUTHORIZATION, value);
        }
        Ok(Stamp(serial))
    }

    /// The server answered 401 to a request that was sent with this credential. Fetches a new one, unless that has
    /// happened since; `true` if there now is another, so that asking again makes sense. Once: if that is refused as
    /// well, the user is.
    pub async fn refused(&self, used: &Stamp) -> bool {
        let Some(serial) = used.0 else { return false };
        match &self.0.method {
            Method::None | Method::Static(_) => false,
            Method::Fetched(flight) => {
                let last = flight.last();
                matches!(flight.refused(serial).await, Ok((value, now)) if now != serial && last.as_ref() != Some(&value))
            }
            Method::Exec(exec) => {
                let last = exec.last();
                match exec.refused(serial).await {
                    Ok((credential, now)) => {
                        now != serial && last.is_none_or(|last| !last.same_as(&credential))
                    }
                    Err(_) => false,
                }
            }
        }
    }

    /// The client certificate for the next handshake, and news of its replacement.
    pub fn client_certificates(&self) -> &ClientCertificates {
        &self.0.certificates
    }

    /// Do both come from the same source, so that connections made with one serve the other?
    pub fn same_source(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || match (&self.0.method, &other.0.method) {
                (Method::Exec(one), Method::Exec(two)) => Arc::ptr_eq(one, two),
                _ => false,
            }
    }
}

impl Method {
    fn of(config: &Config, options: &CredentialsOptions) -> Result<Self, AuthError> {
        let auth = &config.auth;
        let AuthOptions { token, token_file: file, basic, exec, provider, persist } = auth;
        let token = token.as_ref().filter(|token| !token.is_empty());
        let has_token = token.is_some() || file.is_some();
        let has_certificate = config.tls.client_certificate.is_some() && config.tls.client_key.is_some();
        if has_token && basic.is_some() {
            return Err(AuthError::Conflict("both a bearer token and a user with password are set"));
        }
        if exec.is_some() && provider.is_some() {
            return Err(AuthError::Conflict("both an exec plugin and an auth provider are set"));
        }
        if let Some(path) = file {
            return Ok(Self::Fetched(token_file(path.clone(), token, Clock::system())?));
        }
        if let Some(token) = token {
            return Ok(Self::Static(bearer(token)?));
        }
        if let Some(basic) = basic {
            return Ok(Self::Static(basic_header(basic)?));
        }
        if let Some(provider) = provider {
            if provider.name != "oidc" {
                return Err(provider::refuse(&provider.name));
            }
            let http = options.http.clone();
            let flight = oidc::shared(config.server_url(), provider, http, persist.clone())?;
            return Ok(Self::Fetched(flight));
        }
        match exec {
            Some(exec) if !has_certificate => {
                let cluster = ExecCluster::of(config)?;
                Ok(Self::Exec(ExecAuthenticator::shared(exec, cluster, options.metrics.clone())?))
            }
            _ => Ok(Self::None),
        }
    }
}

impl ExecCredential {
    fn same_as(&self, other: &Self) -> bool {
        self.authorization == other.authorization && self.identity == other.identity
    }
}

/// `Bearer …`, marked so that nothing prints it.
pub(super) fn bearer(token: &Secret) -> Result<HeaderValue, AuthError> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose().trim()))
        .map_err(|_| AuthError::NotAHeader { what: "bearer token" })?;
    value.set_sensitive(true);
    Ok(value)
}

fn basic_header(basic: &BasicAuth) -> Result<HeaderValue, AuthError> {
    let pair = format!("{}:{}", basic.username, basic.password.expose());
    let mut value = HeaderValue::try_from(format!("Basic {}", BASE64_STANDARD.encode(pair)))
        .map_err(|_| AuthError::NotAHeader { what: "user or password" })?;
    value.set_sensitive(true);
    Ok(value)
}

impl Default for CredentialsOptions {
    fn default() -> Self {
        Self { http: None, metrics: Arc::new(NoMetrics) }
    }
}

impl fmt::Debug for CredentialsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CredentialsOptions").field("http", &self.http.is_some()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = match &self.0.method {
            Method::None => "none",
            Method::Static(_) => "static",
            Method::Fetched(_) => "fetched",
            Method::Exec(_) => "exec",
        };
        f.debug_struct("Credentials").field("method", &method).finish_non_exhaustive()
    }
}
