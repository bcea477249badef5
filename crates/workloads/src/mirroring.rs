//! Mirrors of `Endpoints` that somebody writes for a service without a selector: endpoint slices with the same addresses.

use std::sync::Arc;

use client_rs_api::core::v1::{EndpointAddress, EndpointSubset, Endpoints};
use client_rs_api::discovery::v1::{Endpoint, EndpointConditions, EndpointPort, EndpointSlice};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{List, Object, ObjectKey, Time, Unstructured};

use crate::kind::{ENDPOINT_SLICE, ENDPOINTS, SERVICE};
use crate::plan::Plan;
use crate::replication_controller::map_selector;
use crate::shell::{Building, Cluster, Core};
use crate::slices::{Group, MANAGED_BY, SERVICE_NAME, Slices, address_type};

const MANAGER: &str = "endpointslicemirroring-controller.k8s.io";
const SKIP: &str = "endpointslice.kubernetes.io/skip-mirror";
/// `Endpoints` that are the lock of an election are no addresses.
const LEADER: &str = "control-plane.alpha.kubernetes.io/leader";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let core = Mirrors { services: cluster.lister(&SERVICE), slices: cluster.lister(&ENDPOINT_SLICE) };
    Building::new(cluster, "endpointslicemirroring", &ENDPOINTS, options)
        .watches(&SERVICE, |service| vec![service.key()])
        .owns(&ENDPOINT_SLICE)
        .core(core, recorder)
}

struct Mirrors {
    services: Lister<Unstructured>,
    slices: Lister<Unstructured>,
}

impl Core for Mirrors {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, _: Time) -> Result<Plan> {
        let own = Selector::parse(&format!("{SERVICE_NAME}={},{MANAGED_BY}={MANAGER}", key.name))?;
        let slices = self.slices.namespace(key.namespace.clone()).list(&own)?;
        let slices: std::result::Result<Vec<_>, _> =
            slices.iter().map(|slice| slice.to_message().map(Arc::new)).collect();
        let service = self.services.get(key).ok();
        let wanted = service.is_some_and(|service| map_selector(&service).is_none());
        let endpoints: Option<Endpoints> = object.map(Unstructured::to_message).transpose()?;
        plan(endpoints.as_ref().filter(|_| wanted), &slices?)
    }
}

/// The slices of some `Endpoints`; all slices go if there are none.
fn plan(endpoints: Option<&Endpoints>, existing: &[Arc<EndpointSlice>]) -> Result<Plan> {
    let mut plan = Plan::default();
    let mirrored = endpoints.filter(|endpoints| {
        endpoints.label(SKIP) != Some("true")
            && endpoints.annotation(LEADER).is_none()
            && !endpoints.is_being_deleted()
    });
    let Some(endpoints) = mirrored else {
        for slice in existing {
            plan.delete(&ENDPOINT_SLICE, &**slice, None);
        }
        return Ok(plan);
    };
    let mut groups: Vec<Group> = Vec::new();
    for subset in &endpoints.subsets {
        let ports: List<EndpointPort> = ports(subset);
        let ready = subset.addresses.iter().map(|address| (address, true));
        for (address, ready) in ready.chain(subset.not_ready_addresses.iter().map(|address| (address, false)))
        {
            let (kind, endpoint) = (address_type(&address.ip), endpoint(address, ready));
            match groups.iter_mut().find(|group| group.address_type == kind && group.ports == ports) {
                Some(group) => group.endpoints.push(endpoint),
                None => {
                    groups.push(Group {
                        address_type: kind,
                        ports: ports.clone(),
                        endpoints: vec![endpoint],
                    });
                }
            }
        }
    }
    let mut labels = endpoints.metadata.labels.clone();
    labels.insert(SERVICE_NAME, endpoints.metadata.name.clone());
    labels.insert(MANAGED_BY, MANAGER.into());
    let slices = Slices {
        base: endpoints.metadata.name.clone(),
        namespace: endpoints.metadata.namespace.clone(),
        labels,
        owner: controller_reference(endpoints)?,
    };
    slices.reconcile(existing, groups, &mut plan)?;
    Ok(plan)
}

fn ports(subset: &EndpointSubset) -> List<EndpointPort> {
    let port = |port: &client_rs_api::core::v1::EndpointPort| EndpointPort {
        name: Some(port.name.clone()),
        protocol: Some(if port.protocol.is_empty() { "TCP".into() } else { port.protocol.clone() }),
        port: Some(port.port),
        app_protocol: port.app_protocol.clone(),
    };
    subset.ports.iter().map(port).collect()
}

fn endpoint(address: &EndpointAddress, ready: bool) -> Endpoint {
    Endpoint {
        addresses: [address.ip.clone()].into(),
        conditions: EndpointConditions { ready: Some(ready), ..EndpointConditions::EMPTY },
        hostname: Some(address.hostname.clone()).filter(|name| !name.is_empty()),
        target_ref: address.target_ref.clone(),
        node_name: address.node_name.clone(),
        ..Endpoint::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::wire::Message;

    use super::*;
    use crate::model::Model;

    fn endpoints(more: &str) -> Endpoints {
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"Endpoints","metadata":{{"name":"db","namespace":"shop","uid":"u"{more}}},
            "subsets":[{{"addresses":[{{"ip":"10.1.2.3"}},{{"ip":"fd00::1"}}],"notReadyAddresses":[{{"ip":"10.1.2.4"}}],
            "ports":[{{"name":"sql","port":5432,"protocol":"TCP"}}]}}]}}"#
        );
        Endpoints::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn endpoints_are_mirrored_and_the_mirror_goes_with_them() {
        let mut model = Model::default();
        model.apply(plan(Some(&endpoints("")), &[]).unwrap());
        let slices = model.all::<EndpointSlice>(&ENDPOINT_SLICE);
        let mut seen: Vec<(&str, usize)> =
            slices.iter().map(|slice| (&*slice.address_type, slice.endpoints.len())).collect();
        seen.sort_unstable();
        assert_eq!(seen, [("IPv4", 2), ("IPv6", 1)]);
        assert!(slices.iter().all(|slice| slice.label(MANAGED_BY) == Some(MANAGER)));
        assert!(plan(Some(&endpoints("")), &slices).unwrap().steps.is_empty());
        assert_eq!(plan(None, &slices).unwrap().deleted(&ENDPOINT_SLICE).len(), 2);
    }

    #[test]
    fn some_endpoints_are_not_mirrored() {
        for more in [
            r#","labels":{"endpointslice.kubernetes.io/skip-mirror":"true"}"#,
            r#","annotations":{"control-plane.alpha.kubernetes.io/leader":"x"}"#,
        ] {
            assert!(plan(Some(&endpoints(more)), &[]).unwrap().steps.is_empty(), "{more}");
        }
    }
}
