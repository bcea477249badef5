//! The embedded API server and webhooks: requests of any content, without a socket.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_custom::webhook::{Admitted, Conversions, Denied, Hook, Review};
use client_rs_transport::http::{Body, Dial, Stream};
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full};
use tower::ServiceExt as _;

use super::{paused, sections, text};

/// So many requests of one input are sent.
const REQUESTS: usize = 4;

/// Messages of responses with status 500. The real server sends the same.
const REFUSALS: [&str; 5] = [
    "error dialing backend",
    "invalid upgrade response",
    "resourceVersion should not be set on objects to be created",
    "strconv.ParseUint",
    "without impersonating a user",
];

/// Nothing is dialled.
#[derive(Debug)]
struct Nowhere;

impl Dial for Nowhere {
    fn dial<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async { Err(io::Error::from(io::ErrorKind::ConnectionRefused)) })
    }
}

impl fmt::Display for Nowhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nowhere")
    }
}

/// Sends requests to a new server. Each is a line with method and path, lines with headers, an empty line and a body. Every request
/// is answered, an answer in JSON is JSON, and only known refusals have the status 500.
pub fn api_requests(data: &[u8]) {
    let requests: Vec<Request<Body>> = sections::<REQUESTS>(data).into_iter().filter_map(request).collect();
    if requests.is_empty() {
        return;
    }
    paused(async move {
        let options =
            ServerOptions::default().with_listen(None).with_dial(Arc::new(Nowhere) as Arc<dyn Dial>);
        let server = Server::start_with(options).await.expect("a server without a socket starts");
        let transport = server.rest_client().expect("a client").transport().clone();
        for request in requests {
            let shown = format!("{} {}", request.method(), request.uri());
            let answer =
                tokio::time::timeout(Duration::from_secs(3600), transport.clone().oneshot(request)).await;
            let answer = answer.unwrap_or_else(|_| panic!("{shown} is not answered"));
            let (head, mut body) = answer.unwrap_or_else(|error| panic!("{shown}: {error}")).into_parts();
            let mut bytes = Vec::new();
            let mut ended = false;
            // A watch lasts as long as the request asks for: the beginning is enough.
            while bytes.len() < 4 << 20 {
                match tokio::time::timeout(Duration::from_secs(5), body.frame()).await {
                    Ok(Some(frame)) => {
                        let frame = frame.unwrap_or_else(|error| panic!("{shown}: {error}"));
                        bytes.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()));
                    }
                    Ok(None) => {
                        ended = true;
                        break;
                    }
                    Err(_) => break,
                }
            }
            let kind =
                head.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
            if head.status == StatusCode::INTERNAL_SERVER_ERROR {
                let said = text(&bytes);
                assert!(REFUSALS.iter().any(|refusal| said.contains(refusal)), "{shown}: {said}");
            }
            if ended && kind == "application/json" && !shown.contains("watch") && !bytes.is_empty() {
                let read = serde_json::from_slice::<serde_json::Value>(&bytes);
                read.unwrap_or_else(|error| panic!("{shown}: {} {error}: {}", head.status, text(&bytes)));
            }
        }
        server.shutdown().await;
    });
}

fn request(part: &[u8]) -> Option<Request<Body>> {
    let end = part.windows(2).position(|window| window == b"\n\n");
    let (head, body) = match end {
        Some(end) => (&part[..end], &part[end + 2..]),
        None => (part, &[][..]),
    };
    let head = text(head);
    let mut lines = head.lines();
    let (method, path) = lines.next()?.split_once(' ')?;
    // Their hosts would be looked up.
    if path.contains("webhookconfigurations") || path.contains("apiservices") {
        return None;
    }
    let mut request = Request::new(Body::new(Full::new(Bytes::copy_from_slice(body))));
    *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
    *request.uri_mut() = path.parse::<Uri>().ok().filter(|uri| uri.path().starts_with('/'))?;
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let name = HeaderName::try_from(name.trim()).ok()?;
        request.headers_mut().append(name, HeaderValue::from_str(value.trim()).ok()?);
    }
    Some(request)
}

/// Reviews of admission and conversion are answered with JSON, or refused.
pub fn webhook(data: &[u8]) {
    let review = Bytes::copy_from_slice(data);
    let admission = Hook::admission(|review: Review<ConfigMap>| async move {
        let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
        if map.data.len() > 10 {
            return Err(Denied::because("at most ten entries"));
        }
        map.metadata.labels.insert("checked", "yes".into());
        Ok(Admitted::changed(map))
    });
    let conversion = Conversions::<ConfigMap>::hub().into_hook();
    paused(async move {
        for hook in [admission, conversion] {
            match hook.answer(review.clone()).await {
                Ok(answer) => {
                    let answer: serde_json::Value =
                        serde_json::from_slice(&answer).expect("an answer is JSON");
                    assert!(answer["response"].is_object(), "{answer}");
                }
                Err(error) => assert!(error.to_string().len() < 4096 + review.len()),
            }
        }
    });
}
