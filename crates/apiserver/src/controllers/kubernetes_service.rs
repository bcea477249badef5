//! The service `default/kubernetes` with its endpoints, through which pods reach the API server. It is created again when
//! somebody deletes it; a real server needs some seconds for that.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use client_rs_machinery::json;

use super::put;
use crate::object::Stored;
use crate::registry::{Catalog, Registry};
use crate::store::{Change, TableId};

const NAMESPACE: &str = "default";
const NAME: &str = "kubernetes";
const KEY: &str = "default/kubernetes";
/// The default port of a real API server.
const PORT: u16 = 6443;
/// The address in the endpoints of a server on the loopback address, which endpoints can't contain. It is an address for
/// documentation: nothing answers there.
const NOWHERE: Ipv4Addr = Ipv4Addr::new(203, 0, 113, 1);

/// Publishes a server as a service.
#[derive(Debug, Default)]
pub(super) struct KubernetesService {
    /// The address of the first server, and the tables of the published objects.
    published: OnceLock<(SocketAddr, Vec<TableId>)>,
    /// Whether an object was deleted.
    dirty: AtomicBool,
}

impl KubernetesService {
    /// Publishes the address of a server. With several servers, the first one is published.
    pub(super) fn publish(&self, registry: &Registry, address: Option<SocketAddr>) {
        let port = address.map_or(PORT, |address| address.port());
        let ip = address.map(|address| address.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified());
        let address = SocketAddr::new(ip.unwrap_or(IpAddr::V4(NOWHERE)), port);
        if self.published.set((address, tables(&registry.catalog()))).is_ok() {
            create(registry, address);
        }
    }

    /// Records a change; true when one of the objects was deleted.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>) -> bool {
        let own = change.deleted
            && change.key.as_str() == KEY
            && self.published.get().is_some_and(|(_, tables)| tables.contains(&table));
        if own {
            self.dirty.store(true, Ordering::SeqCst);
        }
        own
    }

    /// Creates the objects again after one of them was deleted; false when none was.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        let dirty = self.dirty.swap(false, Ordering::SeqCst);
        if let Some((address, _)) = self.published.get().filter(|_| dirty) {
            create(registry, *address);
        }
        dirty
    }
}

fn tables(catalog: &Catalog) -> Vec<TableId> {
    let of = [("", "services"), ("", "endpoints"), ("discovery.k8s.io", "endpointslices")];
    of.iter().filter_map(|(group, plural)| catalog.find(group, "v1", plural)?.table).collect()
}

/// Creates the objects that do not exist.
fn create(registry: &Registry, address: SocketAddr) {
    let (ip, port) = (address.ip().to_string(), i64::from(address.port()));
    // The first address of the range of services.
    let cluster_ip = registry.options().service_range.at(0).to_string();
    let service = json!({
        "kind": "Service", "apiVersion": "v1",
        "metadata": {
            "name": NAME, "namespace": NAMESPACE, "labels": {"component": "apiserver", "provider": "kubernetes"},
        },
        "spec": {
            "clusterIP": cluster_ip, "type": "ClusterIP",
            "ports": [{"name": "https", "protocol": "TCP", "port": 443, "targetPort": port}],
        },
    });
    put(registry, "", "services", NAMESPACE, service);
    let endpoints = json!({
        "kind": "Endpoints", "apiVersion": "v1",
        "metadata": {
            "name": NAME, "namespace": NAMESPACE, "labels": {"endpointslice.kubernetes.io/skip-mirror": "true"},
        },
        "subsets": [{
            "addresses": [{"ip": ip.as_str()}], "ports": [{"name": "https", "port": port, "protocol": "TCP"}],
        }],
    });
    put(registry, "", "endpoints", NAMESPACE, endpoints);
    let slice = json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": {"kubernetes.io/service-name": NAME}},
        "addressType": if address.is_ipv4() { "IPv4" } else { "IPv6" },
        "endpoints": [{"addresses": [ip.as_str()], "conditions": {"ready": true}}],
        "ports": [{"name": "https", "port": port, "protocol": "TCP"}],
    });
    put(registry, "discovery.k8s.io", "endpointslices", NAMESPACE, slice);
}
