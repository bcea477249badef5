//! Webhooks that answer a review with the same object: authentication and authorization.

use bytes::Bytes;
use client_rs_machinery::wire::{Decoding, Format, Payload};

use crate::webhook::hook::{Hook, HookError};

impl Hook {
    /// Builds a webhook that gets an object and returns it with its status: a `TokenReview`, for an API server with
    /// `--authentication-token-webhook-config-file`, or a `SubjectAccessReview`, for one with an authorization webhook. Use the types of the
    /// version that the server is configured to send.
    ///
    /// A body that is not such an object gets a 400. The object that the handler returns is sent as it is; a review that it can't decide
    /// is one without `authenticated` or `allowed`.
    ///
    /// ```
    /// use client_rs_api::authentication::v1::{TokenReview, UserInfo};
    /// use client_rs_custom::webhook::Hook;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = Hook::review(|mut review: TokenReview| async move {
    ///     if review.spec.token == "anna's token" {
    ///         review.status.authenticated = true;
    ///         review.status.user = UserInfo { username: "anna".into(), ..UserInfo::EMPTY }.into();
    ///     }
    ///     review
    /// });
    /// let asked = r#"{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": "anna's token"}}"#;
    /// let answer = String::from_utf8(tokens.answer(asked).await?)?;
    /// assert!(answer.contains(r#""authenticated":true"#), "{answer}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn review<R, F, Fut>(handler: F) -> Self
    where
        R: Payload,
        F: Fn(R) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
    {
        let handler = std::sync::Arc::new(handler);
        Self::new(move |bytes: Bytes| {
            let handler = std::sync::Arc::clone(&handler);
            async move {
                // The error does not quote the body: it has a token.
                let review = R::decode(Format::Json, &bytes, &mut Decoding::new())
                    .map_err(|_| HookError("the body is not a review of this type".to_owned()))?;
                Ok(handler(review).await.encode(Format::Json))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::authentication::v1::TokenReview;
    use client_rs_machinery::Json;

    use super::*;

    #[tokio::test]
    async fn a_token_is_reviewed_and_never_quoted() {
        let hook = Hook::review(|mut review: TokenReview| async move {
            review.status.authenticated = review.spec.token == "good";
            review.spec.token = "".into();
            review
        });
        for (token, expected) in [("good", Json::from(true)), ("bad", Json::Null)] {
            let asked = format!(
                r#"{{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {{"token": "{token}"}}}}"#
            );
            let answer = Json::parse(&hook.answer(asked).await.unwrap()).unwrap();
            assert_eq!(answer["kind"], Json::from("TokenReview"));
            assert_eq!(answer["apiVersion"], Json::from("authentication.k8s.io/v1"));
            assert_eq!(answer["status"]["authenticated"], expected, "{token}");
        }
        for body in ["", "s3cret", r#"{"spec": {"token": 7}}"#, r#"{"apiVersion": "v1", "kind": "Pod"}"#] {
            let error = hook.answer(body).await.unwrap_err().to_string();
            assert!(error.contains("not a review") && !error.contains("s3cret"), "{error}");
        }
    }
}
