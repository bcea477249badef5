//! The endpoints of a service: the addresses and ports of the pods that it selects, as endpoint slices and as `Endpoints`.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::core::v1::{
    EndpointAddress, EndpointPort as CorePort, EndpointSubset, Endpoints, ObjectReference, Pod, Service,
};
use client_rs_api::discovery::v1::{Endpoint, EndpointConditions, EndpointPort, EndpointSlice};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{IntOrString, List, Map, Object, ObjectKey, Str, Time, Unstructured};

use crate::kind::{ENDPOINT_SLICE, ENDPOINTS, SERVICE};
use crate::plan::Plan;
use crate::pods::{is_finished, is_ready};
use crate::replication_controller::map_selector;
use crate::shell::{Building, Cluster, Core, selecting};
use crate::slices::{Group, HEADLESS, MANAGED_BY, SERVICE_NAME, Slices, address_type};

/// The value of the label `managed-by` in slices of this controller.
const SLICE_MANAGER: &str = "endpointslice-controller.k8s.io";
/// The label of `Endpoints` that a controller keeps.
const ENDPOINTS_MANAGED_BY: &str = "endpoints.kubernetes.io/managed-by";
const ENDPOINTS_MANAGER: &str = "endpoint-controller";

pub(crate) fn build_slices(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let services = cluster.lister(&SERVICE);
    Building::new(cluster, "endpointslice", &SERVICE, options)
        .watches_pods(move |pod| selecting(&services, &**pod, map_selector))
        .owns(&ENDPOINT_SLICE)
        .core(ServiceSlices { pods: cluster.pods(), slices: cluster.lister(&ENDPOINT_SLICE) }, recorder)
}

pub(crate) fn build_endpoints(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let services = cluster.lister(&SERVICE);
    Building::new(cluster, "endpoint", &SERVICE, options)
        .watches_pods(move |pod| selecting(&services, &**pod, map_selector))
        .watches(&ENDPOINTS, |endpoints| vec![endpoints.key()])
        .core(ServiceEndpoints { pods: cluster.pods(), endpoints: cluster.lister(&ENDPOINTS) }, recorder)
}

struct ServiceSlices {
    pods: Lister<Pod>,
    slices: Lister<Unstructured>,
}

impl Core for ServiceSlices {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, _: Time) -> Result<Plan> {
        // The slices of a service that is gone name it as their owner.
        let Some(object) = object else { return Ok(Plan::default()) };
        let service: Service = object.to_message()?;
        let of_service =
            Selector::parse(&format!("{SERVICE_NAME}={},{MANAGED_BY}={SLICE_MANAGER}", key.name))?;
        let slices = self.slices.namespace(key.namespace.clone()).list(&of_service)?;
        let slices: std::result::Result<Vec<_>, _> =
            slices.iter().map(|slice| slice.to_message().map(Arc::new)).collect();
        plan_slices(&service, &selected(&service, &self.pods)?, &slices?)
    }
}

struct ServiceEndpoints {
    pods: Lister<Pod>,
    endpoints: Lister<Unstructured>,
}

impl Core for ServiceEndpoints {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, _: Time) -> Result<Plan> {
        let known = self.endpoints.get(key).ok();
        let known: Option<Endpoints> = known.map(|known| known.to_message()).transpose()?;
        let Some(object) = object else {
            let mut plan = Plan::default();
            if let Some(left) = known.filter(|known| known.label(ENDPOINTS_MANAGED_BY).is_some()) {
                plan.delete(&ENDPOINTS, &left, None);
            }
            return Ok(plan);
        };
        let service: Service = object.to_message()?;
        plan_endpoints(&service, &selected(&service, &self.pods)?, known.as_ref())
    }
}

/// Name, protocol, number and application protocol of a port.
type Port = (Str, Str, i32, Option<Str>);

/// The pods that a service selects.
fn selected(service: &Service, pods: &Lister<Pod>) -> Result<Vec<Arc<Pod>>> {
    let selector = &service.spec.selector;
    if selector.is_empty() {
        return Ok(Vec::new());
    }
    let mut all = pods.namespace(service.metadata.namespace.clone()).list(&Selector::everything())?;
    all.retain(|pod| selector.iter().all(|(key, value)| pod.label(key) == Some(&**value)));
    all.sort_by_key(|pod| pod.metadata.name.clone());
    Ok(all)
}

fn is_selecting(service: &Service) -> bool {
    !service.spec.selector.is_empty() && &*service.spec.type_ != "ExternalName"
}

/// Slices for a service with the pods that it selects.
fn plan_slices(service: &Service, pods: &[Arc<Pod>], existing: &[Arc<EndpointSlice>]) -> Result<Plan> {
    let mut plan = Plan::default();
    if !is_selecting(service) || service.is_being_deleted() {
        return Ok(plan);
    }
    let spec = &service.spec;
    let families: Vec<&str> = if spec.ip_families.is_empty() {
        vec!["IPv4"]
    } else {
        spec.ip_families.iter().map(|family| &**family).collect()
    };
    let mut groups: Vec<Group> = Vec::new();
    for pod in pods.iter().filter(|pod| !is_finished(pod)) {
        let addresses: Vec<&Str> = pod.status.pod_ips.iter().map(|one| &one.ip).collect();
        let ports: List<EndpointPort> = ports(service, pod)
            .map(|(name, protocol, port, app)| EndpointPort {
                name: Some(name),
                protocol: Some(protocol),
                port: Some(port),
                app_protocol: app,
            })
            .collect();
        if ports.is_empty() && !spec.ports.is_empty() {
            // None of its containers has the named port.
            continue;
        }
        for address in addresses.into_iter().filter(|address| families.contains(&address_type(address))) {
            let (ready, terminating) = (is_ready(pod), pod.is_being_deleted());
            let endpoint = Endpoint {
                addresses: [address.clone()].into(),
                conditions: EndpointConditions {
                    ready: Some(spec.publish_not_ready_addresses || (ready && !terminating)),
                    serving: Some(ready),
                    terminating: Some(terminating),
                },
                hostname: hostname(service, pod),
                target_ref: Some(reference(pod).into()),
                node_name: Some(pod.spec.node_name.clone()).filter(|name| !name.is_empty()),
                ..Endpoint::EMPTY
            };
            let kind = address_type(address);
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
    for family in families {
        let family = if family == "IPv6" { "IPv6" } else { "IPv4" };
        if !groups.iter().any(|group| group.address_type == family) {
            // There is at least one slice, with the ports that there were.
            let before = existing.iter().find(|slice| &*slice.address_type == family);
            let ports = before.map(|slice| slice.ports.clone()).unwrap_or_default();
            groups.push(Group { address_type: family, ports, endpoints: Vec::new() });
        }
    }
    let mut labels = own_labels(service);
    labels.insert(SERVICE_NAME, service.metadata.name.clone());
    labels.insert(MANAGED_BY, SLICE_MANAGER.into());
    let slices = Slices {
        base: service.metadata.name.clone(),
        namespace: service.metadata.namespace.clone(),
        labels,
        owner: controller_reference(service)?,
    };
    slices.reconcile(existing, groups, &mut plan)?;
    Ok(plan)
}

/// `Endpoints` for a service with the pods that it selects.
fn plan_endpoints(service: &Service, pods: &[Arc<Pod>], known: Option<&Endpoints>) -> Result<Plan> {
    let mut plan = Plan::default();
    if !is_selecting(service) || service.is_being_deleted() {
        return Ok(plan);
    }
    let mut subsets: BTreeMap<Vec<Port>, EndpointSubset> = BTreeMap::new();
    for pod in pods {
        let publishes = service.spec.publish_not_ready_addresses;
        let counts =
            !pod.status.pod_ip.is_empty() && !is_finished(pod) && (publishes || !pod.is_being_deleted());
        let mut key: Vec<_> = ports(service, pod).collect();
        key.sort();
        if !counts || (key.is_empty() && !service.spec.ports.is_empty()) {
            continue;
        }
        let address = EndpointAddress {
            ip: pod.status.pod_ip.clone(),
            hostname: hostname(service, pod).unwrap_or_default(),
            node_name: Some(pod.spec.node_name.clone()).filter(|name| !name.is_empty()),
            target_ref: Some(reference(pod).into()),
        };
        let subset = subsets.entry(key.clone()).or_insert_with(|| EndpointSubset {
            ports: key
                .into_iter()
                .map(|(name, protocol, port, app_protocol)| CorePort { name, port, protocol, app_protocol })
                .collect(),
            ..EndpointSubset::EMPTY
        });
        if publishes || is_ready(pod) {
            subset.addresses.push(address);
        } else {
            subset.not_ready_addresses.push(address);
        }
    }
    let mut subsets: List<EndpointSubset> = subsets.into_values().collect();
    for subset in subsets.make_mut() {
        subset.addresses.make_mut().sort_by(|a, b| a.ip.cmp(&b.ip));
        subset.not_ready_addresses.make_mut().sort_by(|a, b| a.ip.cmp(&b.ip));
    }
    let mut labels = own_labels(service);
    labels.insert(ENDPOINTS_MANAGED_BY, ENDPOINTS_MANAGER.into());
    match known {
        None => {
            let metadata = ObjectMeta {
                name: service.metadata.name.clone(),
                namespace: service.metadata.namespace.clone(),
                labels,
                ..ObjectMeta::EMPTY
            };
            plan.create(&ENDPOINTS, &Endpoints { metadata, subsets }, None)?;
        }
        Some(known) => {
            let mut new = known.clone();
            new.metadata.labels = labels;
            new.subsets = subsets;
            if new != *known {
                plan.update(&ENDPOINTS, &new)?;
            }
        }
    }
    Ok(plan)
}

/// The labels of a service that its endpoints get.
fn own_labels(service: &Service) -> Map<Str> {
    let mut labels = service.metadata.labels.clone();
    if &*service.spec.cluster_ip == "None" {
        labels.insert(HEADLESS, Str::EMPTY);
    } else {
        labels.remove(HEADLESS);
    }
    labels
}

/// Name, protocol, number and application protocol of the ports that a pod has for a service.
fn ports<'a>(service: &'a Service, pod: &'a Pod) -> impl Iterator<Item = Port> + 'a {
    service.spec.ports.iter().filter_map(move |port| {
        let number = match &port.target_port {
            IntOrString::Int(0) => port.port,
            IntOrString::Int(number) => *number,
            IntOrString::String(name) => {
                let containers = pod.spec.containers.iter().chain(pod.spec.init_containers.iter());
                let mut named = containers.flat_map(|container| container.ports.iter());
                named
                    .find(|one| one.name == *name && same_protocol(&one.protocol, &port.protocol))?
                    .container_port
            }
        };
        let protocol = if port.protocol.is_empty() { "TCP".into() } else { port.protocol.clone() };
        Some((port.name.clone(), protocol, number, port.app_protocol.clone()))
    })
}

fn same_protocol(one: &str, other: &str) -> bool {
    // An empty protocol is TCP.
    one == other || matches!((one, other), ("", "TCP") | ("TCP", ""))
}

/// The name of a pod within its service.
fn hostname(service: &Service, pod: &Pod) -> Option<Str> {
    let has = !pod.spec.hostname.is_empty() && pod.spec.subdomain == service.metadata.name;
    has.then(|| pod.spec.hostname.clone())
}

fn reference(pod: &Pod) -> ObjectReference {
    ObjectReference {
        kind: "Pod".into(),
        namespace: pod.metadata.namespace.clone(),
        name: pod.metadata.name.clone(),
        uid: pod.metadata.uid.clone(),
        ..ObjectReference::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::PodIP;
    use client_rs_machinery::wire::Message;

    use super::*;
    use crate::model::Model;
    use crate::pods::tests::{at, named, ready};

    fn service(spec: &str) -> Service {
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"Service","metadata":{{"name":"web","namespace":"shop","uid":"u","labels":{{"team":"a"}}}},
            "spec":{{"selector":{{"app":"web"}},{spec}}}}}"#
        );
        Service::from_json(text.as_bytes()).unwrap()
    }

    fn with_address(mut pod: Pod, address: &str) -> Arc<Pod> {
        pod.status.pod_ip = address.into();
        pod.status.pod_ips = [PodIP { ip: address.into() }].into();
        Arc::new(pod)
    }

    fn pods() -> Vec<Arc<Pod>> {
        let mut ends = ready("ends", 0);
        ends.metadata.deletion_timestamp = Some(at(1));
        let mut over = ready("over", 0);
        over.status.phase = "Succeeded".into();
        vec![
            with_address(ready("ready", 0), "10.0.0.2"),
            with_address(named("starts"), "10.0.0.1"),
            with_address(ends, "10.0.0.3"),
            with_address(over, "10.0.0.4"),
            Arc::new(named("pending")),
        ]
    }

    #[test]
    fn slices_say_which_endpoints_are_ready_serving_and_terminating() {
        let mut model = Model::default();
        let service = service(r#""clusterIP":"None","ports":[{"port":80,"targetPort":8080,"name":"http"}]"#);
        model.apply(plan_slices(&service, &pods(), &[]).unwrap());
        let slices = model.all::<EndpointSlice>(&ENDPOINT_SLICE);
        let [slice] = &slices[..] else { panic!("{slices:?}") };
        let seen: Vec<_> = slice
            .endpoints
            .iter()
            .map(|one| {
                (&*one.addresses[0], one.conditions.ready, one.conditions.serving, one.conditions.terminating)
            })
            .collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(seen, [("10.0.0.1", no, no, no), ("10.0.0.2", yes, yes, no), ("10.0.0.3", no, yes, yes)]);
        let port = &slice.ports[0];
        assert_eq!(
            (port.name.as_deref(), port.port, port.protocol.as_deref()),
            (Some("http"), Some(8080), Some("TCP"))
        );
        for (key, value) in
            [("team", "a"), (SERVICE_NAME, "web"), (MANAGED_BY, SLICE_MANAGER), (HEADLESS, "")]
        {
            assert_eq!(slice.label(key), Some(value), "{key}");
        }
        assert!(plan_slices(&service, &pods(), &slices).unwrap().steps.is_empty());
        // Without pods one empty slice is left, with its ports.
        model.apply(plan_slices(&service, &[], &slices).unwrap());
        let slices = model.all::<EndpointSlice>(&ENDPOINT_SLICE);
        assert_eq!((slices.len(), slices[0].endpoints.len(), slices[0].ports.len()), (1, 0, 1));
    }

    #[test]
    fn endpoints_have_ready_addresses_and_others() {
        let mut model = Model::default();
        let service = service(r#""clusterIP":"10.1.1.1","ports":[{"port":80}]"#);
        model.apply(plan_endpoints(&service, &pods(), None).unwrap());
        let endpoints = model.all::<Endpoints>(&ENDPOINTS);
        let subset = &endpoints[0].subsets[0];
        let of = |all: &List<EndpointAddress>| all.iter().map(|one| one.ip.to_string()).collect::<Vec<_>>();
        assert_eq!(
            (of(&subset.addresses), of(&subset.not_ready_addresses)),
            (vec!["10.0.0.2".into()], vec!["10.0.0.1".into()])
        );
        assert_eq!((subset.ports[0].port, &*subset.ports[0].protocol), (80, "TCP"));
        assert!(plan_endpoints(&service, &pods(), Some(&endpoints[0])).unwrap().steps.is_empty());
        let plan = plan_endpoints(&service, &[], Some(&endpoints[0])).unwrap();
        assert!(plan.updated(&ENDPOINTS)[0].nested(&["subsets"]).unwrap().is_none());
    }

    #[test]
    fn named_ports_are_those_of_each_pod_and_unready_pods_may_be_published() {
        let service = service(r#""publishNotReadyAddresses":true,"ports":[{"port":80,"targetPort":"http"}]"#);
        let pod = |name: &str, address: &str, port: i32| {
            let text = format!(
                r#"{{"containers":[{{"name":"c","ports":[{{"name":"http","containerPort":{port},"protocol":"TCP"}}]}}]}}"#
            );
            let mut pod = named(name);
            pod.spec = client_rs_api::core::v1::PodSpec::from_json(text.as_bytes()).unwrap().into();
            with_address(pod, address)
        };
        let pods =
            [pod("a", "10.0.0.1", 8080), pod("b", "10.0.0.2", 9090), with_address(named("none"), "10.0.0.3")];
        let mut model = Model::default();
        model.apply(plan_slices(&service, &pods, &[]).unwrap());
        let slices = model.all::<EndpointSlice>(&ENDPOINT_SLICE);
        let mut seen: Vec<(Option<i32>, Option<bool>)> =
            slices.iter().map(|slice| (slice.ports[0].port, slice.endpoints[0].conditions.ready)).collect();
        seen.sort_unstable();
        assert_eq!(seen, [(Some(8080), Some(true)), (Some(9090), Some(true))]);
        let plan = plan_endpoints(&service, &pods, None).unwrap();
        let made: Endpoints = plan.created(&ENDPOINTS)[0].to_message().unwrap();
        assert_eq!(made.subsets.len(), 2);
    }

    #[test]
    fn a_service_without_a_selector_is_left_alone() {
        let mut service = service(r#""ports":[]"#);
        service.spec.selector = Map::default();
        assert!(plan_slices(&service, &pods(), &[]).unwrap().steps.is_empty());
        assert!(plan_endpoints(&service, &pods(), None).unwrap().steps.is_empty());
    }
}
