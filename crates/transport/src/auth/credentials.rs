//! What a request carries to say who asks.

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
    #[cfg(feature = "oidc")]
    pub http: Option<Arc<dyn oidc::TokenHttp>>,
    /// Auth providers that the program brings along. Default: none.
    pub providers: Providers,
    /// Who hears of plugin runs and the like. Default: nobody.
    pub metrics: Arc<dyn CredentialMetrics>,
}

/// Which credential a request was sent with; see [`Credentials::refused`].
#[derive(Clone, Debug)]
pub struct Stamp(Used);

/// What was sent, if it can be replaced.
#[derive(Clone, Debug)]
enum Used {
    Nothing,
    Header(HeaderValue, Serial),
    Exec(Arc<ExecCredential>, Serial),
}

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

    /// Adds the headers that say who asks. A request that has an `Authorization` header keeps it. Where the config says in
    /// whose name requests are made, `Impersonate-*` headers of the request are taken out: see [`apply_as`](Self::apply_as).
    pub async fn apply(&self, headers: &mut HeaderMap) -> Result<Stamp, AuthError> {
        self.apply_as(headers, None).await
    }

    /// As [`apply`](Self::apply), in the name of somebody else than the config says, if one is given.
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

    /// The server answered 401 to a request that was sent with this credential. Fetches a new one, unless that has
    /// happened since; `true` if there now is another, so that asking again makes sense. Once: if that is refused as
    /// well, the user is.
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
    fn what_cannot_be_meant_together_or_sent_is_refused() {
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
        assert!(!credentials.refused(&stamp).await, "the file holds what was refused");
        let stamp = credentials.apply(&mut HeaderMap::new()).await.unwrap();
        std::fs::write(&file, "two").unwrap();
        assert!(credentials.refused(&stamp).await);
        assert_eq!(sent(&credentials).await[AUTHORIZATION], "Bearer two");
    }
}
