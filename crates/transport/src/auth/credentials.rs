//! The credentials that a request carries.

use std::{fmt, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

#[cfg(feature = "oidc")]
use super::oidc;
use super::{
    AuthError, AuthOptions, BasicAuth, ClientCertificates, CredentialMetrics, Impersonate,
    NoCredentialMetrics,
    exec::{ExecAuthenticator, ExecCluster, ExecCredential},
    impersonate,
    provider::{OIDC, Providers},
    refresh::Serial,
    single_flight::{Clock, SingleFlight},
    token_file::token_file,
};
use crate::config::without_user_info;
use crate::{Config, Secret};

/// Adds credentials to requests and keeps them fresh. A clone is a handle to the same credentials.
///
/// A [`Transport`](crate::http::Transport) that is made from a config uses this internally. Create your own for another HTTP
/// client: call [`apply`](Self::apply) for each request and [`refused`](Self::refused) after a 401 response.
///
/// No method blocks an async worker thread. All requests that wait for a refresh share one, and a request that is dropped
/// while it waits does not stop it.
///
/// ```
/// use client_rs_transport::Config;
/// use client_rs_transport::auth::{AuthOptions, Credentials, CredentialsOptions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let file = folder.path().join("token");
/// std::fs::write(&file, "one")?;
/// let config = Config::new("https://k8s.example".parse()?).with_auth(AuthOptions::default().with_token_file(&file));
/// let credentials = Credentials::new(&config, &CredentialsOptions::default())?;
///
/// let mut headers = http::HeaderMap::new();
/// let stamp = credentials.apply(&mut headers).await?;
/// assert_eq!(headers["authorization"], "Bearer one");
///
/// // The server answers 401. The file contains a new token, so the request can be sent again.
/// std::fs::write(&file, "two")?;
/// assert!(credentials.refused(&stamp).await);
/// # Ok(())
/// # }
/// ```
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
    /// A header that is fetched again when it expires: a token file, an OpenID provider.
    Fetched(SingleFlight<HeaderValue>),
    Exec(Arc<ExecAuthenticator>),
}

client_rs_machinery::options! {
    /// The settings of [`Credentials`] in addition to the [`Config`].
    #[derive(Clone)]
    pub struct CredentialsOptions {
        /// The HTTP client for an OpenID provider; needed only for the `oidc` auth provider. Default: none.
        #[cfg(feature = "oidc")]
        pub http: Option<Arc<dyn oidc::TokenHttp>> => with_http,
        /// The auth providers of the program. Default: none.
        pub providers: Providers => with_providers,
        /// The receiver of metrics. Default: none.
        pub metrics: Arc<dyn CredentialMetrics> => with_metrics,
    }
}

/// The credential that a request was sent with; see [`Credentials::refused`].
#[derive(Clone, Debug)]
pub struct Stamp(Used);

/// The credential that was sent, if it can be replaced.
#[derive(Clone, Debug)]
enum Used {
    Nothing,
    Header(HeaderValue, Serial),
    Exec(Arc<ExecCredential>, Serial),
}

impl Credentials {
    /// The credentials of this config. Client certificate files are read only when they are needed.
    ///
    /// For a server without TLS, there are no credentials, only impersonation headers.
    pub fn new(config: &Config, options: &CredentialsOptions) -> Result<Self, AuthError> {
        let impersonation = match &config.impersonate {
            Some(impersonate) => impersonate.headers()?,
            None => HeaderMap::new(),
        };
        if !config.uses_tls() {
            if !config.auth.is_anonymous() {
                let server = without_user_info(&config.server.to_string());
                tracing::warn!(%server, "credentials are not sent, as the server's URL is not https");
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

    /// Adds the credentials to the headers of a request. An existing `Authorization` header stays. If the config impersonates a
    /// user, the `Impersonate-*` headers of the request are replaced: see [`apply_as`](Self::apply_as).
    ///
    /// Waits for a token file, a plugin or a provider if the credential has expired. Dropping the future does not stop that
    /// refresh.
    pub async fn apply(&self, headers: &mut HeaderMap) -> Result<Stamp, AuthError> {
        self.apply_as(headers, None).await
    }

    /// Like [`apply`](Self::apply), but impersonates `user`, if given, instead of the config's user.
    pub async fn apply_as(
        &self,
        headers: &mut HeaderMap,
        user: Option<&Impersonate>,
    ) -> Result<Stamp, AuthError> {
        let stamp = self.authorize(headers).await?;
        match user {
            Some(user) => impersonate::apply(&user.headers()?, headers),
            None => impersonate::apply(&self.0.impersonation, headers),
        }
        Ok(stamp)
    }

    async fn authorize(&self, headers: &mut HeaderMap) -> Result<Stamp, AuthError> {
        if headers.get(AUTHORIZATION).is_some_and(|value| !value.is_empty()) {
            return Ok(Stamp(Used::Nothing));
        }
        let (value, used) = match &self.0.method {
            Method::None => (None, Used::Nothing),
            Method::Static(value) => (Some(value.clone()), Used::Nothing),
            Method::Fetched(flight) => {
                let (value, serial) = flight.get().await?;
                (Some(value.clone()), Used::Header(value, serial))
            }
            Method::Exec(exec) => {
                let (credential, serial) = exec.get().await?;
                (credential.authorization.clone(), Used::Exec(credential, serial))
            }
        };
        if let Some(value) = value {
            headers.insert(AUTHORIZATION, value);
        }
        Ok(Stamp(used))
    }

    /// Call this after the server answered 401 to a request with this credential. It fetches a new credential, unless that has
    /// happened since, and returns `true` if the new one differs, so that a retry can succeed. Retry only once: if the new
    /// credential is refused too, the user is not authorized.
    pub async fn refused(&self, used: &Stamp) -> bool {
        match (&self.0.method, &used.0) {
            (Method::Fetched(flight), Used::Header(value, serial)) => {
                flight.refused(*serial).await.is_ok_and(|(now, _)| now != *value)
            }
            (Method::Exec(exec), Used::Exec(credential, serial)) => {
                exec.refused(*serial).await.is_ok_and(|(now, _)| now != *credential)
            }
            _ => false,
        }
    }

    /// Whether [`refused`](Self::refused) may find a new credential. A caller that keeps a copy of its request needs none otherwise.
    pub(crate) fn may_be_replaced(&self) -> bool {
        matches!(self.0.method, Method::Fetched(_) | Method::Exec(_))
    }

    /// The client certificate for the next handshake, with notifications of its replacement.
    pub fn client_certificates(&self) -> &ClientCertificates {
        &self.0.certificates
    }

    /// Returns `true` if both come from the same source, so that they can share connections.
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
            let (server, persist) = (config.server_url(), persist.clone());
            if provider.name == OIDC {
                #[cfg(feature = "oidc")]
                return Ok(Self::Fetched(oidc::shared(server, provider, options.http.clone(), persist)?));
                #[cfg(not(feature = "oidc"))]
                return Err(AuthError::OidcNotBuilt);
            }
            return Ok(Self::Fetched(options.providers.header(
                server,
                provider,
                persist,
                Clock::system(),
            )?));
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

/// The header `Bearer …`, marked as sensitive so that it is never printed.
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
        Self {
            #[cfg(feature = "oidc")]
            http: None,
            providers: Providers::default(),
            metrics: Arc::new(NoCredentialMetrics),
        }
    }
}

impl fmt::Debug for CredentialsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CredentialsOptions").field("providers", &self.providers).finish_non_exhaustive()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{AuthProviderConfig, Impersonate};

    fn credentials(edit: impl FnOnce(&mut Config)) -> Result<Credentials, AuthError> {
        let mut config = Config::new("https://k".parse().unwrap());
        edit(&mut config);
        Credentials::new(&config, &CredentialsOptions::default())
    }

    async fn sent(credentials: &Credentials) -> HeaderMap {
        let mut headers = HeaderMap::new();
        credentials.apply(&mut headers).await.unwrap();
        headers
    }

    fn basic() -> BasicAuth {
        BasicAuth { username: "me".to_owned(), password: "hunter2".into() }
    }

    #[tokio::test]
    async fn tokens_and_passwords_are_sent_and_never_shown() {
        let token = credentials(|config| config.auth.token = Some(" hunter2\n".into())).unwrap();
        let headers = sent(&token).await;
        assert_eq!(headers[AUTHORIZATION], "Bearer hunter2");
        assert!(!format!("{token:?} {headers:?}").contains("hunter2"));
        let basic = credentials(|config| config.auth.basic = Some(basic())).unwrap();
        assert_eq!(sent(&basic).await[AUTHORIZATION], "Basic bWU6aHVudGVyMg==");
        let nobody = credentials(|_| ()).unwrap();
        assert!(sent(&nobody).await.is_empty());
        let stamp = token.apply(&mut HeaderMap::new()).await.unwrap();
        assert!(!token.refused(&stamp).await, "there is no other");
    }

    #[tokio::test]
    async fn a_server_without_https_gets_impersonation_but_no_credentials() {
        let headers = sent(
            &credentials(|config| {
                config.server = "http://k".parse().unwrap();
                config.auth.token = Some("t".into());
                config.auth.basic = Some(basic());
                config.impersonate = Some(Impersonate { user: "jane".to_owned(), ..Impersonate::default() });
            })
            .unwrap(),
        )
        .await;
        assert_eq!(headers.len(), 1);
        assert_eq!(headers["impersonate-user"], "jane");
    }

    #[test]
    fn conflicting_or_unsendable_credentials_are_refused() {
        let both = credentials(|config| {
            config.auth.token = Some("t".into());
            config.auth.basic = Some(basic());
        });
        assert!(matches!(both, Err(AuthError::Conflict(_))));
        let odd = credentials(|config| config.auth.token = Some("hunter2\nx".into())).unwrap_err();
        assert!(matches!(odd, AuthError::NotAHeader { .. }) && !odd.to_string().contains("hunter2"));
        let half = credentials(|config| config.tls.client_key = Some(crate::Material::Data("K".into())));
        assert!(matches!(half, Err(AuthError::Certificate(_))));
        let gcp = AuthProviderConfig { name: "gcp".to_owned(), ..AuthProviderConfig::default() };
        let error = credentials(|config| config.auth.provider = Some(gcp)).unwrap_err().to_string();
        assert!(error.contains("gke-gcloud-auth-plugin"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_refused_token_of_a_file_is_read_again_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("token");
        std::fs::write(&file, "one").unwrap();
        let credentials = credentials(|config| config.auth.token_file = Some(file.clone())).unwrap();
        let stamp = credentials.apply(&mut HeaderMap::new()).await.unwrap();
        assert!(!credentials.refused(&stamp).await, "the file contains the refused token");
        let stamp = credentials.apply(&mut HeaderMap::new()).await.unwrap();
        std::fs::write(&file, "two").unwrap();
        assert!(credentials.refused(&stamp).await);
        assert_eq!(sent(&credentials).await[AUTHORIZATION], "Bearer two");
    }
}
