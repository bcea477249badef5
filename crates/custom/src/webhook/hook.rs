//! [`Hook`], a webhook as a tower service.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::header::{ALLOW, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tower::Service;

use crate::webhook::caller::{Caller, CallerVerifier, check_group};

/// The maximum size of a review: an object, its old state and the envelope; or, in a conversion, all objects of a list.
pub(crate) const MAX_BODY: usize = 16 << 20;

type Answer = dyn Fn(Bytes) -> BoxFuture<'static, Result<Vec<u8>, HookError>> + Send + Sync;

/// A webhook: a function from a review to its response. Cheap to clone.
///
/// Build one with [`admission`](Self::admission) or [`Conversions`](crate::webhook::Conversions), and serve it with
/// [`WebhookServer`](crate::webhook::WebhookServer) or any tower server. In a test call [`answer`](Self::answer).
///
/// As a tower service it accepts a `POST` of JSON. A body that is not a review gets a 400. A handler that panics gets a 500,
/// so that the webhook's `failurePolicy` decides. A body of more than 16 MiB gets a 413. The service is always ready and has
/// no limits of concurrency or time: those belong to the server, and `WebhookServer` has them.
#[derive(Clone)]
pub struct Hook {
    answer: Arc<Answer>,
    /// Verifies the callers, if that is wanted.
    verifier: Option<CallerVerifier>,
}

/// The error of a body that is not a review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HookError(pub(crate) String);

impl Hook {
    pub(crate) fn new<F, Fut>(answer: F) -> Self
    where
        F: Fn(Bytes) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<u8>, HookError>> + Send + 'static,
    {
        Self { answer: Arc::new(move |review| Box::pin(answer(review))), verifier: None }
    }

    /// Answers only API servers that authenticate with a token (KEP-6060); see [`CallerVerifier`].
    ///
    /// Use it for admission webhooks: API servers send no tokens to conversion webhooks, whose reviews it would refuse. It applies to requests;
    /// [`answer`](Self::answer), which has no headers, is not affected.
    #[must_use]
    pub fn verified(mut self, verifier: CallerVerifier) -> Self {
        self.verifier = Some(verifier);
        self
    }

    /// Authenticates the caller of a request by its headers, before the body is read.
    pub(crate) async fn authenticate(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<Caller>, Response<Full<Bytes>>> {
        let Some(verifier) = &self.verifier else { return Ok(None) };
        verifier.authenticate(headers).await.map_err(|error| {
            tracing::debug!(%error, "refused a review");
            let mut refused = plain(StatusCode::UNAUTHORIZED, "the caller is not authenticated");
            refused.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
            refused
        })
    }

    /// Returns the response to a review, both as JSON.
    ///
    /// # Errors
    ///
    /// [`HookError`] if the bytes are not a review of this webhook's type. A denial is not an error.
    ///
    /// ```
    /// use client_rs_custom::machinery::Unstructured;
    /// use client_rs_custom::webhook::{Admitted, Hook, Review};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let allow = Hook::admission(|_: Review<Unstructured>| async { Ok(Admitted::unchanged()) });
    /// let error = allow.answer("{}").await.unwrap_err();
    /// assert!(error.to_string().contains("review"), "{error}");
    /// # }
    /// ```
    pub async fn answer(&self, review: impl Into<Bytes>) -> Result<Vec<u8>, HookError> {
        (self.answer)(review.into()).await
    }
}

impl<B> Service<Request<B>> for Hook
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let hook = self.clone();
        Box::pin(async move {
            if request.method() != Method::POST {
                return Ok(only_post());
            }
            let caller = match hook.authenticate(request.headers()).await {
                Ok(caller) => caller,
                Err(refused) => return Ok(refused),
            };
            Ok(match Limited::new(request.into_body(), MAX_BODY).collect().await {
                Ok(body) => hook.respond(caller.as_ref(), body.to_bytes()).await,
                Err(error) if error.is::<LengthLimitError>() => too_large(MAX_BODY),
                Err(error) => plain(StatusCode::BAD_REQUEST, &format!("the body can't be read: {error}")),
            })
        })
    }
}

impl Hook {
    /// Builds the HTTP response to a body of an authenticated caller, or of any.
    pub(crate) async fn respond(&self, caller: Option<&Caller>, body: Bytes) -> Response<Full<Bytes>> {
        if let Some(Err((code, why))) = caller.map(|caller| check_group(caller, &body)) {
            tracing::debug!(why, "refused a review");
            return plain(code, why);
        }
        let answer = Arc::clone(&self.answer);
        match AssertUnwindSafe(async move { answer(body).await }).catch_unwind().await {
            Ok(Ok(json)) => {
                let mut response = Response::new(Full::new(Bytes::from(json)));
                let json = http::HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                response
            }
            Ok(Err(error)) => plain(StatusCode::BAD_REQUEST, &error.to_string()),
            Err(_) => {
                tracing::error!("handler of a webhook panicked");
                plain(StatusCode::INTERNAL_SERVER_ERROR, "the handler of the webhook panicked")
            }
        }
    }
}

pub(crate) fn only_post() -> Response<Full<Bytes>> {
    let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "send reviews with POST");
    refused.headers_mut().insert(ALLOW, http::HeaderValue::from_static("POST"));
    refused
}

pub(crate) fn too_large(limit: usize) -> Response<Full<Bytes>> {
    plain(StatusCode::PAYLOAD_TOO_LARGE, &format!("a review may have {limit} bytes at most"))
}

pub(crate) fn plain(code: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())));
    *response.status_mut() = code;
    response
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}
