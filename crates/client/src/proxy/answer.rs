//! Responses of the API server and of the backend, distinguished.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use client_rs_machinery::ApiError;
use client_rs_machinery::wire::Format;
use client_rs_transport::http::{Body, TransportError};
use http::header::{CONTENT_ENCODING, LOCATION};
use http::{HeaderMap, HeaderValue, Response};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;

use crate::rest::{content_type, failure};

/// The maximum size of a `Status`.
const MOST: usize = 64 * 1024;

/// Returns a response of the backend, or an error of the API server.
///
/// An error of the API server is a `Status` in JSON whose code is that of the response. A backend that answers in the same form is
/// mistaken for the server: a response has nothing else to distinguish them.
pub(super) async fn sort_out(
    response: Response<Body>,
) -> Result<Result<Response<Body>, ApiError>, TransportError> {
    let status = response.status();
    let may_be_status = (status.is_client_error() || status.is_server_error())
        && Format::from_media_type(content_type(response.headers())) == Some(Format::Json)
        && !response.headers().contains_key(CONTENT_ENCODING)
        && response.body().size_hint().lower() <= MOST as u64;
    if !may_be_status {
        return Ok(Ok(response));
    }
    let (parts, mut body) = response.into_parts();
    let mut read = BytesMut::new();
    let mut trailers = None;
    while read.len() <= MOST {
        let Some(frame) = body.frame().await else {
            if let Some(error) = failure(Format::Json, &read)
                && error.code() == i32::from(status.as_u16())
            {
                return Ok(Err(error));
            }
            break;
        };
        match frame?.into_data() {
            Ok(data) => read.extend_from_slice(&data),
            Err(other) => trailers = other.into_trailers().ok(),
        }
    }
    let rest = Again { read: read.freeze(), body, trailers };
    Ok(Ok(Response::from_parts(parts, Body::new(rest))))
}

/// Converts a redirect to the proxied path, as API servers write it, back to one of the backend.
pub(super) fn unprefix(headers: &mut HeaderMap, prefix: &str) {
    let Some(location) = headers.get(LOCATION).and_then(|value| value.to_str().ok()) else { return };
    let path = match location.parse::<http::Uri>() {
        Ok(uri) => uri.path_and_query().map_or("", |path| path.as_str()).to_owned(),
        Err(_) => return,
    };
    let Some(rest) = path.strip_prefix(prefix) else { return };
    let own = match rest.bytes().next() {
        Some(b'/') => rest.to_owned(),
        None | Some(b'?' | b'#') => format!("/{rest}"),
        Some(_) => return,
    };
    if let Ok(value) = HeaderValue::from_str(&own) {
        headers.insert(LOCATION, value);
    }
}

/// A body after a part of it was read.
struct Again {
    read: Bytes,
    body: Body,
    trailers: Option<HeaderMap>,
}

impl http_body::Body for Again {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        if !self.read.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.read)))));
        }
        if let Some(trailers) = self.trailers.take() {
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        if self.body.is_end_stream() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.read.is_empty() && self.trailers.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (read, mut rest) = (self.read.len() as u64, self.body.size_hint());
        let (lower, upper) = (rest.lower(), rest.upper());
        if let Some(upper) = upper {
            rest.set_upper(upper.saturating_add(read));
        }
        rest.set_lower(lower.saturating_add(read));
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(from: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_str(from).unwrap());
        unprefix(&mut headers, "/api/v1/namespaces/ns/services/web/proxy");
        headers[LOCATION].to_str().unwrap().to_owned()
    }

    #[test]
    fn a_redirect_is_converted_back_to_the_backend() {
        let prefix = "/api/v1/namespaces/ns/services/web/proxy";
        assert_eq!(location(&format!("{prefix}/a/b?c=d")), "/a/b?c=d");
        assert_eq!(location(&format!("https://server:6443{prefix}/a")), "/a");
        assert_eq!(location(prefix), "/");
        assert_eq!(location(&format!("{prefix}?x=1")), "/?x=1");
        for foreign in ["https://example.com/a", "/other", &format!("{prefix}xy/a"), "a b"] {
            assert_eq!(location(foreign), *foreign);
        }
    }
}
