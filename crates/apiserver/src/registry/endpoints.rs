//! Resolves services to addresses.

use std::net::{IpAddr, SocketAddr};

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{Json, Unstructured};

use super::{ListRequest, Registry, Selection};

impl Registry {
    /// The external name of a service.
    pub(crate) fn external_name(&self, namespace: &str, name: &str) -> Option<String> {
        let services = self.catalog().find("", "v1", "services")?;
        let service = self.find(&services, namespace, name)?.stored;
        let text = |field: &str| service.object.nested_str(&["spec", field]).ok().flatten();
        (text("type") == Some("ExternalName")).then(|| text("externalName").unwrap_or_default().to_owned())
    }

    /// An address behind a port of a service: from its endpoint slices, its endpoints, or the pods that it selects.
    /// The error has the real server's text.
    pub(crate) fn endpoint(&self, namespace: &str, name: &str, port: u16) -> Result<SocketAddr, String> {
        let missing = || format!("service {name:?} not found");
        let services = self.catalog().find("", "v1", "services").ok_or_else(missing)?;
        let service = self.find(&services, namespace, name).ok_or_else(missing)?.stored;
        let ports = service.object.nested_slice(&["spec", "ports"]).ok().flatten().unwrap_or_default();
        let wanted = ports.iter().find(|known| known["port"].as_i64() == Some(port.into()));
        let wanted = wanted.ok_or_else(|| format!("no service port {port} found for service {name:?}"))?;
        let found = self
            .of_slices(namespace, name, wanted)
            .or_else(|| self.of_endpoints(namespace, name, wanted))
            .or_else(|| self.of_pods(&service.object, wanted));
        found.ok_or_else(|| format!("no endpoints available for service {name:?}"))
    }

    fn of_slices(&self, namespace: &str, name: &str, wanted: &Json) -> Option<SocketAddr> {
        let slices = self.in_namespace("discovery.k8s.io", "endpointslices", namespace);
        let mut own = slices.iter().filter(|slice| slice.label("kubernetes.io/service-name") == Some(name));
        own.find_map(|slice| {
            let port = port_named(slice.object.get("ports")?, wanted)?;
            let ready = |endpoint: &&Json| endpoint["conditions"]["ready"].as_bool() != Some(false);
            let endpoint = slice.object.get("endpoints")?.as_list()?.iter().find(ready)?;
            Some(SocketAddr::new(address(&endpoint["addresses"][0])?, port))
        })
    }

    fn of_endpoints(&self, namespace: &str, name: &str, wanted: &Json) -> Option<SocketAddr> {
        let endpoints = self.in_namespace("", "endpoints", namespace);
        let own = endpoints.iter().find(|endpoints| endpoints.name() == name)?;
        own.object.get("subsets")?.as_list()?.iter().find_map(|subset| {
            let port = port_named(&subset["ports"], wanted)?;
            Some(SocketAddr::new(address(&subset["addresses"][0]["ip"])?, port))
        })
    }

    fn of_pods(&self, service: &Unstructured, wanted: &Json) -> Option<SocketAddr> {
        let selector = service.nested(&["spec", "selector"]).ok()??.as_map()?;
        let pairs = selector.iter().map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()));
        let selector = Selector::from_set(pairs).ok().filter(|selector| !selector.is_everything())?;
        self.in_namespace("", "pods", service.namespace()).iter().find_map(|pod| {
            if !selector.matches(&labels::from_fn(|key| pod.label(key))) {
                return None;
            }
            let ip = pod.nested(&["status", "podIP"]).ok()??;
            Some(SocketAddr::new(address(ip)?, target_port(pod, wanted)?))
        })
    }

    fn in_namespace(&self, group: &str, plural: &str, namespace: &str) -> Vec<Unstructured> {
        let everything = Selection::default();
        let listing = self
            .catalog()
            .find(group, "v1", plural)
            .and_then(|served| self.list(&served, &ListRequest::all(namespace, &everything)).ok());
        listing.map(|found| found.items.iter().map(|item| item.object.clone()).collect()).unwrap_or_default()
    }
}

/// The port of endpoints with the name of a service port.
fn port_named(ports: &Json, wanted: &Json) -> Option<u16> {
    let name = |port: &Json| port["name"].as_str().unwrap_or_default().to_owned();
    let port = ports.as_list()?.iter().find(|port| name(port) == name(wanted))?;
    u16::try_from(port["port"].as_i64()?).ok()
}

/// The port of a pod that a service port maps to.
fn target_port(pod: &Unstructured, wanted: &Json) -> Option<u16> {
    let number =
        |value: &Json| value.as_i64().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
    match wanted["targetPort"].as_str() {
        None => number(&wanted["targetPort"]).or_else(|| number(&wanted["port"])),
        Some(name) => {
            let containers = pod.nested_slice(&["spec", "containers"]).ok().flatten()?;
            let ports = containers.iter().filter_map(|container| container["ports"].as_list()).flatten();
            ports
                .into_iter()
                .find(|port| port["name"].as_str() == Some(name))
                .and_then(|port| number(&port["containerPort"]))
        }
    }
}

fn address(text: &Json) -> Option<IpAddr> {
    text.as_str()?.parse().ok()
}
