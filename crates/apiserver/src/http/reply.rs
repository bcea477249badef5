//! Responses.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use client_rs_machinery::ApiError;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body::{Body as HttpBody, Frame};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};

use super::encode;
use super::media::{Encoding, Form};
use crate::custom::ConversionError;
use crate::registry::ListError;

const NO_CACHE: &str = "no-cache, private";

/// The body of a response.
pub(crate) type Body = UnsyncBoxBody<Bytes, BrokenOff>;

/// The error that breaks a connection on purpose, for [`Effect::Truncate`](crate::Effect::Truncate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff;

/// The error of a request.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: ApiError,
    /// Continues an expired list.
    pub(crate) continue_token: String,
}

/// A response with a complete body.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) code: u16,
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    pub(crate) warnings: Vec<String>,
    cache_control: &'static str,
}

impl Reply {
    /// Creates a response in the encoding of the format.
    pub(crate) fn new(code: u16, form: Form, body: Vec<u8>) -> Self {
        let (content_type, warnings) = (form.encoding.media_type(), Vec::new());
        Self { code, content_type, body, warnings, cache_control: NO_CACHE }
    }

    /// A JSON document.
    pub(crate) fn json(value: &client_rs_machinery::Json) -> Self {
        let mut body = value.to_vec();
        body.push(b'\n');
        Self::new(200, Form::JSON, body)
    }

    /// Plain text.
    pub(crate) fn text(code: u16, text: &str) -> Self {
        let content_type = "text/plain; charset=utf-8";
        let (body, warnings) = (text.as_bytes().to_vec(), Vec::new());
        Self { code, content_type, body, warnings, cache_control: NO_CACHE }
    }

    pub(crate) fn failure(form: Form, failure: &Failure) -> Self {
        let code = u16::try_from(failure.error.code()).unwrap_or(500);
        // Errors are always sent as a whole `Status`, which every client of the encoding can read.
        let form = Form { encoding: form.encoding, ..Form::JSON };
        Self::new(code, form, encode::failure(form, &failure.error, &failure.continue_token))
    }

    /// Allows clients to cache it.
    pub(crate) fn cacheable(mut self, control: &'static str) -> Self {
        self.cache_control = control;
        self
    }

    pub(crate) fn warned(mut self, warnings: Vec<String>) -> Self {
        self.warnings = warnings;
        self
    }

    pub(crate) fn into_response(self, retry_after: Option<u32>) -> Response<Body> {
        let mut headers = headers(self.content_type);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        for warning in &self.warnings {
            let text = format!("299 - {:?}", warning.as_str());
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.append(header::WARNING, value);
            }
        }
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        let body = Full::new(Bytes::from(self.body)).map_err(|never: Infallible| match never {});
        respond(self.code, headers, body.boxed_unsync())
    }
}

/// Adds a warning to a response.
pub(crate) fn warn(response: &mut Response<Body>, warning: &str) {
    if let Ok(value) = HeaderValue::from_str(&format!("299 - {warning:?}")) {
        response.headers_mut().append(header::WARNING, value);
    }
}

pub(crate) fn headers(content_type: &'static str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(NO_CACHE));
    headers
}

pub(crate) fn respond(code: u16, headers: HeaderMap, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = headers;
    response
}

/// The media type of a watch.
pub(crate) fn watch_media_type(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Protobuf => "application/vnd.kubernetes.protobuf;stream=watch",
        _ => "application/json",
    }
}

/// A body that breaks off after a number of bytes.
pub(crate) struct Truncated {
    pub(crate) body: Body,
    pub(crate) left: usize,
    /// Whether the bytes before the break were flushed.
    pub(crate) flushed: bool,
}

impl HttpBody for Truncated {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        if self.left == 0 {
            if self.flushed {
                return Poll::Ready(Some(Err(BrokenOff)));
            }
            // hyper flushes what it has when the body is pending.
            self.flushed = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => frame,
            other => return other,
        };
        let Ok(mut data) = frame.into_data() else { return Poll::Ready(None) };
        data.truncate(self.left);
        self.left -= data.len();
        Poll::Ready(Some(Ok(Frame::data(data))))
    }
}

impl fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the response was truncated on purpose")
    }
}

impl std::error::Error for BrokenOff {}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self { error, continue_token: String::new() }
    }
}

impl From<ConversionError> for Failure {
    fn from(error: ConversionError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Api(error) => error.into(),
            ListError::Expired { error, continue_token } => Self { error, continue_token },
        }
    }
}
