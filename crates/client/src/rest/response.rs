//! Decodes responses.

use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{DecodeError, Decoding, Envelope, Format, Payload, json};
use client_rs_machinery::{ApiError, ErrorStatus, ServerResponse};
use client_rs_transport::http::{Body, Explanation};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use super::policy::retry_after;
use crate::{Call, Error, Request};

/// A response that was not decoded. `Debug` shows no part of the body.
///
/// It is the result of [`RestClient::send_raw`](crate::RestClient::send_raw).
#[derive(Clone)]
#[non_exhaustive]
pub struct RawResponse {
    /// The status, which is never an error status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl RawResponse {
    /// The `Content-Type` header; empty if it is missing.
    pub fn content_type(&self) -> &str {
        content_type(&self.headers)
    }
}

impl std::fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawResponse")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub(crate) fn is_success(status: StatusCode) -> bool {
    status == StatusCode::SWITCHING_PROTOCOLS || (200..=206).contains(&status.as_u16())
}

/// The object of a response. A `Status` with a failure instead of the expected object is an error of the server.
pub(super) fn decode<K: Payload>(format: Format, body: &[u8], call: &Call) -> Result<K, Error> {
    if body.is_empty() {
        return Err(Error::Empty { call: call.clone() });
    }
    // A type with a fixed kind rejects other kinds by itself, which costs nothing in the normal case.
    if K::wire_kind().is_none()
        && let Some(error) = failure(format, body)
    {
        return Err(Error::Api { call: call.clone(), error: error.into() });
    }
    K::decode(format, body, &mut Decoding::new()).map_err(|error| match failure(format, body) {
        Some(error) if K::wire_kind() != Some(STATUS) => {
            Error::Api { call: call.clone(), error: error.into() }
        }
        _ => Error::Decode { call: call.clone(), error },
    })
}

const STATUS: &str = "Status";

/// The error in a `Status` that is not a success.
pub(crate) fn failure(format: Format, body: &[u8]) -> Option<ApiError> {
    let is_status = is_status(format, body).is_ok_and(|is_status| is_status);
    let status = is_status.then(|| Status::decode(format, body, &mut Decoding::new()).ok()).flatten()?;
    (status.status != "Success").then(|| ApiError::from(&status))
}

/// Returns `true` if an object is a `Status`.
pub(crate) fn is_status(format: Format, body: &[u8]) -> Result<bool, DecodeError> {
    if format == Format::Protobuf {
        return Ok(Envelope::open(body)?.kind == STATUS);
    }
    let mut reader = json::Reader::new(body);
    let mut first = true;
    reader.begin_object()?;
    while let Some(key) = reader.next_key(&mut first)? {
        if key == "kind" {
            return Ok(reader.text()? == STATUS);
        }
        reader.skip()?;
    }
    Ok(false)
}

/// The server's error, from a response with an error status.
pub(super) fn refusal(
    request: &Request,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    format: Option<Format>,
) -> ApiError {
    /// The longest part of a foreign text to include in an error.
    const MAX_TEXT: usize = 2048;
    let told = format.and_then(|format| Status::decode(format, body, &mut Decoding::new()).ok());
    if let Some(told) = told.filter(|told| told.status == "Failure") {
        return ApiError::from(&told);
    }
    let content_type = content_type(headers);
    let is_text =
        content_type.is_empty() || content_type.trim_start().to_ascii_lowercase().starts_with("text/");
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_TEXT)]);
    let text = if is_text { text.trim() } else { "unknown" };
    let seconds = retry_after(headers).and_then(|wait| i32::try_from(wait.as_secs()).ok());
    ApiError::from_response(&ServerResponse {
        code: status.as_u16(),
        verb: request.verb().as_str(),
        resource: request.group_resource(),
        name: request.object_name(),
        body: text,
        retry_after_seconds: seconds.unwrap_or(0),
        unexpected: true,
    })
}

/// The server's error, with the explanation of the transport.
pub(super) fn explained(error: ApiError, extensions: &http::Extensions) -> ApiError {
    let Some(Explanation(why)) = extensions.get() else { return error };
    let status = error.into_status();
    let message = format!("{} ({why})", status.message).into();
    ApiError::new(ErrorStatus { message, ..status })
}

/// Reads the rest of a short response, so that its connection can be used again.
pub(super) async fn drain(response: Response<Body>) {
    const SHORT: u64 = 2048;
    let body = response.into_body();
    if body.size_hint().upper().is_some_and(|length| length <= SHORT) {
        // The next attempt does not depend on it, and does not wait if nothing arrives.
        let _ = tokio::time::timeout(Duration::from_secs(1), body.collect()).await;
    }
}
