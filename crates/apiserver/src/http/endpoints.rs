//! Resolves a service to the address of an endpoint.
//!
//! As in the real server: a random ready endpoint from the `EndpointSlice`s of the service, whose pod exists and
//! has the address. Because nothing has to write slices for this server, there are two fallbacks. A service without
//! slices is resolved through its `Endpoints`, and one that has neither through its selector to ready pods.

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ApiError, Json, Unstructured};

use super::Api;
use crate::registry::{ListRequest, Selection};

/// The label with the name of a slice's service.
const SERVICE_NAME: &str = "kubernetes.io/service-name";

impl Api {
    /// Address and port of an endpoint; `port` is a service port's number or name.
    pub(super) fn endpoint(
        &self,
        namespace: &str,
        service: &str,
        port: &str,
    ) -> Result<(String, i64), ApiError> {
        let none =
            || ApiError::service_unavailable(format!("no endpoints available for service {service:?}"));
        let services = self.registry.catalog().find("", "v1", "services").ok_or_else(none)?;
        let found = self.registry.get(&services, namespace, service);
        let mut name = port;
        if let Ok(number) = port.parse::<i64>() {
            let found = &found.as_ref().map_err(Clone::clone)?.stored.object;
            let declared = ports(found).iter().find(|declared| declared["port"].as_i64() == Some(number));
            let Some(declared) = declared else {
                let why = format!("no service port {number} found for service {service:?}");
                return Err(ApiError::service_unavailable(why));
            };
            name = declared["name"].as_str().unwrap_or_default();
        }
        let all = self.sliced(namespace, service, name).or_else(|| self.listed(namespace, service, name));
        let mut all = match (all, &found) {
            (Some(all), _) => all,
            (None, Ok(service)) => self.selected(namespace, &service.stored.object, name),
            (None, Err(_)) => Vec::new(),
        };
        if all.is_empty() {
            return Err(none());
        }
        Ok(all.swap_remove(fastrand::usize(..all.len())))
    }

    /// The endpoints of the service's slices; `None` if it has no slices.
    fn sliced(&self, namespace: &str, service: &str, port: &str) -> Option<Vec<(String, i64)>> {
        let served = self.registry.catalog().find("discovery.k8s.io", "v1", "endpointslices")?;
        let selection = Selection::parse(&served, &format!("{SERVICE_NAME}={service}"), "").ok()?;
        let slices = self.registry.list(&served, &ListRequest::all(namespace, &selection)).ok()?.items;
        if slices.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for slice in &slices {
            let Some(number) = port_of(slice.object.nested_slice(&["ports"]).ok().flatten(), port) else {
                continue;
            };
            let endpoints = slice.object.nested_slice(&["endpoints"]).ok().flatten().unwrap_or_default();
            for endpoint in endpoints {
                let address = endpoint["addresses"].as_list().and_then(|list| list.first()?.as_str());
                if let Some(address) = address
                    && endpoint["conditions"]["ready"].as_bool() != Some(false)
                    && self.is_pods(namespace, &endpoint["targetRef"], address)
                {
                    all.push((address.to_owned(), number));
                }
            }
        }
        Some(all)
    }

    /// The addresses of the service's `Endpoints`; `None` if it has none.
    fn listed(&self, namespace: &str, service: &str, port: &str) -> Option<Vec<(String, i64)>> {
        let served = self.registry.catalog().find("", "v1", "endpoints")?;
        let endpoints = self.registry.get(&served, namespace, service).ok()?.stored;
        let mut all = Vec::new();
        for subset in endpoints.object.nested_slice(&["subsets"]).ok().flatten().unwrap_or_default() {
            let Some(number) = port_of(subset["ports"].as_list().map(|ports| &**ports), port) else {
                continue;
            };
            for address in subset["addresses"].as_list().into_iter().flatten() {
                if let Some(ip) = address["ip"].as_str()
                    && self.is_pods(namespace, &address["targetRef"], ip)
                {
                    all.push((ip.to_owned(), number));
                }
            }
        }
        Some(all)
    }

    /// The ready pods that match the service's selector.
    fn selected(&self, namespace: &str, service: &Unstructured, port: &str) -> Vec<(String, i64)> {
        let pairs = service.nested_str_map(&["spec", "selector"]).ok().flatten().unwrap_or_default();
        let declared = ports(service).iter();
        let declared =
            declared.clone().find(|declared| declared["name"].as_str().unwrap_or_default() == port);
        let (Some(declared), Some(pods), false) =
            (declared, self.registry.catalog().find("", "v1", "pods"), pairs.is_empty())
        else {
            return Vec::new();
        };
        let pairs = pairs.iter().map(|(key, value)| (key.to_string(), value.to_string()));
        let expressions = std::iter::empty::<(String, String, Vec<String>)>();
        let labels = Selector::from_label_selector(pairs, expressions);
        let labels = labels.map(|selector| selector.to_string()).unwrap_or_default();
        let Ok(selection) = Selection::parse(&pods, &labels, "") else { return Vec::new() };
        let Ok(found) = self.registry.list(&pods, &ListRequest::all(namespace, &selection)) else {
            return Vec::new();
        };
        let ready = found.items.iter().map(|pod| &pod.object).filter(|pod| is_ready(pod));
        ready.filter_map(|pod| Some((pod_ip(pod)?.to_owned(), target_port(declared, pod)?))).collect()
    }

    /// Whether an address belongs to the pod that it refers to.
    fn is_pods(&self, namespace: &str, reference: &Json, address: &str) -> bool {
        let (Some(name), Some(pods)) =
            (reference["name"].as_str(), self.registry.catalog().find("", "v1", "pods"))
        else {
            return false;
        };
        let Ok(pod) = self.registry.get(&pods, namespace, name) else { return false };
        let ips = pod.stored.object.nested_slice(&["status", "podIPs"]).ok().flatten().unwrap_or_default();
        reference["namespace"].as_str() == Some(namespace)
            && ips.iter().any(|ip| ip["ip"].as_str() == Some(address))
    }
}

fn ports(service: &Unstructured) -> &[Json] {
    service.nested_slice(&["spec", "ports"]).ok().flatten().unwrap_or_default()
}

/// The number of a named port.
fn port_of(ports: Option<&[Json]>, name: &str) -> Option<i64> {
    let mut ports = ports?.iter();
    ports.find(|port| port["name"].as_str().unwrap_or_default() == name)?["port"].as_i64()
}

fn is_ready(pod: &Unstructured) -> bool {
    let conditions = pod.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let leaves = pod.nested(&["metadata", "deletionTimestamp"]).ok().flatten().is_some();
    !leaves
        && conditions.iter().any(|condition| {
            condition["type"].as_str() == Some("Ready") && condition["status"].as_str() == Some("True")
        })
}

fn pod_ip(pod: &Unstructured) -> Option<&str> {
    pod.nested_str(&["status", "podIP"]).ok()?.filter(|ip| !ip.is_empty())
}

/// The port of a pod that a service port maps to.
fn target_port(declared: &Json, pod: &Unstructured) -> Option<i64> {
    let target = &declared["targetPort"];
    if let Some(name) = target.as_str().filter(|name| !name.is_empty()) {
        let containers = pod.nested_slice(&["spec", "containers"]).ok()??;
        let mut ports = containers.iter().filter_map(|container| container["ports"].as_list()).flatten();
        return ports.find(|port| port["name"].as_str() == Some(name))?["containerPort"].as_i64();
    }
    target.as_i64().filter(|number| *number != 0).or_else(|| declared["port"].as_i64())
}
