//! Requests that end at a node, a pod or behind a service: this server only passes them on, as they arrive.
//!
//! A node has a kubelet where its status says so (`daemonEndpoints`). As with a real cluster that was given no authority
//! for kubelets, its certificate is not looked at. Nothing is dialled that no registered node, pod or service names, and
//! nothing for a node that is only played.

use std::sync::{Arc, PoisonError};

use client_rs_machinery::{ApiError, ErrorStatus, Json, Unstructured, json};
use client_rs_transport::Config;
use client_rs_transport::http::{
    Body as TransportBody, Dial, ProxyEnv, Transport, TransportOptions, upgraded,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tower::ServiceExt;

use super::ConnectionPermit;
use super::reply::{Body, BrokenOff};
use super::{Api, Query, not_implemented, percent_decoded};
use crate::admission::Session;
use crate::kinds::ConnectTo;
use crate::outbound::Named;
use crate::registry::internal;
use crate::registry::{Admission, Operation, Served, Subject};
use crate::request::Target;

/// The label of nodes that `client_rs_cli::workloads` plays: neither they nor their pods are anywhere.
const PLAYED: &str = "client-rs.dev/played";

/// Where a request goes on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `https://host:port`.
    origin: String,
    /// Path and query there.
    path: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// It must become something else than HTTP.
    Streams,
    /// An answer of the kubelet's, which is passed back as it is.
    Log,
    /// HTTP: the path before the backend's own.
    Proxy { prefix: String },
}

impl Api {
    /// Where a request goes on, if it does not end here.
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
        match served.rules.connect(target.subresource)?.to {
            ConnectTo::Streams => {
                Some(self.registry.get(&served, target.namespace, target.name).and_then(|pod| {
                    let what = format!("pods/{}", target.subresource);
                    let kubelet = self.kubelet_of(&pod.stored.object, &what)?;
                    let origin = kubelet.ok_or_else(|| not_implemented(&what))?;
                    let path = stream_path(&pod.stored.object, target, query)?;
                    Ok(Place { origin, path, kind: Kind::Streams })
                }))
            }
            ConnectTo::Log => {
                // Without a kubelet there is nothing to be told, and that is told here.
                let pod = self.registry.get(&served, target.namespace, target.name).ok()?.stored;
                if host_of(&pod.object).is_empty() {
                    return None;
                }
                let origin = match self.kubelet_of(&pod.object, "pods/log") {
                    Ok(origin) => origin?,
                    Err(error) => return Some(Err(error)),
                };
                let path = stream_path(&pod.object, target, query);
                Some(path.map(|path| Place { origin, path, kind: Kind::Log }))
            }
            to => Some(self.backend(&served, to, target).map(|origin| proxied(origin, target, uri))),
        }
    }

    /// Asks webhooks whether a connection may be made. They can refuse it; what they change of it counts for nothing.
    pub(super) fn admit_connection(
        &self,
        target: &Target<'_>,
        query: &Query,
        session: &Session,
    ) -> Result<(), ApiError> {
        let found = self.registry.catalog().find(target.group, target.version, target.resource);
        let Some(served) = found else { return Ok(()) };
        let connect = served.rules.connect(target.subresource);
        let Some(kind) = connect.and_then(|connect| connect.options) else { return Ok(()) };
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

    /// The URL of the kubelet of a pod's node, if it has one; for `what`.
    fn kubelet_of(&self, pod: &Unstructured, what: &str) -> Result<Option<String>, ApiError> {
        let node = host_of(pod);
        if node.is_empty() {
            return Err(ApiError::bad_request(format!("pod {} does not have a host assigned", pod.name())));
        }
        let address = self.kubelet_address(node, what)?;
        Ok(address.map(|(address, port)| format!("https://{address}:{port}")))
    }

    /// Where a node says that its kubelet listens. An error for a node that is played, and for an address that must not
    /// be dialled.
    fn kubelet_address(&self, name: &str, what: &str) -> Result<Option<(String, i64)>, ApiError> {
        let Some(nodes) = self.registry.catalog().find("", "v1", "nodes") else { return Ok(None) };
        let Ok(node) = self.registry.get(&nodes, "", name) else { return Ok(None) };
        let node = &node.stored.object;
        if node.label(PLAYED).is_some() {
            return Err(played(name, what));
        }
        let port = node.nested_i64(&["status", "daemonEndpoints", "kubeletEndpoint", "Port"]).ok().flatten();
        let addresses = node.nested_slice(&["status", "addresses"]).ok().flatten().unwrap_or_default();
        let internal = addresses.iter().find(|address| address["type"].as_str() == Some("InternalIP"));
        let address = internal.or_else(|| addresses.first()).and_then(|address| address["address"].as_str());
        // A port of zero is how a node says that it has none.
        let (Some(address), Some(port @ 1..)) = (address, port) else { return Ok(None) };
        self.outbound.check_host(address, Named::ByObject).map_err(ApiError::bad_request)?;
        Ok(Some((bracketed(address), port)))
    }

    /// Refuses a pod of a played node.
    fn check_not_played(&self, pod: &Unstructured, what: &str) -> Result<(), ApiError> {
        let node = host_of(pod);
        let nodes = self.registry.catalog().find("", "v1", "nodes");
        let node =
            nodes.filter(|_| !node.is_empty()).and_then(|nodes| self.registry.get(&nodes, "", node).ok());
        match node {
            Some(node) if node.stored.object.label(PLAYED).is_some() => {
                Err(played(node.stored.object.name(), what))
            }
            _ => Ok(()),
        }
    }

    /// `scheme://host:port` of what a proxied request is for.
    fn backend(&self, served: &Served, to: ConnectTo, target: &Target<'_>) -> Result<String, ApiError> {
        let kind = target.resource.trim_end_matches('s');
        let (scheme, name, port) = proxy_name(target.name)
            .ok_or_else(|| ApiError::bad_request(format!("invalid {kind} request {:?}", target.name)))?;
        match to {
            ConnectTo::Service => {
                let (address, port) = self.endpoint(target.namespace, name, port)?;
                self.outbound.check_host(&address, Named::ByObject).map_err(ApiError::bad_request)?;
                Ok(format!("{scheme}://{}:{port}", bracketed(&address)))
            }
            ConnectTo::Pod => {
                let pod = self.registry.get(served, target.namespace, name)?.stored;
                self.check_not_played(&pod.object, "pods/proxy")?;
                let ip = pod.object.nested_str(&["status", "podIP"]).ok().flatten().unwrap_or_default();
                if ip.is_empty() {
                    return Err(ApiError::bad_request("address not allowed"));
                }
                self.outbound.check_host(ip, Named::ByObject).map_err(ApiError::bad_request)?;
                let port = match (port, first_port(&pod.object)) {
                    ("", Some(port)) => format!(":{port}"),
                    ("", None) => String::new(),
                    (port, _) => format!(":{port}"),
                };
                Ok(format!("{scheme}://{}{port}", bracketed(ip)))
            }
            _ => {
                self.registry.get(served, "", name)?;
                let kubelet = self.kubelet_address(name, "nodes/proxy")?;
                let (address, own) = kubelet.ok_or_else(|| not_implemented("nodes/proxy"))?;
                if port.is_empty() || port == own.to_string() {
                    return Ok(format!("https://{address}:{own}"));
                }
                Ok(format!("{scheme}://{address}:{port}"))
            }
        }
    }

    /// Passes a request on, and its answer back, both as they arrive; where both sides agree on it, bytes from then on.
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
        *request.uri_mut() = uri.parse().map_err(|_| ApiError::bad_request("the path is none"))?;
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
                // Whoever breaks it off breaks it for the other.
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

impl Place {
    /// Where to go instead, for a browser that asks for the backend's root without its slash: links in it are relative.
    fn root_of(&self, parts: &http::request::Parts, upgrade: bool) -> Option<HeaderValue> {
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        if upgrade || !reads || !matches!(self.kind, Kind::Proxy { .. }) || self.path.starts_with('/') {
            return None;
        }
        HeaderValue::from_str(&format!("{}/{}", parts.uri.path(), self.path)).ok()
    }

    /// The headers of a request that are for the other end, not for this hop.
    fn asked(&self, headers: &HeaderMap, upgrade: bool) -> HeaderMap {
        let mut headers = end_to_end(headers, upgrade);
        let own: Vec<HeaderName> = headers
            .keys()
            .filter(|name| name.as_str().starts_with("impersonate-"))
            .cloned()
            .chain([header::HOST, header::AUTHORIZATION])
            .collect();
        for name in own {
            headers.remove(name);
        }
        if let Kind::Proxy { prefix } = &self.kind {
            let path = self.path.split('?').next().unwrap_or_default();
            if let Ok(uri) = HeaderValue::from_str(&format!("{prefix}{path}")) {
                headers.insert("x-forwarded-uri", uri);
            }
        }
        headers
    }

    /// The headers of an answer that are for the client.
    fn answered(&self, headers: &HeaderMap, status: StatusCode) -> HeaderMap {
        let mut headers = end_to_end(headers, status == StatusCode::SWITCHING_PROTOCOLS);
        let Kind::Proxy { prefix } = &self.kind else { return headers };
        // Who may read the answer is for this server to say.
        let origins: Vec<HeaderName> =
            headers.keys().filter(|name| name.as_str().starts_with("access-control-")).cloned().collect();
        for name in origins {
            headers.remove(name);
        }
        let location = headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
        if let Some(there) = location.and_then(|location| self.rewritten(location, prefix)) {
            headers.insert(header::LOCATION, there);
        }
        headers
    }

    /// A redirection to the backend itself leads through this server.
    fn rewritten(&self, location: &str, prefix: &str) -> Option<HeaderValue> {
        let uri: Uri = location.parse().ok()?;
        let host = self.origin.split_once("://").map_or("", |(_, host)| host);
        let elsewhere = uri.authority().is_some_and(|authority| authority.as_str() != host);
        let path = uri.path_and_query()?.as_str();
        if elsewhere || !location.contains('/') || (uri.authority().is_none() && !location.starts_with('/')) {
            return None;
        }
        HeaderValue::from_str(&format!("{prefix}{path}")).ok()
    }
}

/// The headers that are not of one connection alone.
fn end_to_end(headers: &HeaderMap, upgrade: bool) -> HeaderMap {
    let named = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let named = named.flat_map(|value| value.split(',')).filter_map(|name| name.trim().parse().ok());
    let mut hop: Vec<HeaderName> = named.filter(|name| *name != header::UPGRADE).collect();
    hop.extend([
        header::TRANSFER_ENCODING,
        header::TE,
        header::TRAILER,
        header::PROXY_AUTHENTICATE,
        header::PROXY_AUTHORIZATION,
        HeaderName::from_static("keep-alive"),
        HeaderName::from_static("proxy-connection"),
    ]);
    if !upgrade {
        hop.extend([header::CONNECTION, header::UPGRADE]);
    }
    let mut headers = headers.clone();
    for name in hop {
        headers.remove(name);
    }
    headers
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

/// The node that a pod is on; empty for none.
fn host_of(pod: &Unstructured) -> &str {
    pod.nested_str(&["spec", "nodeName"]).ok().flatten().unwrap_or_default()
}

/// 501 for what only a node could answer that is there.
fn played(node: &str, what: &str) -> ApiError {
    let message =
        format!("node {node:?} is played: no kubelet and no container runs there, so {what} is not served");
    ApiError::new(ErrorStatus { code: 501, message: message.into(), ..ErrorStatus::default() })
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
fn proxy_name(name: &str) -> Option<(&str, &str, &str)> {
    let (scheme, name, port) = match *name.split(':').collect::<Vec<_>>().as_slice() {
        [name] => ("http", name, ""),
        [name, port] | ["" | "http", name, port] => ("http", name, port),
        ["https", name, port] => ("https", name, port),
        _ => return None,
    };
    (!name.is_empty()).then_some((scheme, name, port))
}

fn first_port(pod: &Unstructured) -> Option<i64> {
    let containers = pod.nested_slice(&["spec", "containers"]).ok()??;
    let mut ports = containers.iter().filter_map(|container| container["ports"].as_list()).flatten();
    ports.find_map(|port: &Json| port["containerPort"].as_i64())
}

/// A place on a backend. Its path is what comes behind `proxy`, read and written again as the real server does: an escaped
/// slash is a slash there.
fn proxied(origin: String, target: &Target<'_>, uri: &Uri) -> Place {
    /// As Go writes a path.
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~')
        .remove(b'$')
        .remove(b'&')
        .remove(b'+')
        .remove(b',')
        .remove(b'/')
        .remove(b':')
        .remove(b';')
        .remove(b'=')
        .remove(b'@');
    // `/api/v1/nodes/NAME/proxy`, or `/api/v1/namespaces/NAMESPACE/RESOURCE/NAME/proxy`.
    let segments = if target.namespace.is_empty() { 5 } else { 7 };
    let path = uri.path();
    let end = path.match_indices('/').nth(segments).map_or(path.len(), |(at, _)| at);
    let (prefix, rest) = path.split_at(end);
    let decoded = percent_decoded(rest);
    let rest = utf8_percent_encode(&decoded, ESCAPED).to_string();
    let path = with_query(rest, uri.query().unwrap_or_default());
    Place { origin, path, kind: Kind::Proxy { prefix: prefix.to_owned() } }
}

pub(super) fn bracketed(address: &str) -> String {
    if address.contains(':') { format!("[{address}]") } else { address.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Route;

    fn place(uri: &str) -> Place {
        let uri: Uri = uri.parse().unwrap();
        let path = percent_decoded(uri.path());
        let Route::Objects(target) = Route::of(&path) else { panic!("{path} is of no object") };
        proxied("http://10.0.0.1:80".to_owned(), &target, &uri)
    }

    #[test]
    fn the_path_behind_a_proxy_is_the_backends() {
        let pod = "/api/v1/namespaces/proxy-a/pods/proxy-b/proxy";
        for (uri, path) in [
            (format!("{pod}/a/b?c=d&c=%20"), "/a/b?c=d&c=%20"),
            (format!("{pod}/"), "/"),
            (format!("{pod}/proxy/"), "/proxy/"),
            (format!("{pod}/a%20b/%C3%BC!"), "/a%20b/%C3%BC%21"),
            (format!("{pod}/a%2Fb"), "/a/b"),
            ("/api/v1/nodes/n/proxy/metrics".to_owned(), "/metrics"),
        ] {
            assert_eq!(place(&uri).path, path, "{uri}");
        }
        assert_eq!(place(&format!("{pod}/x")).kind, Kind::Proxy { prefix: pod.to_owned() });
        let (parts, ()) = Request::get(format!("{pod}?x=1")).body(()).unwrap().into_parts();
        let there = place(&format!("{pod}?x=1")).root_of(&parts, false).unwrap();
        assert_eq!(there, format!("{pod}/?x=1").as_str());
    }

    #[test]
    fn a_redirection_to_the_backend_leads_through_here() {
        let place = place("/api/v1/nodes/n/proxy/a");
        for (location, expected) in [
            ("/b?c", Some("/api/v1/nodes/n/proxy/b?c")),
            ("http://10.0.0.1:80/b", Some("/api/v1/nodes/n/proxy/b")),
            ("http://example.com/b", None),
            ("b", None),
        ] {
            let there = place.rewritten(location, "/api/v1/nodes/n/proxy");
            assert_eq!(there.as_ref().map(|there| there.to_str().unwrap()), expected, "{location}");
        }
    }

    #[test]
    fn headers_of_one_connection_are_not_passed_on() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, x-mine"),
            ("x-mine", "1"),
            ("keep-alive", "1"),
            ("te", "trailers"),
            ("authorization", "Bearer secret"),
            ("impersonate-user", "me"),
            ("x-theirs", "2"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let asked = place("/api/v1/nodes/n/proxy/a").asked(&headers, false);
        let names: Vec<&str> = asked.keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["x-theirs", "x-forwarded-uri"]);
        assert_eq!(asked["x-forwarded-uri"], "/api/v1/nodes/n/proxy/a");
    }

    #[test]
    fn names_of_backends_are_read_as_the_real_server_does() {
        assert_eq!(proxy_name("a"), Some(("http", "a", "")));
        assert_eq!(proxy_name("a:b"), Some(("http", "a", "b")));
        assert_eq!(proxy_name("https:a:b"), Some(("https", "a", "b")));
        assert_eq!(proxy_name("https:a:"), Some(("https", "a", "")));
        assert_eq!(proxy_name(":a:1"), Some(("http", "a", "1")));
        for bad in ["ftp:a:1", "a:b:c:d", ":1", "http::1"] {
            assert_eq!(proxy_name(bad), None, "{bad}");
        }
    }
}
