//! One `IPAddress` per allocated cluster IP, and the `ServiceCIDR` of the server's own range.
//!
//! In a real server the address is created before its service. Here it follows, before the response to the write.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Json, Unstructured, json};

use super::put;
use crate::registry::{Registry, Wrote};

const GROUP: &str = "networking.k8s.io";

/// Creates or removes the addresses of a service that was written.
pub(super) fn follow(registry: &Registry, service: &Unstructured, wrote: Wrote) {
    let ips = service.nested_slice(&["spec", "clusterIPs"]).ok().flatten().unwrap_or_default();
    let ips: Vec<&str> = ips.iter().filter_map(Json::as_str).filter(|ip| *ip != "None").collect();
    match wrote {
        // The objects of a test stay alone.
        Wrote::Fixture => {}
        Wrote::Created | Wrote::Updated => {
            for ip in &ips {
                create(registry, service, ip);
            }
            // A service that becomes an external name releases its address.
            if wrote == Wrote::Updated && ips.is_empty() {
                release(registry, service);
            }
        }
        Wrote::Deleted => {
            for ip in ips {
                remove(registry, ip);
            }
        }
    }
}

/// Creates the object of the range from which cluster IPs are allocated.
pub(super) fn create_range(registry: &Registry) {
    let Some(served) = registry.catalog().find(GROUP, "v1", "servicecidrs") else { return };
    let condition = json!({
        "type": "Ready", "status": "True", "lastTransitionTime": registry.clock().now().to_string(), "reason": "",
        "message": "Kubernetes default Service CIDR is ready",
    });
    let range = json!({
        "kind": "ServiceCIDR", "apiVersion": "networking.k8s.io/v1", "metadata": {"name": "kubernetes"},
        "spec": {"cidrs": [registry.options().service_range.to_string()]}, "status": {"conditions": [condition]},
    });
    if let Ok(range) = Unstructured::try_from(range) {
        // It can only fail because the object exists.
        let _ = registry.add_fixture(&served, range);
    }
}

fn create(registry: &Registry, service: &Unstructured, ip: &str) {
    let family = if ip.contains(':') { "IPv6" } else { "IPv4" };
    let address = json!({
        "kind": "IPAddress", "apiVersion": "networking.k8s.io/v1",
        "metadata": {
            "name": ip,
            "labels": {
                "ipaddress.kubernetes.io/ip-family": family,
                "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
            },
        },
        "spec": {"parentRef": parent(service)},
    });
    put(registry, GROUP, "ipaddresses", "", address);
}

fn parent(service: &Unstructured) -> Json {
    json!({"resource": "services", "namespace": service.namespace(), "name": service.name()})
}

fn release(registry: &Registry, service: &Unstructured) {
    let Some(served) = registry.catalog().find(GROUP, "v1", "ipaddresses") else { return };
    let parent = parent(service);
    for address in registry.all_objects(&served) {
        if address.nested(&["spec", "parentRef"]).ok().flatten() == Some(&parent) {
            remove(registry, address.name());
        }
    }
}

fn remove(registry: &Registry, ip: &str) {
    let Some(served) = registry.catalog().find(GROUP, "v1", "ipaddresses") else { return };
    // It can only fail because somebody else deleted it.
    let _ = registry.delete(&served, "", ip, &DeleteOptions::EMPTY, None);
}
