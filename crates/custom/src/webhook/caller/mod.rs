//! The authentication of API servers to admission webhooks (KEP-6060).

mod keys;
#[cfg(test)]
mod tests;
mod token;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use client_rs_api::admission::v1::AdmissionReview;
use client_rs_machinery::wire::Message as _;
use client_rs_transport::tls::{Trust, client_config};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use http::header::AUTHORIZATION;
use http::{HeaderMap, StatusCode};
use tokio::time::Instant;
use tokio_rustls::rustls::crypto::CryptoProvider;

use self::keys::KeySet;
use self::token::{Refusal, decide};

/// How long after a fetch of the keys an unknown key leads to another one. It bounds the requests that hostile tokens cause.
const FETCH_AGAIN: Duration = Duration::from_secs(10);
/// The same, while there are no keys at all.
const RETRY: Duration = Duration::from_secs(1);
/// How long keys are used before they are fetched again, so that a key that the issuer has withdrawn is not accepted forever.
const MAX_AGE: Duration = Duration::from_hours(1);

client_rs_machinery::options! {
    /// The expectations of a [`CallerVerifier`].
    #[derive(Clone, Debug)]
    pub struct CallerOptions {
        /// The issuer of the tokens: `--service-account-issuer` of the API server.
        pub issuer: String => with_issuer,
        /// The audiences of this webhook: the URL with which its configuration names it, such as `https://hook.shop.svc:443/validate`. A token
        /// must be for one of them.
        pub audiences: Vec<String> => with_audiences,
        /// Whether a review without a token is refused. Without it, only wrong tokens are: use that until every API server of the cluster sends
        /// one. Default: true.
        pub required: bool => with_required,
        /// How far the clocks of the API server and of this process may differ. Default: 30 seconds.
        pub leeway: Duration => with_leeway,
    }
}

impl CallerOptions {
    /// The defaults, with an issuer and audiences.
    pub fn new<S: Into<String>>(issuer: impl Into<String>, audiences: impl IntoIterator<Item = S>) -> Self {
        Self {
            issuer: issuer.into(),
            audiences: audiences.into_iter().map(Into::into).collect(),
            required: true,
            leeway: Duration::from_secs(30),
        }
    }
}

/// An API server that has authenticated to a webhook, as its token names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// The service account of the token, such as `system:serviceaccount:kube-system:webhook-auth`.
    pub subject: String,
    /// `ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration`.
    pub configuration_kind: &'static str,
    /// The name of the webhook configuration that the token is bound to.
    pub configuration_name: String,
    /// Its UID.
    pub configuration_uid: String,
    /// The API group whose objects it may ask about; `*` for all, and empty for the core group.
    pub group: String,
}

impl Caller {
    /// Returns `true` if it may ask about objects of an API group.
    pub fn may_ask_about(&self, group: &str) -> bool {
        self.group == "*" || self.group == group
    }
}

/// The error of a caller that is not authenticated. It has no part of the token. Do not send it to the caller: it helps to guess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the caller of the webhook is not authenticated: {0}")]
pub struct CallerError(String);

type Fetched = Result<Arc<KeySet>, String>;
type Fetch = Box<dyn Fn() -> BoxFuture<'static, Result<Vec<u8>, String>> + Send + Sync>;

/// Verifies that reviews come from an API server: from Kubernetes 1.37 with the feature gate `APIServerWebhookAuthenticationToken` (KEP-6060,
/// alpha), an API server authenticates to an admission webhook with a token that is bound to the webhook's configuration.
///
/// Give it to a hook with [`Hook::verified`](super::Hook::verified). A review is answered only if its token is signed by a key of the issuer, is valid now, is
/// for an audience of this webhook, is bound to exactly one webhook configuration, and names the API group of the reviewed object (or all).
/// Other reviews get a 401, before their body is read; a review of another group gets a 403. The reason is logged at the level debug.
///
/// - **Keys** are fetched with the first token, again after an hour, and when a token names a key that is not known, at most every 10 seconds.
///   If a fetch fails, the old keys stay in use. Without any keys it is tried again after a second.
/// - **No request per review**: the signature is checked here.
/// - **Not promised**: that a token is refused as soon as its service account or configuration is deleted. Tokens live for 10 minutes at most.
/// - Cheap to clone; clones share the keys.
///
/// ```
/// use client_rs_custom::webhook::{CallerOptions, CallerVerifier};
///
/// let options = CallerOptions::new("https://kubernetes.default.svc.cluster.local", ["https://hook.shop.svc:443/validate"]);
/// // `/openid/v1/jwks` of the API server; with a client, use `CallerVerifier::of_cluster`.
/// let verifier = CallerVerifier::new(options, || async { std::fs::read("keys.json") })?;
/// # drop(verifier);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CallerVerifier(Arc<Inner>);

struct Inner {
    options: CallerOptions,
    provider: Arc<CryptoProvider>,
    fetch: Fetch,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Option<(Arc<KeySet>, Instant)>,
    /// The last fetch, when it began; all callers wait for the same one.
    fetching: Option<(Shared<BoxFuture<'static, Fetched>>, Instant)>,
}

impl CallerVerifier {
    /// Verifies tokens with the keys that a function returns: a JSON Web Key Set, such as `/openid/v1/jwks` of an API server.
    ///
    /// # Errors
    ///
    /// [`CallerError`] if the program was built without cryptography, or if there is no audience.
    pub fn new<F, Fut, E>(options: CallerOptions, keys: F) -> Result<Self, CallerError>
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<u8>, E>> + Send + 'static,
        E: fmt::Display,
    {
        if options.audiences.is_empty() {
            return Err(CallerError("no audience: set the URL of the webhook".to_owned()));
        }
        let tls =
            client_config(&Trust::Anybody, None, &[]).map_err(|error| CallerError(error.to_string()))?;
        let provider = Arc::clone(tls.crypto_provider());
        let fetch: Fetch = Box::new(move || {
            let keys = keys();
            Box::pin(async move { keys.await.map_err(|error| error.to_string()) })
        });
        Ok(Self(Arc::new(Inner { options, provider, fetch, state: Mutex::default() })))
    }

    /// Verifies tokens of the cluster of a client: issuer and keys come from its API server, which serves them to service accounts
    /// (`system:service-account-issuer-discovery`).
    ///
    /// # Errors
    ///
    /// [`CallerError`] if the issuer can't be read.
    #[cfg(feature = "resource")]
    pub async fn of_cluster<S: Into<String>>(
        rest: &client_rs_client::RestClient,
        audiences: impl IntoIterator<Item = S>,
    ) -> Result<Self, CallerError> {
        use client_rs_client::Request;
        use client_rs_machinery::Json;

        let failed = |why: String| CallerError(format!("the issuer can't be read: {why}"));
        let document = rest.send_raw(Request::get().abs_path(["/.well-known/openid-configuration"])).await;
        let document = document.map_err(|error| failed(error.to_string()))?;
        let document = Json::parse(&document.body).map_err(|error| failed(error.to_string()))?;
        let issuer = document["issuer"].as_str().ok_or_else(|| failed("no `issuer`".to_owned()))?;
        let rest = rest.clone();
        // Not `jwks_uri`: it may name an address that only others reach.
        Self::new(CallerOptions::new(issuer, audiences), move || {
            let rest = rest.clone();
            async move {
                let keys = rest.send_raw(Request::get().abs_path(["/openid/v1/jwks"])).await;
                keys.map(|keys| keys.body.to_vec())
            }
        })
    }

    /// Verifies a token, without the `Bearer` of its header.
    ///
    /// # Errors
    ///
    /// [`CallerError`] with the reason, for a log.
    pub async fn verify(&self, token: &str) -> Result<Caller, CallerError> {
        let failed = |why: &str| CallerError(why.to_owned());
        let mut keys = self.keys(false).await.map_err(CallerError)?;
        loop {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            match decide(token, &keys, &self.0.options, i64::try_from(now).unwrap_or(i64::MAX)) {
                Ok(caller) => return Ok(caller),
                Err(Refusal::Because(why)) => return Err(failed(why)),
                Err(Refusal::UnknownKey) => {
                    let newer = self.keys(true).await.map_err(CallerError)?;
                    if Arc::ptr_eq(&newer, &keys) {
                        return Err(failed("no known key has signed the token"));
                    }
                    keys = newer;
                }
            }
        }
    }

    /// Authenticates a request by its headers. `None` if it has no token and needs none.
    pub(crate) async fn authenticate(&self, headers: &HeaderMap) -> Result<Option<Caller>, CallerError> {
        let mut shown = headers.get_all(AUTHORIZATION).iter();
        let (first, others) = (shown.next(), shown.next());
        let bearer = first.and_then(|value| {
            let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        match (first, others, bearer) {
            (None, ..) if !self.0.options.required => Ok(None),
            (_, None, Some(token)) => self.verify(token).await.map(Some),
            _ => Err(CallerError("no bearer token".to_owned())),
        }
    }

    /// The keys. `newer` asks for a set that is newer than the one that was used, unless it was fetched a moment ago.
    async fn keys(&self, newer: bool) -> Fetched {
        let (fetching, old) = {
            let mut state = self.lock();
            let now = Instant::now();
            let age = |since: Instant| now.saturating_duration_since(since);
            if let Some((keys, fetched)) = &state.keys
                && !newer
                && age(*fetched) < MAX_AGE
            {
                return Ok(Arc::clone(keys));
            }
            let pause = if state.keys.is_some() { FETCH_AGAIN } else { RETRY };
            let last = state.fetching.clone();
            let fetching = match last {
                Some((fetching, began)) if fetching.peek().is_none() || age(began) < pause => fetching,
                _ => {
                    let fetching = self.fetch();
                    state.fetching = Some((fetching.clone(), now));
                    fetching
                }
            };
            (fetching, state.keys.as_ref().map(|(keys, _)| Arc::clone(keys)))
        };
        match (fetching.await, old) {
            (Ok(keys), _) => Ok(keys),
            (Err(error), Some(old)) => {
                tracing::warn!(%error, "keeping the old keys of callers of webhooks");
                Ok(old)
            }
            (Err(error), None) => Err(format!("the keys of the issuer can't be read: {error}")),
        }
    }

    /// Fetches the keys. If its callers give up, the next one continues.
    fn fetch(&self) -> Shared<BoxFuture<'static, Fetched>> {
        let (fetch, weak) = ((self.0.fetch)(), Arc::downgrade(&self.0));
        let provider = Arc::clone(&self.0.provider);
        let fetched = async move {
            let keys = Arc::new(KeySet::parse(&fetch.await?, provider)?);
            if let Some(inner) = weak.upgrade() {
                let mut state = inner.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.keys = Some((Arc::clone(&keys), Instant::now()));
            }
            Ok(keys)
        };
        fetched.boxed().shared()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a caller may send a review: it must be about an object of its API group.
pub(crate) fn check_group(caller: &Caller, review: &[u8]) -> Result<(), (StatusCode, &'static str)> {
    let review = AdmissionReview::from_json(review).ok().and_then(|review| review.request);
    match review {
        Some(request) if caller.may_ask_about(&request.resource.group) => Ok(()),
        Some(_) => Err((StatusCode::FORBIDDEN, "the caller may not ask about this API group")),
        None => Err((StatusCode::BAD_REQUEST, "the body is not an AdmissionReview")),
    }
}

impl fmt::Debug for CallerVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CallerVerifier").field(&self.0.options).finish()
    }
}
