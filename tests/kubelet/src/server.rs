//! HTTPS, and what each path leads to.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, PoisonError};

use anyhow::{Context, Result};
use bytes::Bytes;
use client_rs_streams::spdy::Session;
use client_rs_streams::upgrade::{self, Asked};
use client_rs_streams::websocket::Tunnel;
use client_rs_streams::{Mux, MuxOptions, Role};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::exec::{self, Run};
use super::{Shared, logs, ports};

pub(super) type Body = UnsyncBoxBody<Bytes, Infallible>;
pub(super) type Params = Vec<(String, String)>;

pub(super) async fn start(shared: Arc<Shared>) -> Result<(u16, JoinHandle<()>)> {
    let key = rcgen::KeyPair::generate()?;
    let certificate = rcgen::CertificateParams::new(vec!["localhost".to_owned()])?.self_signed(&key)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)?;
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))).await.context("a port")?;
    let port = listener.local_addr()?.port();
    let serving = tokio::spawn(async move {
        // Dropped with this task, and the connections with it.
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    let Ok((stream, _)) = accepted else { continue };
                    let _ = stream.set_nodelay(true);
                    let (acceptor, shared) = (acceptor.clone(), Arc::clone(&shared));
                    connections.spawn(async move {
                        let Ok(stream) = acceptor.accept(stream).await else { return };
                        let service = service_fn(move |request| {
                            let shared = Arc::clone(&shared);
                            async move { Ok::<_, Infallible>(answer(&shared, request)) }
                        });
                        let serving = hyper::server::conn::http1::Builder::new()
                            .serve_connection(TokioIo::new(stream), service)
                            .with_upgrades();
                        // A client that disconnects is not an error.
                        let _ = serving.await;
                    });
                }
                Some(_) = connections.join_next() => {}
            }
        }
    });
    Ok((port, serving))
}

fn answer(shared: &Arc<Shared>, request: Request<Incoming>) -> Response<Body> {
    let uri = request.uri().clone();
    let query = uri.query().unwrap_or_default().as_bytes();
    let params: Params = form_urlencoded::parse(query).into_owned().collect();
    let protocol = request.headers().get("upgrade").and_then(|value| value.to_str().ok()).unwrap_or("-");
    let line = format!("{} {} {protocol}", request.method(), uri.path());
    shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    let segments: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
    match segments.as_slice() {
        ["healthz"] => text(StatusCode::OK, "ok"),
        ["containerLogs", namespace, pod, container] => {
            logs::answer(&shared.log_of(namespace, pod, container), &params)
        }
        ["exec" | "attach", namespace, pod, container] => {
            let folder = match shared.container(namespace, pod, container) {
                Ok(folder) => folder,
                Err(error) => return text(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
            };
            let run = Run::new(&params, folder, segments[0] == "attach");
            exec_answer(shared, request, run)
        }
        ["portForward", _, _] => forward_answer(shared, request),
        _ => text(StatusCode::NOT_FOUND, "404 page not found\n"),
    }
}

fn exec_answer(shared: &Shared, mut request: Request<Incoming>, run: Run) -> Response<Body> {
    let supported = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
    let (asked, headers, protocol) = match agree(shared, request.headers(), &supported) {
        Ok(agreed) => agreed,
        Err(refusal) => return *refusal,
    };
    let upgrading = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let Ok(upgraded) = upgrading.await else { return };
        exec::serve(TokioIo::new(upgraded), asked, &protocol, run).await;
    });
    switching(headers)
}

fn forward_answer(shared: &Shared, mut request: Request<Incoming>) -> Response<Body> {
    let supported = ["portforward.k8s.io", "SPDY/3.1+portforward.k8s.io"];
    let (asked, headers, _) = match agree(shared, request.headers(), &supported) {
        Ok(agreed) => agreed,
        Err(refusal) => return *refusal,
    };
    let upgrading = hyper::upgrade::on(&mut request);
    let mut cuts = shared.cuts.subscribe();
    tokio::spawn(async move {
        let Ok(upgraded) = upgrading.await else { return };
        let (io, session) = (TokioIo::new(upgraded), Session::new(Role::Server));
        let options = MuxOptions::default();
        let mux = match asked {
            Asked::Spdy => Mux::spdy(io, session, options),
            Asked::WebSocket => Mux::spdy(Tunnel::new(io, Role::Server), session, options),
        };
        tokio::select! {
            () = ports::serve(mux) => {}
            _ = cuts.changed() => {}
        }
    });
    switching(headers)
}

fn agree(
    shared: &Shared,
    headers: &HeaderMap,
    supported: &[&str],
) -> Result<(Asked, HeaderMap, String), Box<Response<Body>>> {
    let Some(asked) = upgrade::asked(headers) else {
        return Err(Box::new(text(StatusCode::BAD_REQUEST, "unable to upgrade: no upgrade was asked for")));
    };
    let takes = match asked {
        Asked::WebSocket => shared.options.takes_websocket,
        Asked::Spdy => shared.options.takes_spdy,
    };
    if !takes {
        return Err(Box::new(text(StatusCode::FORBIDDEN, "")));
    }
    match upgrade::answer(headers, supported) {
        Ok((headers, protocol)) => Ok((asked, headers, protocol)),
        Err(error) => Err(Box::new(text(StatusCode::FORBIDDEN, &error.to_string()))),
    }
}

fn switching(headers: HeaderMap) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::new()).boxed_unsync());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    *response.headers_mut() = headers;
    response
}

pub(super) fn text(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())).boxed_unsync());
    *response.status_mut() = status;
    response
}
