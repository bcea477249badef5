//! Requests that end at a node or a pod: this server only passes them on.
//!
//! A node has a kubelet where its status says so (`daemonEndpoints`). As with a real cluster that was given no authority
//! for kubelets, its certificate is not looked at.

use std::sync::PoisonError;

use bytes::Bytes;
use client_rs_machinery::{ApiError, Json, Unstructured, json};
use client_rs_transport::Config;
use client_rs_transport::http::{Body as TransportBody, ProxyEnv, Transport, TransportOptions, upgraded};
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use tower::ServiceExt;

use super::path::Target;
use super::reply::{Body, BrokenOff};
use super::{Api, Query, not_implemented};
use crate::hooks::{Operation, Session, Subject};
use crate::registry::internal;

/// Where a request goes on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `https://host:port`.
    origin: String,
    path: String,
    /// Whether it must become something else than HTTP.
    upgrade: bool,
}

impl Api {
    /// Where a request goes on, if it does not end here. `path` is the whole path.
    pub(super) fn relayed(
        &self,
        target: &Target<'_>,
        path: &str,
        query: &Query,
    ) -> Option<Result<Place, ApiError>> {
        let served = self.registry.catalog().find(target.group, target.version, target.resource)?;
        if target.group.is_empty() && !target.name.is_empty() {
            return match (target.resource, target.subresource) {
                ("pods", "exec" | "attach" | "portforward") => {
                    Some(self.registry.get(&served, target.namespace, target.name).and_then(|pod| {
                        let kubelet = self.kubelet_of(&pod.stored.object)?;
                        let what = format!("pods/{}", target.subresource);
                        let origin = kubelet.ok_or_else(|| not_implemented(&what))?;
                        let path = stream_path(&pod.stored.object, target, query)?;
                        Ok(Place { origin, path, upgrade: true })
                    }))
                }
                ("pods", "log") => {
                    // Without a kubelet there is nothing to be told, and that is told here.
                    let pod = self.registry.get(&served, target.namespace, target.name).ok()?.stored;
                    let origin = self.kubelet_of(&pod.object).ok()??;
                    Some(stream_path(&pod.object, target, query).map(|path| Place {
                        origin,
                        path,
                        upgrade: false,
                    }))
                }
                ("pods", "proxy") => Some(self.pod_proxy(target, path, query)),
                ("nodes", "proxy") => Some(self.node_proxy(target, path, query)),
                _ => None,
            };
        }
        None
    }

    /// Asks webhooks whether a connection may be made. They can refuse it; what they change of it counts for nothing.
    pub(super) fn admit_connection(
        &self,
        target: &Target<'_>,
        query: &Query,
        session: &Session,
    ) -> Result<(), ApiError> {
        let kind = match (target.resource, target.subresource) {
            ("pods", "exec") => "PodExecOptions",
            ("pods", "attach") => "PodAttachOptions",
            ("pods", "portforward") => "PodPortForwardOptions",
            ("pods", "proxy") => "PodProxyOptions",
            ("nodes", "proxy") => "NodeProxyOptions",
            _ => return Ok(()),
        };
        let found = self.registry.catalog().find(target.group, target.version, target.resource);
        let Some(served) = found else { return Ok(()) };
        let mut object = json!({"apiVersion": "v1", "kind": kind});
        for flag in ["stdin", "stdout", "stderr", "tty"] {
            if query.flag(flag) == Some(true) {
                let _ = object.set(&[flag], true);
            }
        }
        for text in ["container", "path"] {
            if !query.get(text).is_empty() {
                let _ = object.set(&[text], query.get(text));
            }
        }
        let command: Vec<&str> = query.all("command").collect();
        if !command.is_empty() {
            let _ = object.set(&["command"], command);
        }
        let ports: Vec<i64> = query.all("ports").filter_map(|port| port.parse().ok()).collect();
        if !ports.is_empty() {
            let _ = object.set(&["ports"], ports);
        }
        let subject = Subject {
            served: &served,
            kind: Some(("v1", kind)),
            operation: Operation::Connect,
            namespace: target.namespace,
            dry_run: false,
            options: None,
        };
        let mut object = Unstructured::try_from(object).map_err(|_| internal("the options are none"))?;
        session.mutate(&subject, &mut object, None)?;
        session.validate(&subject, &object, None)
    }

    /// The URL of the kubelet of a pod's node, if it has one.
    fn kubelet_of(&self, pod: &Unstructured) -> Result<Option<String>, ApiError> {
        let node = pod.nested_str(&["spec", "nodeName"]).ok().flatten().unwrap_or_default();
        if node.is_empty() {
            return Err(ApiError::bad_request(format!("pod {} does not have a host assigned", pod.name())));
        }
        Ok(self.kubelet(node))
    }

    fn kubelet(&self, node: &str) -> Option<String> {
        let nodes = self.registry.catalog().find("", "v1", "nodes")?;
        let node = self.registry.get(&nodes, "", node).ok()?.stored;
        let port =
            node.object.nested_i64(&["status", "daemonEndpoints", "kubeletEndpoint", "Port"]).ok()??;
        let addresses = node.object.nested_slice(&["status", "addresses"]).ok().flatten().unwrap_or_default();
        let internal = addresses.iter().find(|address| address["type"].as_str() == Some("InternalIP"));
        let address = internal.or_else(|| addresses.first())?["address"].as_str()?;
        Some(format!("https://{}:{port}", bracketed(address)))
    }

    fn pod_proxy(&self, target: &Target<'_>, path: &str, query: &Query) -> Result<Place, ApiError> {
        let (scheme, name, port) = proxy_name(target.name);
        let pods =
            self.registry.catalog().find("", "v1", "pods").ok_or_else(|| not_implemented("pods/proxy"))?;
        let pod = self.registry.get(&pods, target.namespace, name)?.stored;
        let ip = pod.object.nested_str(&["status", "podIP"]).ok().flatten().unwrap_or_default();
        if ip.is_empty() {
            return Err(internal("address not allowed"));
        }
        let port =
            if port.is_empty() { first_port(&pod.object).unwrap_or(80).to_string() } else { port.to_owned() };
        let origin = format!("{scheme}://{}:{port}", bracketed(ip));
        Ok(Place { origin, path: proxied_path(path, query), upgrade: false })
    }

    fn node_proxy(&self, target: &Target<'_>, path: &str, query: &Query) -> Result<Place, ApiError> {
        let (_, name, _) = proxy_name(target.name);
        let nodes =
            self.registry.catalog().find("", "v1", "nodes").ok_or_else(|| not_implemented("nodes/proxy"))?;
        self.registry.get(&nodes, "", name)?;
        let origin = self.kubelet(name).ok_or_else(|| not_implemented("nodes/proxy"))?;
        Ok(Place { origin, path: proxied_path(path, query), upgrade: false })
    }

    /// Passes a request on, and its answer back; where both sides agree on it, bytes from then on.
    pub(super) async fn relay(
        &self,
        place: Place,
        parts: http::request::Parts,
        body: Bytes,
    ) -> Result<Response<Body>, ApiError> {
        let upgrade = parts.headers.contains_key(header::UPGRADE);
        if place.upgrade && !upgrade {
            return Err(ApiError::bad_request("Upgrade request required"));
        }
        let mut request = Request::new(TransportBody::from(body));
        *request.method_mut() = parts.method.clone();
        let uri = format!("{}{}", place.origin, place.path);
        *request.uri_mut() = uri.parse().map_err(|_| ApiError::bad_request("the path is none"))?;
        *request.headers_mut() = passed_on(&parts.headers, upgrade);
        let unreachable = |error: &dyn std::fmt::Display| internal(format!("error dialing backend: {error}"));
        let transport = transport(&place.origin).map_err(|error| unreachable(&error))?;
        let answer = transport.clone().oneshot(request).await.map_err(|error| unreachable(&error))?;
        let headers = passed_on(answer.headers(), upgrade);
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            let (told, body) = answer.into_parts();
            let mut response = Response::new(body.map_err(|_| BrokenOff).boxed_unsync());
            (*response.status_mut(), *response.headers_mut()) = (told.status, headers);
            return Ok(response);
        }
        let near = hyper::upgrade::on(Request::from_parts(parts, ()));
        let task = async move {
            let (near, far) = tokio::join!(near, upgraded(answer, transport.target()));
            if let (Ok(near), Ok(mut far)) = (near, far) {
                // Whoever breaks it off breaks it for the other.
                let _ =
                    tokio::io::copy_bidirectional_with_sizes(&mut TokioIo::new(near), &mut far, 65536, 65536)
                        .await;
            }
        };
        let mut relays = self.relays.lock().unwrap_or_else(PoisonError::into_inner);
        while relays.try_join_next().is_some() {}
        relays.spawn(task);
        let mut response =
            Response::new(http_body_util::Empty::new().map_err(|never| match never {}).boxed_unsync());
        (*response.status_mut(), *response.headers_mut()) = (StatusCode::SWITCHING_PROTOCOLS, headers);
        Ok(response)
    }
}

/// The headers that are for the other end, not for this hop.
fn passed_on(headers: &HeaderMap, upgrade: bool) -> HeaderMap {
    let hop = [header::TRANSFER_ENCODING, header::TE, header::TRAILER, header::HOST, header::AUTHORIZATION];
    let mut headers = headers.clone();
    for name in hop {
        headers.remove(name);
    }
    if !upgrade {
        headers.remove(header::CONNECTION);
        headers.remove(header::UPGRADE);
    }
    headers
}

fn transport(origin: &str) -> Result<Transport, Box<dyn std::error::Error + Send + Sync>> {
    let mut config = Config::new(origin.parse()?);
    config.tls.insecure_skip_verify = origin.starts_with("https://");
    config.disable_compression = true;
    let options = TransportOptions { proxies: ProxyEnv::default(), ..TransportOptions::default() };
    Ok(Transport::with_options(&config, options)?)
}

/// The kubelet's path for a stream, or a log, of a pod.
fn stream_path(pod: &Unstructured, target: &Target<'_>, query: &Query) -> Result<String, ApiError> {
    let Target { namespace, name, subresource, .. } = target;
    let mut params = form_urlencoded::Serializer::new(String::new());
    if *subresource == "portforward" {
        let ports = query.all("ports").collect::<Vec<_>>().join(",");
        if !ports.is_empty() {
            params.append_pair("port", &ports);
        }
        return Ok(with_query(format!("/portForward/{namespace}/{name}"), &params.finish()));
    }
    let container = container(pod, query.get("container"))?;
    if *subresource == "log" {
        let names = [
            "follow",
            "previous",
            "timestamps",
            "sinceSeconds",
            "sinceTime",
            "tailLines",
            "limitBytes",
            "stream",
        ];
        for name in names {
            if !query.get(name).is_empty() {
                params.append_pair(name, query.get(name));
            }
        }
        return Ok(with_query(format!("/containerLogs/{namespace}/{name}/{container}"), &params.finish()));
    }
    for (theirs, ours) in [("stdin", "input"), ("stdout", "output"), ("stderr", "error"), ("tty", "tty")] {
        if query.flag(theirs).unwrap_or(false) {
            params.append_pair(ours, "1");
        }
    }
    for word in query.all("command") {
        params.append_pair("command", word);
    }
    Ok(with_query(format!("/{subresource}/{namespace}/{name}/{container}"), &params.finish()))
}

fn with_query(path: String, query: &str) -> String {
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

/// The container that is meant.
pub(super) fn container(pod: &Unstructured, asked: &str) -> Result<String, ApiError> {
    let names = |kind: &str| {
        let containers = pod.nested_slice(&["spec", kind]).ok().flatten().unwrap_or_default();
        let names = containers.iter().filter_map(|container| container["name"].as_str()).map(str::to_owned);
        names.collect::<Vec<_>>()
    };
    let (containers, init) = (names("containers"), names("initContainers"));
    let name = pod.name();
    if let ("", [only]) = (asked, containers.as_slice()) {
        return Ok(only.clone());
    }
    if asked.is_empty() {
        let all = containers.join(" ");
        let init = if init.is_empty() {
            String::new()
        } else {
            format!(" or one of the init containers: [{}]", init.join(" "))
        };
        let why = format!("a container name must be specified for pod {name}, choose one of: [{all}]{init}");
        return Err(ApiError::bad_request(why));
    }
    if ![containers, init, names("ephemeralContainers")].concat().iter().any(|own| own == asked) {
        return Err(ApiError::bad_request(format!("container {asked} is not valid for pod {name}")));
    }
    Ok(asked.to_owned())
}

/// Scheme, name and port of what is to be reached: `name`, `name:port`, `scheme:name:port`.
fn proxy_name(name: &str) -> (&str, &str, &str) {
    match *name.split(':').collect::<Vec<_>>().as_slice() {
        [name, port] => ("http", name, port),
        [scheme, name, port] => (if scheme == "https" { "https" } else { "http" }, name, port),
        _ => ("http", name, ""),
    }
}

fn first_port(pod: &Unstructured) -> Option<i64> {
    let containers = pod.nested_slice(&["spec", "containers"]).ok()??;
    let mut ports = containers.iter().filter_map(|container| container["ports"].as_list()).flatten();
    ports.find_map(|port: &Json| port["containerPort"].as_i64())
}

/// What comes behind `proxy` in a path, with the query.
fn proxied_path(path: &str, query: &Query) -> String {
    let rest = path.split_once("/proxy").map_or("", |(_, rest)| rest);
    let rest = if rest.is_empty() { "/" } else { rest };
    with_query(rest.to_owned(), &query.encoded())
}

fn bracketed(address: &str) -> String {
    if address.contains(':') { format!("[{address}]") } else { address.to_owned() }
}
