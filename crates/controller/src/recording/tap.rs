//! The layer of a client's transport that records.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use client_rs_transport::http::{Body, BoxError, Transport};
use http::{HeaderValue, Method, Request, Response, header};
use http_body::Frame;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::Service;
use tower::ServiceExt as _;

use super::format::{Target, Versions, What};
use super::kept::Exchange;
use super::runs::CurrentRun;
use super::writer::Writer;

/// The annotation of the bookmark after the objects of a streamed list.
const LIST_END: &str = "k8s.io/initial-events-end";

/// A transport whose requests are recorded.
#[derive(Clone)]
pub(super) struct Tap {
    pub(super) inner: Transport,
    pub(super) writer: Arc<Writer>,
}

impl Service<Request<Body>> for Tap {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // The inner service is asked for each request, by `oneshot`.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(send(self.clone(), request))
    }
}

async fn send(Tap { inner, writer }: Tap, request: Request<Body>) -> Result<Response<Body>, BoxError> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let target = Target::parse(&path);
    if target.is_bookkeeping() || target.is_stream() {
        return Ok(inner.oneshot(request).await?);
    }
    let (mut parts, body) = request.into_parts();
    let is_metadata = asks_for_json(&mut parts.headers);
    let run = CurrentRun::get();
    let fills_cache = parts.method == Method::GET && target.is_collection() && run.is_none();
    if fills_cache {
        let request = Request::from_parts(parts, body);
        let of = target.collection() + if is_metadata { METADATA } else { "" };
        let response = inner.oneshot(request).await?;
        if !response.status().is_success() {
            return Ok(response);
        }
        return if target.is_watch() {
            writer.watched(&of, target.parameter("resourceVersion"));
            Ok(watched(&writer, target, of, response))
        } else {
            listed(&writer, &target, of, response).await
        };
    }
    if target.is_watch() {
        return Ok(inner.oneshot(Request::from_parts(parts, body)).await?);
    }
    let bytes = body.collect().await?.to_bytes();
    let content = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content = content.filter(|_| !bytes.is_empty()).unwrap_or_default().to_owned();
    let versions = || run.as_ref().map(|run| run.versions()).unwrap_or_default();
    let (number, method) = (writer.next_request(), parts.method.to_string());
    writer.write(|hider| What::Request {
        request: number,
        run: run.as_ref().map(|run| run.number),
        method: method.clone(),
        path: path.clone(),
        content: content.clone(),
        body: hider.body(&target, &bytes),
        versions: versions(),
    });
    let sent = async {
        let response = inner.oneshot(Request::from_parts(parts, Body::from(bytes.clone()))).await?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await?.to_bytes();
        Ok::<_, BoxError>((parts, bytes))
    };
    match sent.await {
        Ok((parts, response)) => {
            if run.is_none() {
                let (status, response) = (parts.status.as_u16(), response.clone());
                writer.exchanged(|| Exchange { method, path, content, body: bytes, status, response });
            }
            let retry_after = parts.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
            writer.write(|hider| What::Response {
                request: number,
                status: parts.status.as_u16(),
                retry_after: retry_after.unwrap_or_default().to_owned(),
                body: hider.body(&target, &response),
                versions: versions(),
            });
            Ok(Response::from_parts(parts, Body::from(response)))
        }
        Err(error) => {
            writer.write(|_| What::Lost { request: number, versions: versions() });
            Err(error)
        }
    }
}

/// The end of the name of a collection if only metadata is requested.
pub(super) const METADATA: &str = "#metadata";

/// Leaves protobuf out of what is requested. Returns whether only metadata is.
fn asks_for_json(headers: &mut http::HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
    let is_metadata = accept.contains("as=PartialObjectMetadata");
    let json: Vec<&str> = accept.split(',').filter(|part| !part.contains("protobuf")).collect();
    let json = if json.is_empty() { "application/json".to_owned() } else { json.join(",") };
    if let Ok(json) = HeaderValue::from_str(&json) {
        headers.insert(header::ACCEPT, json);
    }
    is_metadata
}

async fn listed(
    writer: &Writer,
    target: &Target,
    of: String,
    response: Response<Body>,
) -> Result<Response<Body>, BoxError> {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await?.to_bytes();
    if let Ok(mut list) = serde_json::from_slice::<Value>(&bytes) {
        let text = |field: &str| list["metadata"][field].as_str().unwrap_or_default().to_owned();
        let (version, more) = (text("resourceVersion"), !text("continue").is_empty());
        if let Value::Array(items) = list["items"].take() {
            writer.listed(target, of, version, items, more);
        }
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn watched(writer: &Arc<Writer>, target: Target, of: String, response: Response<Body>) -> Response<Body> {
    let streams_list = target.parameter("sendInitialEvents") == "true";
    let watch =
        Watch { writer: Arc::clone(writer), target, of, rest: Vec::new(), list: streams_list.then(Vec::new) };
    let (parts, body) = response.into_parts();
    Response::from_parts(parts, Body::new(Tapped { body, watch }))
}

/// The events of a watch.
struct Watch {
    writer: Arc<Writer>,
    target: Target,
    of: String,
    /// The beginning of an event that is not complete.
    rest: Vec<u8>,
    /// The objects of a streamed list until its end.
    list: Option<Vec<Value>>,
}

impl Watch {
    fn data(&mut self, data: &[u8]) {
        self.rest.extend_from_slice(data);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return };
        let rest = self.rest.split_off(end + 1);
        let lines = std::mem::replace(&mut self.rest, rest);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if let Ok(event) = serde_json::from_slice::<Value>(line) {
                self.event(event);
            }
        }
    }

    fn event(&mut self, mut event: Value) {
        let kind = event["type"].as_str().unwrap_or_default().to_owned();
        let object = event["object"].take();
        let of = self.of.clone();
        match (kind.as_str(), &mut self.list) {
            ("BOOKMARK", list @ Some(_)) => {
                let meta = &object["metadata"];
                if meta["annotations"][LIST_END] == "true" {
                    let version = meta["resourceVersion"].as_str().unwrap_or_default().to_owned();
                    let items = list.take().unwrap_or_default();
                    self.writer.listed(&self.target, of.clone(), version.clone(), items, false);
                    self.writer.watched(&of, &version);
                }
            }
            ("ADDED", Some(list)) => list.push(object),
            ("ADDED" | "MODIFIED" | "DELETED", _) => self.writer.event(&self.target, of, kind, object),
            _ => {}
        }
    }
}

/// The body of a watch. An event is recorded before the client gets it.
struct Tapped {
    body: Body,
    watch: Watch,
}

impl http_body::Body for Tapped {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            this.watch.data(data);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }
}

/// Removes the versions that are known already. The others are known from here on.
pub(super) fn news(known: &mut BTreeMap<String, String>, versions: &mut Versions) {
    versions.retain(|of, version| known.get(of) != Some(version));
    for (of, version) in versions.iter() {
        known.insert(of.clone(), version.clone());
    }
}
