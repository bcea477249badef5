//! A server that is a function, with scripted replies.

mod answers;
mod gates;
mod lists;
mod requests;
mod watches;

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use client_rs_api::core::v1::{ConfigMap, Pod, PodList};
use client_rs_machinery::meta::v1::{ListMeta, ObjectMeta, ShardInfo, Status};
use client_rs_machinery::wire::{Format, Message, Payload, WatchEvent, WatchEventType};
use client_rs_machinery::{Json, Object as _, RawExtension, StatusReason};
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{HeaderMap, Method, Response, StatusCode, Uri};
use http_body::Frame;
use tokio::time::Instant;

use super::*;
use crate::flow_control::{RequestRateLimiter, TokenBucketLimiter};
use crate::metrics::RequestMetrics;
use crate::warning::WarningHandler;
use crate::{BodySource, Error, Request, RequestError, Verb};

/// A request that the server has received.
#[derive(Clone, Debug)]
struct Heard {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

type Reply = Result<Response<Body>, TransportError>;

#[derive(Clone, Default)]
struct Server {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    heard: Arc<Mutex<Vec<Heard>>>,
    /// The delay of a response.
    delay: Duration,
}

impl Server {
    fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: Arc::new(Mutex::new(replies.into_iter().collect())), ..Self::default() }
    }

    fn client(&self) -> RestClient {
        self.client_with(unlimited())
    }

    fn client_with(&self, options: RestClientOptions) -> RestClient {
        let server = self.clone();
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.bytes().await?;
                tokio::time::sleep(server.delay).await;
                let http::request::Parts { method, uri, headers, .. } = parts;
                server.heard.lock().unwrap().push(Heard { method, uri, headers, body });
                let reply = server.replies.lock().unwrap().pop_front();
                reply.unwrap_or_else(|| Err(other("no more replies")))
            }
        });
        let url: Uri = "https://k8s.example:6443/base/".parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        RestClient::with_options(&url, transport, options).unwrap()
    }

    fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

fn unlimited() -> RestClientOptions {
    RestClientOptions { limiter: None, url_backoff: None, ..RestClientOptions::default() }
}

fn other(text: &str) -> TransportError {
    TransportError::Other(text.to_owned().into())
}

/// A connection that was reset while dialing.
fn reset() -> TransportError {
    let error = Arc::new(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
    client_rs_transport::http::ConnectError::Unreachable { target: "h:1".into(), error }.into()
}

#[allow(clippy::unnecessary_wraps)] // Others are errors.
fn reply(status: u16, content_type: &str, body: impl Into<Body>) -> Reply {
    let response = Response::builder().status(status).header("content-type", content_type);
    Ok(response.body(body.into()).unwrap())
}

fn json(status: u16, body: impl Into<Body>) -> Reply {
    reply(status, "application/json", body)
}

#[allow(clippy::unnecessary_wraps)] // Others are errors.
fn later(status: u16, seconds: u32) -> Reply {
    let response = Response::builder().status(status).header("retry-after", seconds.to_string());
    Ok(response.body(Body::from("busy")).unwrap())
}

/// A body in chunks; `pending`: it does not end.
fn chunks(bytes: &[u8], size: usize, pending: bool) -> Body {
    Body::new(Chunks {
        left: bytes.chunks(size).map(Bytes::copy_from_slice).collect(),
        pending,
        dropped: None,
    })
}

struct Chunks {
    left: VecDeque<Bytes>,
    pending: bool,
    dropped: Option<Arc<AtomicUsize>>,
}

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        match self.left.pop_front() {
            Some(chunk) => Poll::Ready(Some(Ok(Frame::data(chunk)))),
            None if self.pending => Poll::Pending,
            None => Poll::Ready(None),
        }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        if let Some(dropped) = &self.dropped {
            dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn pod(name: &str) -> Pod {
    let metadata = ObjectMeta {
        name: name.into(),
        namespace: "ns".into(),
        resource_version: "5".into(),
        ..ObjectMeta::EMPTY
    };
    Pod { metadata, ..Pod::default() }
}

fn get() -> Request {
    Request::get().of::<Pod>().namespace("ns").name("a")
}

fn list() -> Request {
    Request::get().of::<Pod>().namespace("ns")
}

fn failure(code: i32, reason: &str) -> Status {
    Status {
        status: "Failure".into(),
        code,
        reason: reason.into(),
        message: "no way".into(),
        ..Status::EMPTY
    }
}

fn pods(count: usize) -> PodList {
    let metadata = ListMeta {
        resource_version: "77".into(),
        continue_: "next".into(),
        remaining_item_count: Some(4),
        shard_info: Some(ShardInfo { selector: "the first half".into() }.into()),
        ..ListMeta::EMPTY
    };
    PodList { metadata, items: (0..count).map(|n| pod(&format!("p{n}"))).collect() }
}

fn frame(format: Format, kind: &str, object: &impl Payload) -> Vec<u8> {
    let raw = object.encode(format);
    match format {
        Format::Json => [format!(r#"{{"type":"{kind}","object":"#).as_bytes(), &raw, b"}\n"].concat(),
        Format::Protobuf => {
            let event = client_rs_machinery::meta::v1::WatchEvent {
                type_: kind.into(),
                object: RawExtension::from_bytes(raw),
            };
            let event = event.to_protobuf();
            [u32::try_from(event.len()).unwrap().to_be_bytes().as_slice(), &event].concat()
        }
    }
}
