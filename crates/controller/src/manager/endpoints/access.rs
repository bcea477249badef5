//! Authentication and authorization of the endpoints, by the API server.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_api::authentication::v1::{TokenReview, TokenReviewSpec};
use client_rs_api::authorization::v1::{NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec};
use client_rs_client::{Error, Request, RestClient};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How long a positive decision is cached.
const ALLOWED_FOR: Duration = Duration::from_mins(1);
/// How long a negative decision is cached.
const REFUSED_FOR: Duration = Duration::from_secs(10);
/// How many decisions are cached.
const MOST_KNOWN: usize = 1_024;
/// How many reviews run at once; more wait.
const MOST_ASKED: usize = 8;
/// The timeout of each of the two reviews.
const PATIENCE: Duration = Duration::from_secs(10);

/// Protects the metrics and debug endpoints with the cluster's own users and RBAC rules.
///
/// It asks the API server which user a token belongs to (a `TokenReview`), and whether this user may `get` the path (a
/// `SubjectAccessReview` of a non-resource URL), as controller-runtime's `WithAuthenticationAndAuthorization` does. Cheap to
/// clone.
///
/// The program's account must be allowed to `create` `tokenreviews.authentication.k8s.io` and
/// `subjectaccessreviews.authorization.k8s.io`. A client that reads metrics must be allowed to `get` the non-resource URL
/// `/metrics`.
///
/// Decisions are cached: a positive one for a minute, a negative one for ten seconds, 1,024 decisions at most. The cache has
/// a keyed hash of the token, not the token. At most eight reviews run at once. If the API server can't be reached, the
/// endpoint responds with 503.
///
/// ```
/// use client_rs_controller::{AccessReview, EndpointTls, ManagerOptions};
/// # use client_rs_client::RestClient;
/// # fn options(rest: RestClient) -> ManagerOptions {
/// let access = AccessReview::new(rest);
/// // Tokens are secrets: `access` requires `tls`, except at a loopback address.
/// ManagerOptions::default().with_access(access).with_tls(EndpointTls::in_folder("/certs"))
/// # }
/// ```
#[derive(Clone)]
pub struct AccessReview(Arc<Inner>);

struct Inner {
    rest: RestClient,
    keys: [RandomState; 2],
    known: Mutex<Decisions>,
    asking: Semaphore,
}

/// The API server's decision about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Allowed,
    /// The token is missing or not valid.
    Unknown,
    /// The user may not read the path.
    Forbidden,
}

impl AccessReview {
    /// Sends the reviews with this client. Its rate limit applies.
    pub fn new(rest: RestClient) -> Self {
        let keys = [RandomState::new(), RandomState::new()];
        let asking = Semaphore::new(MOST_ASKED);
        Self(Arc::new(Inner { rest, keys, known: Mutex::default(), asking }))
    }

    /// Decides whether the client that has sent this `Authorization` header may use this verb on a path.
    pub(crate) async fn decide(
        &self,
        authorization: Option<&str>,
        verb: &str,
        path: &str,
    ) -> Result<Decision, Error> {
        let token = authorization.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            Some(token.trim()).filter(|token| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty())
        });
        let Some(token) = token else { return Ok(Decision::Unknown) };
        let key = self.0.keys.each_ref().map(|key| key.hash_one((token, verb, path)));
        if let Some(decision) = self.known().get(key, Instant::now()) {
            return Ok(decision);
        }
        // The semaphore is never closed.
        let _asking = self.0.asking.acquire().await.ok();
        // Another request may have cached the same decision in the meantime.
        if let Some(decision) = self.known().get(key, Instant::now()) {
            return Ok(decision);
        }
        let decision = self.ask(token, verb, path).await?;
        self.known().put(key, decision, Instant::now());
        Ok(decision)
    }

    async fn ask(&self, token: &str, verb: &str, path: &str) -> Result<Decision, Error> {
        let spec = TokenReviewSpec { token: token.into(), ..TokenReviewSpec::EMPTY };
        let review = TokenReview { spec, ..TokenReview::EMPTY };
        let request = Request::post().of::<TokenReview>().object(review).timeout(PATIENCE);
        let answered: TokenReview = self.0.rest.send(request).await?;
        if !answered.status.authenticated {
            return Ok(Decision::Unknown);
        }
        let user = answered.status.user.clone();
        let attributes = NonResourceAttributes { path: path.into(), verb: verb.into() };
        let spec = SubjectAccessReviewSpec {
            non_resource_attributes: Some(attributes.into()),
            user: user.username,
            groups: user.groups,
            extra: user.extra,
            uid: user.uid,
            ..SubjectAccessReviewSpec::EMPTY
        };
        let review = SubjectAccessReview { spec: spec.into(), ..SubjectAccessReview::EMPTY };
        let request = Request::post().of::<SubjectAccessReview>().object(review).timeout(PATIENCE);
        let answered: SubjectAccessReview = self.0.rest.send(request).await?;
        let allowed = answered.status.allowed && !answered.status.denied;
        Ok(if allowed { Decision::Allowed } else { Decision::Forbidden })
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Decisions> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for AccessReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessReview")
    }
}

type Key = [u64; 2];

/// The cache of decisions, each with its expiry. If it is full, the oldest decision is dropped.
#[derive(Default)]
struct Decisions {
    known: HashMap<Key, (Decision, Instant)>,
    order: VecDeque<Key>,
}

impl Decisions {
    fn get(&self, key: Key, now: Instant) -> Option<Decision> {
        self.known.get(&key).filter(|(_, until)| now < *until).map(|(decision, _)| *decision)
    }

    fn put(&mut self, key: Key, decision: Decision, now: Instant) {
        let lasts = if decision == Decision::Allowed { ALLOWED_FOR } else { REFUSED_FOR };
        if self.known.insert(key, (decision, now + lasts)).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MOST_KNOWN
            && let Some(first) = self.order.pop_front()
        {
            self.known.remove(&first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_short_lived_and_few() {
        let (mut decisions, start) = (Decisions::default(), Instant::now());
        decisions.put([0, 0], Decision::Allowed, start);
        decisions.put([0, 1], Decision::Forbidden, start);
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(decisions.get([0, 0], after(59)), Some(Decision::Allowed));
        assert_eq!(decisions.get([0, 0], after(60)), None);
        assert_eq!(decisions.get([0, 1], after(9)), Some(Decision::Forbidden));
        assert_eq!(decisions.get([0, 1], after(10)), None);
        for other in 0..3_000 {
            decisions.put([1, other], Decision::Unknown, after(1));
            decisions.put([1, other], Decision::Unknown, after(2));
        }
        assert_eq!((decisions.known.len(), decisions.order.len()), (MOST_KNOWN, MOST_KNOWN));
        assert_eq!(decisions.get([0, 0], after(2)), None);
        assert_eq!(decisions.get([1, 2_999], after(2)), Some(Decision::Unknown));
    }
}
