//! The kubelet of a node: its address, and the paths of its streams and logs.

use client_rs_machinery::{ApiError, ErrorStatus, Unstructured};

use super::backend::bracketed;
use super::with_query;
use crate::http::{Api, Query};
use crate::outbound::Named;
use crate::request::Target;

/// The label of nodes that `client_rs_workloads` simulates. Neither they nor their pods have an address.
const PLAYED: &str = "client-rs.dev/played";

impl Api {
    /// The URL of the kubelet of a pod's node; `None` if the node has none. `what` names the feature in errors.
    pub(super) fn kubelet_of(&self, pod: &Unstructured, what: &str) -> Result<Option<String>, ApiError> {
        let node = host_of(pod);
        if node.is_empty() {
            return Err(ApiError::bad_request(format!("pod {} does not have a host assigned", pod.name())));
        }
        let address = self.kubelet_address(node, what)?;
        Ok(address.map(|(address, port)| format!("https://{address}:{port}")))
    }

    /// The address of a node's kubelet, from the node's status. It is an error if the node is simulated, or if the
    /// address must not be dialled.
    pub(super) fn kubelet_address(&self, name: &str, what: &str) -> Result<Option<(String, i64)>, ApiError> {
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
        // Port 0 in the status of a node means that it has no kubelet.
        let (Some(address), Some(port @ 1..)) = (address, port) else { return Ok(None) };
        self.outbound.check_host(address, Named::ByObject).map_err(ApiError::bad_request)?;
        Ok(Some((bracketed(address), port)))
    }

    /// Refuses a pod on a simulated node.
    pub(super) fn check_not_played(&self, pod: &Unstructured, what: &str) -> Result<(), ApiError> {
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
}

/// The node of a pod; empty if it is not scheduled.
pub(super) fn host_of(pod: &Unstructured) -> &str {
    pod.nested_str(&["spec", "nodeName"]).ok().flatten().unwrap_or_default()
}

/// 501 for requests that need a real node.
fn played(node: &str, what: &str) -> ApiError {
    let message = format!(
        "node {node:?} is simulated: no kubelet and no container runs there, so {what} is not available"
    );
    ApiError::new(ErrorStatus { code: 501, message: message.into(), ..ErrorStatus::default() })
}

/// The kubelet's path for a stream or a log of a pod.
pub(super) fn stream_path(
    pod: &Unstructured,
    target: &Target<'_>,
    query: &Query,
) -> Result<String, ApiError> {
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

/// The container of a request: the requested one, or the only one of the pod.
pub(in crate::http) fn container(pod: &Unstructured, asked: &str) -> Result<String, ApiError> {
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
