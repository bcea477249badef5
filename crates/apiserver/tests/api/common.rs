//! A plain HTTP client over an in-memory connection, without any Kubernetes logic.

use bytes::Bytes;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_machinery::Json;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;

pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Json {
        Json::parse(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }
}

pub(crate) struct Client {
    sender: SendRequest<Full<Bytes>>,
}

/// A server without a listener.
pub(crate) async fn server() -> Server {
    Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap()
}

impl Client {
    pub(crate) async fn new(server: &Server) -> Self {
        Self::over(server.connect()).await
    }

    pub(crate) async fn over<S>(stream: S) -> Self
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(async move {
            let _ = connection.await;
        });
        Self { sender }
    }

    pub(crate) async fn open(
        &mut self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> http::Response<Incoming> {
        let mut request = Request::builder().method(method).uri(uri).header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).unwrap();
        self.sender.ready().await.unwrap();
        self.sender.send_request(request).await.unwrap()
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let (parts, body) = self.open(method, uri, headers, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { code: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(crate) async fn get(&mut self, uri: &str) -> Answer {
        self.send("GET", uri, &[], b"").await
    }

    pub(crate) async fn post(&mut self, uri: &str, object: &Json) -> Answer {
        self.send("POST", uri, &[("content-type", "application/json")], &object.to_vec()).await
    }

    pub(crate) async fn put(&mut self, uri: &str, object: &Json) -> Answer {
        self.send("PUT", uri, &[("content-type", "application/json")], &object.to_vec()).await
    }

    pub(crate) async fn patch(&mut self, uri: &str, kind: &str, patch: &[u8]) -> Answer {
        let media_type = format!("application/{kind}");
        self.send("PATCH", uri, &[("content-type", &media_type)], patch).await
    }

    pub(crate) async fn delete(&mut self, uri: &str) -> Answer {
        self.send("DELETE", uri, &[], b"").await
    }
}
