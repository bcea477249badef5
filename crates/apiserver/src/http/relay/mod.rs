//! Proxied requests: those that end at a node, a pod or behind a service. Requests and responses are streamed.
//!
//! A node has a kubelet if its status has one (`daemonEndpoints`). The kubelet's certificate is not verified, as in
//! a real cluster without a configured kubelet authority. Only addresses of registered nodes, pods and services are
//! dialled, and never those of simulated nodes.

mod backend;
mod connect;
mod headers;
mod kubelet;

use std::sync::{Arc, PoisonError};

use client_rs_machinery::ApiError;
use client_rs_transport::Config;
use client_rs_transport::http::{
    Body as TransportBody, Dial, ProxyEnv, Transport, TransportOptions, upgraded,
};
use http::{Request, Response, StatusCode, Uri, header};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use tower::ServiceExt;

use super::reply::{Body, BrokenOff};
use super::{Api, ConnectionPermit, Query, not_implemented};
use crate::kinds::{ConnectTo, Serves};
use crate::registry::internal;
use crate::request::Target;

pub(super) use kubelet::container;

/// The destination of a proxied request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `https://host:port`.
    origin: String,
    /// The path and query at the destination.
    path: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// The connection must be upgraded from HTTP.
    Streams,
    /// A log of the kubelet, which is returned unchanged.
    Log,
    /// HTTP. The prefix is the part of the path before the backend's own.
    Proxy { prefix: String },
}

impl Api {
    /// The destination of a request; `None` if this server handles it.
    pub(super) fn relayed(
        &self,
        target: &Target<'_>,
        uri: &Uri,
        query: &Query,
    ) -> Option<Result<Place, ApiError>> {
        let served = self.registry.catalog().find(target.group, target.version, target.resource)?;
        if target.name.is_empty() {
            return None;
        }
        let Some(Serves::Connect(connect)) =
            served.rules.subresource(target.subresource).map(|sub| sub.serves)
        else {
            return None;
        };
        match connect.to {
            ConnectTo::Streams => {
                Some(self.registry.get(&served, target.namespace, target.name).and_then(|pod| {
                    let what = format!("pods/{}", target.subresource);
                    let kubelet = self.kubelet_of(&pod.stored.object, &what)?;
                    let origin = kubelet.ok_or_else(|| not_implemented(&what))?;
                    let path = kubelet::stream_path(&pod.stored.object, target, query)?;
                    Ok(Place { origin, path, kind: Kind::Streams })
                }))
            }
            ConnectTo::Log => {
                // Without a kubelet, this server responds itself.
                let pod = self.registry.get(&served, target.namespace, target.name).ok()?.stored;
                if kubelet::host_of(&pod.object).is_empty() {
                    return None;
                }
                let origin = match self.kubelet_of(&pod.object, "pods/log") {
                    Ok(origin) => origin?,
                    Err(error) => return Some(Err(error)),
                };
                let path = kubelet::stream_path(&pod.object, target, query);
                Some(path.map(|path| Place { origin, path, kind: Kind::Log }))
            }
            to => Some(self.backend(&served, to, target).map(|origin| backend::proxied(origin, target, uri))),
        }
    }

    /// Forwards a request and returns the response. Both are streamed. After an upgrade it copies bytes in both
    /// directions.
    pub(super) async fn relay(
        &self,
        place: Place,
        parts: http::request::Parts,
        body: TransportBody,
    ) -> Result<Response<Body>, ApiError> {
        let upgrade = parts.headers.contains_key(header::UPGRADE);
        if place.kind == Kind::Streams && !upgrade {
            return Err(ApiError::bad_request("Upgrade request required"));
        }
        if let Some(there) = place.root_of(&parts, upgrade) {
            let mut response = Response::new(empty());
            *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
            response.headers_mut().insert(header::LOCATION, there);
            return Ok(response);
        }
        let mut request = Request::new(body);
        *request.method_mut() = parts.method.clone();
        let uri = format!("{}{}", place.origin, place.path);
        *request.uri_mut() = uri.parse().map_err(|_| ApiError::bad_request("the path is malformed"))?;
        *request.headers_mut() = place.asked(&parts.headers, upgrade);
        let unreachable = |error: &dyn std::fmt::Display| match place.kind {
            Kind::Proxy { .. } if !upgrade => {
                ApiError::service_unavailable(format!("error trying to reach service: {error}"))
            }
            _ => internal(format!("error dialing backend: {error}")),
        };
        let dial = self.outbound.to_objects();
        let transport = transport(&place.origin, dial).map_err(|error| unreachable(&error))?;
        let answer = transport.clone().oneshot(request).await.map_err(|error| unreachable(&error))?;
        if upgrade && answer.status() != StatusCode::SWITCHING_PROTOCOLS && answer.status().as_u16() < 400 {
            let status = answer.status().as_u16();
            return Err(internal(format!("invalid upgrade response: status code {status}")));
        }
        let headers = place.answered(answer.headers(), answer.status());
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            let (told, body) = answer.into_parts();
            let mut response = Response::new(body.map_err(|_| BrokenOff).boxed_unsync());
            (*response.status_mut(), *response.headers_mut()) = (told.status, headers);
            return Ok(response);
        }
        let held = parts.extensions.get::<ConnectionPermit>().cloned();
        let near = hyper::upgrade::on(Request::from_parts(parts, ()));
        let task = async move {
            let _held = held;
            let (near, far) = tokio::join!(near, upgraded(answer, transport.target()));
            if let (Ok(near), Ok(mut far)) = (near, far) {
                // When one side closes the connection, it is closed for the other too.
                let _ =
                    tokio::io::copy_bidirectional_with_sizes(&mut TokioIo::new(near), &mut far, 65536, 65536)
                        .await;
            }
        };
        let mut relays = self.relays.lock().unwrap_or_else(PoisonError::into_inner);
        while relays.try_join_next().is_some() {}
        relays.spawn(task);
        let mut response = Response::new(empty());
        (*response.status_mut(), *response.headers_mut()) = (StatusCode::SWITCHING_PROTOCOLS, headers);
        Ok(response)
    }
}

fn empty() -> Body {
    http_body_util::Empty::new().map_err(|never| match never {}).boxed_unsync()
}

fn transport(
    origin: &str,
    dial: Arc<dyn Dial>,
) -> Result<Transport, Box<dyn std::error::Error + Send + Sync>> {
    let mut config = Config::new(origin.parse()?);
    config.tls.insecure_skip_verify = origin.starts_with("https://");
    config.disable_compression = true;
    let options = TransportOptions::default().with_proxies(ProxyEnv::default()).with_dial(dial);
    Ok(Transport::from_config_with(&config, options)?)
}

fn with_query(path: String, query: &str) -> String {
    if query.is_empty() { path } else { format!("{path}?{query}") }
}
