//! Credentials from an OpenID Connect provider: the `oidc` auth provider of kubeconfigs.
//!
//! The user logs in with another program, which writes an ID token and a refresh token to the kubeconfig. The client sends the
//! ID token as a bearer token. Ten seconds before it expires, the client fetches a new one and stores it for the next program.
//! It sends the refresh token and the client secret only over https, or to an issuer on this machine, and only to the endpoint
//! in the discovery document of the configured issuer.
//!
//! ```
//! use client_rs_transport::Config;
//! use client_rs_transport::auth::{AuthOptions, AuthProviderConfig, Credentials, CredentialsOptions};
//!
//! let provider = AuthProviderConfig::default().with_name("oidc").with_config([
//!     ("client-id".to_owned(), "kubernetes".to_owned()),
//!     ("refresh-token".to_owned(), "…".to_owned()),
//! ]);
//! let config = Config::new("https://k8s.example".parse()?).with_auth(AuthOptions::default().with_provider(provider));
//! let error = Credentials::new(&config, &CredentialsOptions::default()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "getting credentials from the OpenID provider: the oidc auth provider needs idp-issuer-url in its config",
//! );
//! # Ok::<(), http::uri::InvalidUri>(())
//! ```
//!
//! Prefer an exec plugin for new clusters: it can also open a browser to log the user in.

use std::{
    collections::VecDeque,
    future::Future,
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    pin::Pin,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use bytes::Bytes;
use client_rs_machinery::collections::VecMap;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{
    AuthError, AuthProviderConfig, Persister,
    credentials::bearer,
    refresh::{Expiry, Failure, Refresh},
    single_flight::{Clock, Fetched, SingleFlight},
};
use crate::{Material, Secret, config::without_user_info};

pub use super::config::OidcError;

const ISSUER: &str = "idp-issuer-url";
const CLIENT_ID: &str = "client-id";
const CLIENT_SECRET: &str = "client-secret";
const CA: &str = "idp-certificate-authority";
const CA_DATA: &str = "idp-certificate-authority-data";
const ID_TOKEN: &str = "id-token";
const REFRESH_TOKEN: &str = "refresh-token";

/// Clocks differ: a token is not used in the last seconds before its expiry.
const LEEWAY: Duration = Duration::from_secs(10);

/// The time limit of one request to the provider, because every request to the API server waits for it.
const SEND_LIMIT: Duration = Duration::from_mins(1);

/// The time that requests wait for new tokens to be stored. After that, storing continues in the background.
const KEEP_LIMIT: Duration = Duration::from_secs(10);

const FORM: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Sends a request to an OpenID provider: the only HTTP that credentials need.
///
/// The provider is not the API server: its certificate is signed by `ca` or, without that, by an authority of the operating
/// system. An implementation must not follow redirects. The error message must not contain a secret, and all parts of the
/// request are secret. [`OpenIdHttp`](crate::http::OpenIdHttp) is the implementation that transports use.
pub trait TokenHttp: Send + Sync {
    /// Sends the request and returns the whole response with any status. The future is dropped after a minute.
    fn send(
        &self,
        request: Request<Bytes>,
        ca: Option<Material>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>>;
}

/// The settings and the place to store them.
struct Provider {
    settings: Mutex<VecMap<String, String>>,
    /// A config with one of these tokens belongs to the same login.
    tokens: Mutex<Seen>,
    ca: Option<Material>,
    http: Option<Arc<dyn TokenHttp>>,
    persist: Option<Persister>,
}

/// Hashes of the known tokens: those of the settings that the login began with, because the program may create clients from
/// them at any time, and the latest ones.
#[derive(Default)]
struct Seen {
    hasher: RandomState,
    first: Vec<u64>,
    latest: VecDeque<u64>,
}

/// The number of later tokens to remember: two for each refresh.
const LATEST: usize = 32;

/// One login: server, issuer and client id, the provider, and its header.
type Login = ([String; 3], Arc<Provider>, SingleFlight<HeaderValue>);

/// Some refresh tokens work only once, so the clients of one login must share the refresh.
static SHARED: LazyLock<Mutex<VecDeque<Login>>> = LazyLock::new(Mutex::default);

/// From this number on, the oldest login is no longer shared with new clients.
const MANY: usize = 64;

/// The `Authorization` header for this provider; one for all clients of the same login.
pub(super) fn shared(
    server: String,
    config: &AuthProviderConfig,
    http: Option<Arc<dyn TokenHttp>>,
    persist: Option<Persister>,
) -> Result<SingleFlight<HeaderValue>, AuthError> {
    let get = |name: &str| config.config.get(name).cloned().unwrap_or_default();
    let key = [server, get(ISSUER), get(CLIENT_ID)];
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = shared.iter().find(|(login, provider, _)| *login == key && provider.knows(&config.config));
    if let Some((_, _, flight)) = known {
        return Ok(flight.clone());
    }
    let (provider, flight) = new(config, http, persist, Clock::system())?;
    if shared.len() >= MANY {
        shared.pop_front();
    }
    shared.push_back((key, provider, flight.clone()));
    Ok(flight)
}

fn new(
    config: &AuthProviderConfig,
    http: Option<Arc<dyn TokenHttp>>,
    persist: Option<Persister>,
    clock: Clock,
) -> Result<(Arc<Provider>, SingleFlight<HeaderValue>), AuthError> {
    let settings = config.config.clone();
    let get = |name: &str| settings.get(name).map(String::as_str).filter(|value| !value.is_empty());
    for name in [ISSUER, CLIENT_ID] {
        get(name).ok_or(OidcError::Missing(name))?;
    }
    let ca = match (get(CA_DATA), get(CA)) {
        (Some(data), _) => {
            let data = BASE64_STANDARD
                .decode(data)
                .map_err(|_| OidcError::Invalid { name: CA_DATA, reason: "it is not base64".to_owned() })?;
            Some(Material::Data(data.into()))
        }
        (None, Some(file)) => Some(Material::File(file.into())),
        (None, None) => None,
    };
    let refresh = match get(ID_TOKEN).and_then(|token| Some((token, expiry_of(token)?))) {
        Some((token, expiry)) => Refresh::seeded(Failure::Reported, bearer(&token.into())?, expiry),
        None => Refresh::new(Failure::Reported),
    };
    let tokens = Mutex::new(Seen::new(&settings));
    let provider = Arc::new(Provider { settings: Mutex::new(settings), tokens, ca, http, persist });
    let fetcher = provider.clone();
    let flight = SingleFlight::new(refresh, clock, move || {
        let provider = fetcher.clone();
        Box::pin(async move { provider.fetch().await })
    });
    Ok((provider, flight))
}

impl Provider {
    /// Returns `true` if these settings belong to the same login.
    fn knows(&self, settings: &VecMap<String, String>) -> bool {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.any_of(settings)
    }

    async fn fetch(&self) -> Fetched<HeaderValue> {
        let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let get = |name: &str| settings.get(name).cloned().unwrap_or_default();
        let refresh_token = get(REFRESH_TOKEN);
        if refresh_token.is_empty() {
            return Err(OidcError::NoRefreshToken.into());
        }
        let endpoint = self.token_endpoint(&get(ISSUER)).await?;
        let answer = self.redeem(&endpoint, &refresh_token, &get(CLIENT_ID), &get(CLIENT_SECRET)).await?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let id_token = text("id_token").ok_or(OidcError::NoIdToken)?.to_owned();
        let Some(expiry) = expiry_of(&id_token) else {
            let reason = "the id_token in its response is not a JWT with an expiry".to_owned();
            return Err(OidcError::Http { url: endpoint, reason }.into());
        };
        if let Some(refresh_token) = text("refresh_token") {
            settings.insert(REFRESH_TOKEN.to_owned(), refresh_token.to_owned());
        }
        settings.insert(ID_TOKEN.to_owned(), id_token.clone());
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).add(&settings);
        (*self.settings.lock().unwrap_or_else(PoisonError::into_inner)).clone_from(&settings);
        self.keep(settings).await;
        Ok((bearer(&Secret::from(id_token))?, expiry))
    }

    /// Stores the tokens. They are valid even if that fails: the next program must refresh, or log in, again.
    async fn keep(&self, settings: VecMap<String, String>) {
        let Some(Persister(persist)) = self.persist.clone() else { return };
        let kept = tokio::task::spawn_blocking(move || persist.persist(&settings));
        let error = match tokio::time::timeout(KEEP_LIMIT, kept).await {
            Ok(Ok(Ok(()))) => return,
            Ok(Ok(Err(error))) => error,
            Ok(Err(_)) => AuthError::Aborted,
            Err(_) => AuthError::Persist(format!("it takes longer than {KEEP_LIMIT:?}")),
        };
        tracing::warn!(%error, "new OpenID tokens are in use but could not be stored");
    }

    /// The endpoint for the refresh token: the one that the issuer itself names, over TLS or on this machine.
    async fn token_endpoint(&self, issuer: &str) -> Result<String, OidcError> {
        let invalid = |reason| OidcError::Invalid { name: ISSUER, reason };
        let way = Way::to(issuer).map_err(invalid)?;
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let request = Request::get(&url).body(Bytes::new());
        let request =
            request.map_err(|error| OidcError::Invalid { name: ISSUER, reason: error.to_string() })?;
        let answer = self.send(&url, request).await?;
        let discovery = json(&url, &answer)?;
        let refuse = |reason: String| Err(OidcError::Http { url: url.clone(), reason });
        let text = |name: &str| discovery.get(name).and_then(Value::as_str).unwrap_or_default();
        let (named, endpoint) = (text("issuer"), text("token_endpoint"));
        if named.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let named: String = named.chars().take(200).collect();
            return refuse(format!("it is the document of another issuer, {named:?}: check {ISSUER}"));
        }
        if endpoint.is_empty() {
            return refuse("its response has no token_endpoint".to_owned());
        }
        match Way::to(endpoint) {
            // Only an issuer on this machine may name an endpoint on this machine.
            Ok(Way::Loopback) if way == Way::Tls => {
                refuse("its token_endpoint must be an https:// URL, as the issuer's is".to_owned())
            }
            Ok(_) => Ok(endpoint.to_owned()),
            Err(reason) => refuse(format!("its token_endpoint can't be used: {reason}")),
        }
    }

    /// Exchanges the refresh token for new tokens. Providers differ in where they expect the client secret: first in a header,
    /// as the standard requires, then in the form.
    async fn redeem(
        &self,
        url: &str,
        refresh_token: &str,
        id: &str,
        secret: &str,
    ) -> Result<Value, OidcError> {
        let escape = |text: &str| utf8_percent_encode(text, FORM).to_string();
        let form = format!("grant_type=refresh_token&refresh_token={}", escape(refresh_token));
        let post = |form: String| {
            Request::builder()
                .method(Method::POST)
                .uri(url)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header(header::ACCEPT, "application/json")
                .body(Bytes::from(form))
                .map_err(|error| OidcError::Http { url: url.to_owned(), reason: error.to_string() })
        };
        let mut request = post(form.clone())?;
        let basic = BASE64_STANDARD.encode(format!("{}:{}", escape(id), escape(secret)));
        if let Ok(mut basic) = HeaderValue::try_from(format!("Basic {basic}")) {
            basic.set_sensitive(true);
            request.headers_mut().insert(header::AUTHORIZATION, basic);
        }
        let answer = self.send(url, request).await?;
        if answer.status().is_success() {
            return json(url, &answer);
        }
        let mut form = format!("{form}&client_id={}", escape(id));
        if !secret.is_empty() {
            form = format!("{form}&client_secret={}", escape(secret));
        }
        let answer = self.send(url, post(form)?).await?;
        json(url, &answer)
    }

    async fn send(&self, url: &str, request: Request<Bytes>) -> Result<Response<Bytes>, OidcError> {
        let http = self.http.as_ref().ok_or(OidcError::NoHttp)?;
        let answer = tokio::time::timeout(SEND_LIMIT, http.send(request, self.ca.clone())).await;
        let answer = answer.unwrap_or_else(|_| Err(format!("no response within {SEND_LIMIT:?}")));
        answer.map_err(|reason| OidcError::Http { url: without_user_info(url), reason })
    }
}

impl Seen {
    fn new(settings: &VecMap<String, String>) -> Self {
        let mut seen = Self::default();
        seen.first = tokens_of(settings).map(|token| seen.hasher.hash_one(token)).collect();
        seen
    }

    fn add(&mut self, settings: &VecMap<String, String>) {
        for token in tokens_of(settings) {
            let hash = self.hasher.hash_one(token);
            if !self.first.contains(&hash) && !self.latest.contains(&hash) {
                self.latest.push_back(hash);
            }
        }
        while self.latest.len() > LATEST {
            self.latest.pop_front();
        }
    }

    fn any_of(&self, settings: &VecMap<String, String>) -> bool {
        tokens_of(settings).any(|token| {
            let hash = self.hasher.hash_one(token);
            self.first.contains(&hash) || self.latest.contains(&hash)
        })
    }
}

/// A channel over which secrets may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Tls,
    /// Not encrypted, but within this machine.
    Loopback,
}

impl Way {
    /// The error names the problem with the URL without showing the URL.
    fn to(url: &str) -> Result<Self, String> {
        let uri = url.parse::<Uri>().ok();
        let Some((uri, authority)) = uri.as_ref().and_then(|uri| Some((uri, uri.authority()?))) else {
            return Err("it is not an https:// URL".to_owned());
        };
        if authority.as_str().contains('@') {
            return Err("it must not contain a user or password".to_owned());
        }
        let host = authority.host().trim_matches(['[', ']']);
        let local = host.eq_ignore_ascii_case("localhost")
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        match uri.scheme_str() {
            Some("https") if !host.is_empty() => Ok(Self::Tls),
            Some("http") if local => Ok(Self::Loopback),
            _ => Err("it must be an https:// URL; http is for an issuer on this machine".to_owned()),
        }
    }
}

/// The tokens that distinguish one login from another.
fn tokens_of(settings: &VecMap<String, String>) -> impl Iterator<Item = &str> {
    let tokens = [ID_TOKEN, REFRESH_TOKEN].into_iter().filter_map(|name| settings.get(name));
    tokens.map(String::as_str).filter(|token| !token.is_empty())
}

fn json(url: &str, answer: &Response<Bytes>) -> Result<Value, OidcError> {
    let refuse = |reason: String| Err(OidcError::Http { url: without_user_info(url), reason });
    if answer.status() != StatusCode::OK {
        // The standard's error code (such as invalid_grant) helps; the rest of the body may contain anything.
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        let word = body.get("error").and_then(Value::as_str).unwrap_or_default();
        let word: String = word.chars().filter(|c| c.is_ascii_lowercase() || *c == '_').take(40).collect();
        return refuse(format!("{} {word}", answer.status()).trim_end().to_owned());
    }
    serde_json::from_slice(answer.body())
        .or_else(|error| refuse(format!("its response is not JSON: {error}")))
}

/// The expiry of an ID token, minus the leeway; `None` if it is not a JWT or has no expiry.
fn expiry_of(id_token: &str) -> Option<Expiry> {
    let mut parts = id_token.split('.');
    let (Some(_), Some(payload), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let claims: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    let seconds = claims.get("exp")?;
    let seconds = seconds.as_u64().or_else(|| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates, as it should"
        )]
        seconds.as_f64().map(|seconds| seconds as u64)
    })?;
    let end = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?.checked_sub(LEEWAY)?;
    Some(Expiry::At(end))
}

#[cfg(test)]
mod tests;
