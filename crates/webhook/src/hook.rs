//! A webhook as a service.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use tower::Service;

/// The largest review that is read: an object, its old form and their wrapping.
const MAX_BODY: usize = 16 * 1024 * 1024;

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Answer = dyn Fn(Bytes) -> BoxFuture<Result<Vec<u8>, HookError>> + Send + Sync;

/// A webhook: a review in, an answer out. Cheap to clone.
///
/// As a tower service it takes a `POST` of JSON. What is no review is a 400; a handler that panics is a 500, so that the
/// webhook's `failurePolicy` decides. It is always ready, and runs any number of reviews at once.
#[derive(Clone)]
pub struct Hook {
    answer: Arc<Answer>,
}

/// A request that is no review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HookError(pub(crate) String);

impl Hook {
    pub(crate) fn new<F, Fut>(answer: F) -> Self
    where
        F: Fn(Bytes) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<u8>, HookError>> + Send + 'static,
    {
        Self { answer: Arc::new(move |review| Box::pin(answer(review))) }
    }

    /// Answers a review, both as JSON.
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
    type Future = BoxFuture<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let answer = Arc::clone(&self.answer);
        Box::pin(async move {
            if request.method() != Method::POST {
                let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "a review is posted");
                refused.headers_mut().insert(ALLOW, http::HeaderValue::from_static("POST"));
                return Ok(refused);
            }
            let body = match Limited::new(request.into_body(), MAX_BODY).collect().await {
                Ok(body) => body.to_bytes(),
                Err(error) => {
                    return Ok(plain(StatusCode::BAD_REQUEST, &format!("the body can't be read: {error}")));
                }
            };
            let answered = AssertUnwindSafe(async move { answer(body).await }).catch_unwind().await;
            Ok(match answered {
                Ok(Ok(json)) => {
                    let mut response = Response::new(Full::new(Bytes::from(json)));
                    let json = http::HeaderValue::from_static("application/json");
                    response.headers_mut().insert(CONTENT_TYPE, json);
                    response
                }
                Ok(Err(error)) => plain(StatusCode::BAD_REQUEST, &error.to_string()),
                Err(_) => {
                    tracing::error!("a webhook's handler panicked");
                    plain(StatusCode::INTERNAL_SERVER_ERROR, "the webhook has failed")
                }
            })
        })
    }
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
