//! Credentials from an OpenID Connect provider: the `oidc` auth provider of kubeconfigs.
//!
//! The user has logged in with another program, which left an ID token and a refresh token. The ID token is sent as
//! bearer token; ten seconds before it ends a new one is fetched, and kept for the next program. The refresh token and the
//! client's secret are sent only over https, or to an issuer on this machine, and only where a discovery document of the
//! configured issuer says.

use std::{
    collections::{BTreeMap, VecDeque},
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
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{
    AuthError, AuthProviderConfig,
    credentials::bearer,
    options::Persister,
    refresh::{Expiry, Failure, Refresh},
    single_flight::{Clock, Fetched, SingleFlight},
};
use crate::{Material, Secret, config::without_user_info};

const ISSUER: &str = "idp-issuer-url";
const CLIENT_ID: &str = "client-id";
const CLIENT_SECRET: &str = "client-secret";
const CA: &str = "idp-certificate-authority";
const CA_DATA: &str = "idp-certificate-authority-data";
const ID_TOKEN: &str = "id-token";
const REFRESH_TOKEN: &str = "refresh-token";

/// Clocks differ: a token is not used in the last seconds of its life.
const LEEWAY: Duration = Duration::from_secs(10);

const FORM: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Sends a request to an OpenID provider: the one thing that credentials need of HTTP.
///
/// The provider is not the API server: its certificate is signed by `ca`, or, without that, by an authority of the
/// system. Redirects are not followed. An error's text must hold no secret; what the request holds is one.
pub trait TokenHttp: Send + Sync {
    /// Sends the request and returns the whole answer, whatever its status. Must end in reasonable time.
    fn send(
        &self,
        request: Request<Bytes>,
        ca: Option<Material>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>>;
}

/// Why there is no ID token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OidcError {
    /// A setting is missing.
    #[error("the oidc auth provider needs {0} in its config")]
    Missing(&'static str),
    /// A setting makes no sense.
    #[error("{name} of the oidc auth provider: {reason}")]
    Invalid {
        /// Which.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The ID token has ended and there is nothing to get a new one with.
    #[error(
        "the id-token is missing or has expired, and there is no refresh-token to get a new one: log in again"
    )]
    NoRefreshToken,
    /// The client was built without a way to reach the provider.
    #[error("the id-token has expired, and this client has no HTTP to refresh it with")]
    NoHttp,
    /// The provider could not be asked.
    #[error("{url}: {reason}")]
    Http {
        /// What was asked.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// The provider answered, but with no ID token.
    #[error(
        "the token response did not contain an id_token: either the scope \"openid\" wasn't requested upon login, or \
         the provider doesn't return id_tokens when it refreshes"
    )]
    NoIdToken,
}

/// The settings, and who keeps them.
struct Provider {
    settings: Mutex<BTreeMap<String, String>>,
    /// A config that holds one of these tokens belongs to the same login.
    tokens: Mutex<Seen>,
    ca: Option<Material>,
    http: Option<Arc<dyn TokenHttp>>,
    persist: Option<Persister>,
}

/// Which tokens were seen, as hashes: those of the settings that the login began with, as clients are made of them for
/// as long as the program runs, and the latest.
#[derive(Default)]
struct Seen {
    hasher: RandomState,
    first: Vec<u64>,
    latest: VecDeque<u64>,
}

/// How many of the tokens that came later are remembered: two for each refresh.
const LATEST: usize = 32;

/// One login: server, issuer and client id, the provider, and the header it comes to.
type Login = ([String; 3], Arc<Provider>, SingleFlight<HeaderValue>);

/// A refresh token may be good only once, so clients of one login must refresh together.
static SHARED: LazyLock<Mutex<VecDeque<Login>>> = LazyLock::new(Mutex::default);

/// From here on, the oldest login is no longer offered to new clients.
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
    /// Do these settings belong to the same login?
    fn knows(&self, settings: &BTreeMap<String, String>) -> bool {
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
            let reason = "the id_token in its answer is not a JWT with an expiry".to_owned();
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

    /// The tokens are good even if they can't be kept: the next program will have to refresh, or log in, again.
    async fn keep(&self, settings: BTreeMap<String, String>) {
        let Some(Persister(persist)) = self.persist.clone() else { return };
        let kept = tokio::task::spawn_blocking(move || persist.persist(&settings)).await;
        let error = match kept {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error,
            Err(_) => AuthError::Aborted,
        };
        tracing::warn!(%error, "new OpenID tokens are in use but could not be kept");
    }

    /// Where the refresh token may be sent: what the issuer itself names, in TLS or without leaving this machine.
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
            return refuse(format!("it is the document of the issuer {named:?}: check {ISSUER}"));
        }
        if endpoint.is_empty() {
            return refuse("its answer names no token_endpoint".to_owned());
        }
        match Way::to(endpoint) {
            // What answers on this machine is for this machine's issuer to say.
            Ok(Way::Loopback) if way == Way::Tls => {
                refuse("its token_endpoint must be an https:// URL, as the issuer's is".to_owned())
            }
            Ok(_) => Ok(endpoint.to_owned()),
            Err(reason) => refuse(format!("its token_endpoint can't be used: {reason}")),
        }
    }

    /// Trades the refresh token in. Providers differ in where they want the client's secret: first in a header, as
    /// the standard has it, then in the form.
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
        let answer = http.send(request, self.ca.clone()).await;
        answer.map_err(|reason| OidcError::Http { url: without_user_info(url), reason })
    }
}

impl Seen {
    fn new(settings: &BTreeMap<String, String>) -> Self {
        let mut seen = Self::default();
        seen.first = tokens_of(settings).map(|token| seen.hasher.hash_one(token)).collect();
        seen
    }

    fn add(&mut self, settings: &BTreeMap<String, String>) {
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

    fn any_of(&self, settings: &BTreeMap<String, String>) -> bool {
        tokens_of(settings).any(|token| {
            let hash = self.hasher.hash_one(token);
            self.first.contains(&hash) || self.latest.contains(&hash)
        })
    }
}

/// A way on which secrets may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Tls,
    /// Not encrypted, and not leaving this machine.
    Loopback,
}

impl Way {
    /// The error says what is wrong with the URL, without showing it.
    fn to(url: &str) -> Result<Self, String> {
        let uri = url.parse::<Uri>().ok();
        let Some((uri, authority)) = uri.as_ref().and_then(|uri| Some((uri, uri.authority()?))) else {
            return Err("it is no https:// URL".to_owned());
        };
        if authority.as_str().contains('@') {
            return Err("it must not hold a user or password".to_owned());
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

/// What tells one login from another.
fn tokens_of(settings: &BTreeMap<String, String>) -> impl Iterator<Item = &str> {
    let tokens = [ID_TOKEN, REFRESH_TOKEN].into_iter().filter_map(|name| settings.get(name));
    tokens.map(String::as_str).filter(|token| !token.is_empty())
}

fn json(url: &str, answer: &Response<Bytes>) -> Result<Value, OidcError> {
    let refuse = |reason: String| Err(OidcError::Http { url: without_user_info(url), reason });
    if answer.status() != StatusCode::OK {
        // The standard's error word (such as invalid_grant) helps; the rest of the body might hold anything.
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        let word = body.get("error").and_then(Value::as_str).unwrap_or_default();
        let word: String = word.chars().filter(|c| c.is_ascii_lowercase() || *c == '_').take(40).collect();
        return refuse(format!("{} {word}", answer.status()).trim_end().to_owned());
    }
    serde_json::from_slice(answer.body()).or_else(|error| refuse(format!("its answer is not JSON: {error}")))
}

/// Until when an ID token is used; `None` if it is no JWT or doesn't say.
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
mod tests {
    use super::{super::Persist, *};

    /// An unsigned token that ends at this second.
    fn jwt(name: &str, exp: &str) -> String {
        let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
        format!("{}.{}.{name}", part("{}"), part(&format!("{{\"exp\":{exp}}}")))
    }

    /// Answers in turn, and keeps what it was asked.
    #[derive(Clone, Default)]
    struct Provider {
        answers: Arc<Mutex<VecDeque<(u16, String)>>>,
        asked: Arc<Mutex<Vec<Asked>>>,
    }

    /// Method, URL and body; `Authorization`; the CA.
    type Asked = (String, String, Option<Material>);

    impl Provider {
        fn new(answers: &[(u16, &str)]) -> Self {
            let answers = answers.iter().map(|(code, body)| (*code, (*body).to_owned())).collect();
            Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
        }

        fn asked(&self) -> Vec<String> {
            self.asked.lock().unwrap().iter().map(|(line, ..)| line.clone()).collect()
        }
    }

    impl TokenHttp for Provider {
        fn send(
            &self,
            request: Request<Bytes>,
            ca: Option<Material>,
        ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>> {
            let authorization = request.headers().get(header::AUTHORIZATION);
            let authorization =
                authorization.map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
            let body = String::from_utf8(request.body().to_vec()).unwrap();
            let line = format!("{} {} {body}", request.method(), request.uri()).trim_end().to_owned();
            self.asked.lock().unwrap().push((line, authorization, ca));
            let (code, body) = self.answers.lock().unwrap().pop_front().unwrap_or((500, String::new()));
            Box::pin(async move {
                tokio::task::yield_now().await;
                Ok(Response::builder().status(code).body(body.into()).unwrap())
            })
        }
    }

    #[derive(Default)]
    struct Kept(Mutex<Vec<BTreeMap<String, String>>>, bool);

    impl Persist for Kept {
        fn persist(&self, config: &BTreeMap<String, String>) -> Result<(), AuthError> {
            self.0.lock().unwrap().push(config.clone());
            if self.1 { Err(AuthError::Persist("disk full".to_owned())) } else { Ok(()) }
        }
    }

    fn settings(more: &[(&str, &str)]) -> AuthProviderConfig {
        let base = [(ISSUER, "https://issuer/"), (CLIENT_ID, "my client"), (CLIENT_SECRET, "s+cret")];
        let config =
            base.iter().chain(more).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        AuthProviderConfig { name: "oidc".to_owned(), config, ..AuthProviderConfig::default() }
    }

    fn flight(config: &AuthProviderConfig, http: &Provider) -> SingleFlight<HeaderValue> {
        new(config, Some(Arc::new(http.clone())), None, Clock::paused()).unwrap().1
    }

    async fn token(flight: &SingleFlight<HeaderValue>) -> Result<String, String> {
        let value = flight.get().await.map_err(|error| error.to_string())?.0;
        Ok(value.to_str().unwrap().trim_start_matches("Bearer ").to_owned())
    }

    const DISCOVERY: (u16, &str) =
        (200, r#"{"issuer":"https://issuer","token_endpoint":"https://issuer/token"}"#);

    #[tokio::test(start_paused = true)]
    async fn an_id_token_is_used_until_ten_seconds_before_its_end_and_then_refreshed_and_kept() {
        let [one, two] = [jwt("one", "100"), jwt("two", "5000.5")];
        let answer = format!(r#"{{"id_token":"{two}","refresh_token":"r2"}}"#);
        let http = Provider::new(&[DISCOVERY, (200, &answer)]);
        let kept = Arc::new(Kept::default());
        let config = settings(&[(ID_TOKEN, &one), (REFRESH_TOKEN, "r 1")]);
        let persist = Some(Persister(kept.clone()));
        let flight = new(&config, Some(Arc::new(http.clone())), persist, Clock::paused()).unwrap().1;
        assert_eq!(token(&flight).await.unwrap(), one);
        tokio::time::advance(Duration::from_secs(90)).await;
        assert_eq!(token(&flight).await.unwrap(), one);
        assert!(http.asked().is_empty());
        tokio::time::advance(Duration::from_millis(1)).await;
        let (left, right) = tokio::join!(token(&flight), token(&flight));
        assert_eq!((left.unwrap(), right.unwrap()), (two.clone(), two.clone()), "one refresh for both");
        assert_eq!(
            http.asked(),
            [
                "GET https://issuer/.well-known/openid-configuration",
                "POST https://issuer/token grant_type=refresh_token&refresh_token=r%201"
            ]
        );
        let basic = BASE64_STANDARD.encode("my%20client:s%2Bcret");
        assert_eq!(http.asked.lock().unwrap()[1].1, format!("Basic {basic}"));
        let kept = kept.0.lock().unwrap();
        assert_eq!((&kept[0][ID_TOKEN], &*kept[0][REFRESH_TOKEN]), (&two, "r2"));
    }

    #[tokio::test]
    async fn clients_of_one_login_share_it_and_other_users_do_not() {
        let end = "99999999999";
        let share = |id: &str, refresh: &str, http: Option<Arc<dyn TokenHttp>>| {
            let config = settings(&[(ID_TOKEN, id), (REFRESH_TOKEN, refresh)]);
            shared("https://share".to_owned(), &config, http, None).unwrap()
        };
        let answer = format!(r#"{{"id_token":"{}","refresh_token":"jane-2"}}"#, jwt("jane-new", end));
        let http = Provider::new(&[DISCOVERY, (200, &answer)]);
        let jane = share(&jwt("jane-old", "0"), "jane-1", Some(Arc::new(http)));
        assert_eq!(token(&jane).await.unwrap(), jwt("jane-new", end));
        // A client made of the old settings, and one made of those that were kept, know of the refresh.
        for (id, refresh) in [(jwt("jane-old", "0"), "jane-1"), (jwt("jane-new", end), "jane-2")] {
            assert_eq!(token(&share(&id, refresh, None)).await.unwrap(), jwt("jane-new", end));
        }
        let joe = share(&jwt("joe", end), "joe-1", None);
        assert_eq!(token(&joe).await.unwrap(), jwt("joe", end), "another user of the same client");
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_wants_the_secret_in_the_form_gets_it_there() {
        let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
        let http = Provider::new(&[DISCOVERY, (401, r#"{"error":"invalid_client"}"#), (200, &answer)]);
        let config = settings(&[(REFRESH_TOKEN, "r"), (CA_DATA, "Q0E=")]);
        assert_eq!(token(&flight(&config, &http)).await.unwrap(), jwt("new", "5000"));
        let asked = http.asked.lock().unwrap();
        assert!(
            asked[2].0.ends_with("&client_id=my%20client&client_secret=s%2Bcret") && asked[2].1.is_empty()
        );
        assert!(asked.iter().all(|(_, _, ca)| *ca == Some(Material::Data("CA".into()))));
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_that_cannot_be_kept_are_used_all_the_same() {
        let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
        let http = Provider::new(&[DISCOVERY, (200, &answer)]);
        let kept = Arc::new(Kept(Mutex::default(), true));
        let config = settings(&[(REFRESH_TOKEN, "r")]);
        let flight =
            new(&config, Some(Arc::new(http)), Some(Persister(kept.clone())), Clock::paused()).unwrap().1;
        assert!(token(&flight).await.is_ok());
        assert_eq!(kept.0.lock().unwrap().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_refresh_token_never_leaves_the_machine_unencrypted() {
        let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
        let refresh = async |issuer: &str, named: &str, endpoint: &str| {
            let discovery = format!(r#"{{"issuer":"{named}","token_endpoint":"{endpoint}"}}"#);
            let http = Provider::new(&[(200, &discovery), (200, &answer)]);
            let config = settings(&[(ISSUER, issuer), (REFRESH_TOKEN, "hunter2")]);
            let outcome = match new(&config, Some(Arc::new(http.clone())), None, Clock::paused()) {
                Ok((_, flight)) => token(&flight).await,
                Err(error) => Err(error.to_string()),
            };
            let told = http.asked().iter().any(|line| line.contains("hunter2"));
            assert_eq!(told, outcome.is_ok(), "{issuer} {endpoint}: {outcome:?}");
            outcome.map_err(|error| {
                assert!(!error.contains("hunter2") && !error.contains("s+cret"), "{error}");
                error
            })
        };
        for (issuer, endpoint) in [
            ("https://issuer", "https://elsewhere/token"),
            ("https://issuer/tenant", "https://issuer/token"),
            ("http://localhost:5556/dex", "http://localhost:5556/dex/token"),
            ("http://127.0.0.9:1", "http://[::1]:1/token"),
        ] {
            assert!(refresh(issuer, issuer, endpoint).await.is_ok(), "{issuer} {endpoint}");
        }
        for (issuer, endpoint, why) in [
            ("http://issuer", "https://issuer/token", "https"),
            ("http://localhost.evil.example", "https://issuer/token", "https"),
            ("http://127.0.0.1.evil.example", "https://issuer/token", "https"),
            ("issuer", "https://issuer/token", "https"),
            ("https://issuer", "http://issuer/token", "https"),
            // A server elsewhere does not choose who listens on this machine.
            ("https://issuer", "http://127.0.0.1:1/token", "https"),
            ("http://127.0.0.1:1", "http://issuer/token", "https"),
            ("https://issuer", "//issuer/token", "https"),
        ] {
            let error = refresh(issuer, issuer, endpoint).await.unwrap_err();
            assert!(error.contains(why), "{issuer} {endpoint}: {error}");
        }
        for named in ["https://other", "https://issuer.evil.example", "https://issuer/tenant", ""] {
            let error = refresh("https://issuer", named, "https://issuer/token").await.unwrap_err();
            assert!(error.contains("issuer"), "{named}: {error}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_life_of_refreshes_keeps_no_old_tokens() {
        let refreshes = 300_u32;
        let answers: Vec<_> = (1..=refreshes)
            .flat_map(|number| {
                let id = jwt(&format!("id{number}"), &(number * 100).to_string());
                let answer = format!(r#"{{"id_token":"{id}","refresh_token":"r{number}"}}"#);
                [(200, DISCOVERY.1.to_owned()), (200, answer)]
            })
            .collect();
        let http = Provider { answers: Arc::new(Mutex::new(answers.into())), asked: Arc::default() };
        let first = settings(&[(REFRESH_TOKEN, "r0")]);
        let (provider, flight) = new(&first, Some(Arc::new(http)), None, Clock::paused()).unwrap();
        for _ in 0..refreshes {
            token(&flight).await.unwrap();
            tokio::time::advance(Duration::from_secs(100)).await;
        }
        let knows = |token: &str| provider.knows(&settings(&[(REFRESH_TOKEN, token)]).config);
        assert!(knows("r0"), "a client made of what the program began with");
        assert!(knows(&format!("r{refreshes}")) && knows(&format!("r{}", refreshes - 1)));
        assert!(!knows("r1") && !knows("another"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_goes_wrong_is_told_without_secrets() {
        let config = settings(&[(REFRESH_TOKEN, "hunter2"), (ID_TOKEN, "hunter2")]);
        let error = async |answers: &[(u16, &str)]| {
            let error = token(&flight(&config, &Provider::new(answers))).await.unwrap_err();
            assert!(!error.contains("hunter2"), "{error}");
            error
        };
        assert!(error(&[(404, "<html>")]).await.contains("openid-configuration: 404"));
        assert!(error(&[(200, "<html>")]).await.contains("not JSON"));
        assert!(error(&[(200, r#"{"issuer":"https://issuer"}"#)]).await.contains("token_endpoint"));
        let refused = (400, r#"{"error":"invalid_grant","error_description":"hunter2"}"#);
        assert!(error(&[DISCOVERY, refused, refused]).await.contains("400 Bad Request invalid_grant"));
        assert!(error(&[DISCOVERY, (200, r#"{"access_token":"hunter2"}"#)]).await.contains("id_token"));
        assert!(error(&[DISCOVERY, (200, r#"{"id_token":"hunter2"}"#)]).await.contains("not a JWT"));

        let none = settings(&[(ID_TOKEN, &jwt("old", "0"))]);
        let text = token(&flight(&none, &Provider::default())).await.unwrap_err();
        assert!(text.contains("log in again"), "{text}");
        let no_http = new(&config, None, None, Clock::paused()).unwrap().1;
        assert!(token(&no_http).await.unwrap_err().contains("no HTTP"));
        for name in [ISSUER, CLIENT_ID] {
            let mut config = config.clone();
            config.config.remove(name);
            let error = new(&config, None, None, Clock::paused()).err().unwrap().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
