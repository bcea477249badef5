//! Plain HTTP requests, with codes, headers and bodies as the server sends them.

use anyhow::{Context, Result, anyhow, ensure};
use bytes::Bytes;
use client_rs_tests::Stage;
use client_rs_transport::http::{Body, Transport};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, Method};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

/// The media type of a JSON patch.
pub(super) const JSON_PATCH: &str = "application/json-patch+json";
/// The media type of a merge patch.
pub(super) const MERGE_PATCH: &str = "application/merge-patch+json";

/// A client of the administrator's.
pub(super) struct Http {
    transport: Transport,
    origin: String,
}

/// A response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Http {
    pub(super) fn new(stage: &Stage) -> Result<Self> {
        let config = stage.config();
        let transport = Transport::from_config(config).map_err(|error| anyhow!("{error}"))?;
        Ok(Self { transport, origin: config.server.to_string().trim_end_matches('/').to_owned() })
    }

    /// Sends a request with these headers.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(http::HeaderName, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Answer> {
        let mut request = http::Request::builder().method(method).uri(format!("{}{path}", self.origin));
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        let request = request.body(Body::from(body.into()))?;
        let answer =
            self.transport.clone().oneshot(request).await.map_err(|error| anyhow!("{path}: {error}"))?;
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.map_err(|error| anyhow!("{path}: {error}"))?.to_bytes();
        let text = String::from_utf8_lossy(&body).into_owned();
        Ok(Answer { code: parts.status.as_u16(), headers: parts.headers, text })
    }

    pub(super) async fn get(&self, path: &str) -> Result<Answer> {
        self.send(Method::GET, path, &[(ACCEPT, "application/json")], "").await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Answer> {
        self.send(Method::POST, path, &[(CONTENT_TYPE, "application/json")], body.to_string()).await
    }

    pub(super) async fn put(&self, path: &str, body: &Value) -> Result<Answer> {
        self.send(Method::PUT, path, &[(CONTENT_TYPE, "application/json")], body.to_string()).await
    }

    pub(super) async fn patch(&self, path: &str, kind: &str, body: &Value) -> Result<Answer> {
        self.send(Method::PATCH, path, &[(CONTENT_TYPE, kind)], body.to_string()).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<Answer> {
        self.send(Method::DELETE, path, &[], "").await
    }

    /// Posts an object that the server refuses with 422, and compares the errors behind its name.
    pub(super) async fn refused(&self, path: &str, body: &Value, why: &str) -> Result<()> {
        self.post(path, body).await?.refuses(422, why).with_context(|| body.to_string())
    }
}

impl Answer {
    /// The body as JSON.
    pub(super) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.text).with_context(|| format!("{}: {}", self.code, self.text))
    }

    /// The body as JSON, of a response with this code.
    pub(super) fn ok(&self, code: u16) -> Result<Value> {
        ensure!(self.code == code, "{} instead of {code}: {}", self.code, self.text);
        self.json()
    }

    /// Checks the code and the message of a `Status`. Behind `is invalid: ` only the errors are compared.
    pub(super) fn refuses(&self, code: u16, why: &str) -> Result<()> {
        ensure!(self.code == code, "{} instead of {code}: {}", self.code, self.text);
        let message = self.json()?["message"].as_str().unwrap_or_default().to_owned();
        let found = message.split_once(" is invalid: ").map_or(message.as_str(), |(_, errors)| errors);
        ensure!(found == why, "the server answers\n  {found}\nnot\n  {why}");
        Ok(())
    }

    /// The value of a header; empty if it is missing.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
