//! Our side of the comparison with krt: the same joins on the same objects as `bench/krt`, which describes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::core::v1::{Pod, PodSpec, PodStatus, Service, ServiceSpec};
use client_rs_collections::{Graph, Input, LabelSet, LiveSet, Observer, Selection};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Map, ObjectKey, Str};

use crate::{counting, usage};

fn pod(key: &ObjectKey, app: usize, number: usize) -> Arc<Pod> {
    let address = format!("10.{}.{}.{}", number >> 16 & 255, number >> 8 & 255, number & 255);
    Arc::new(Pod {
        metadata: metadata(key, [("app", Str::from(format!("app-{app}")))].into_iter().collect()),
        spec: PodSpec { service_account_name: "fake-sa".into(), ..PodSpec::EMPTY }.into(),
        status: PodStatus { phase: "Running".into(), pod_ip: address.into(), ..PodStatus::EMPTY }.into(),
        ..Pod::EMPTY
    })
}

fn service(key: &ObjectKey, app: usize) -> Arc<Service> {
    let selector = [("app", Str::from(format!("app-{app}")))].into_iter().collect();
    let spec = ServiceSpec { selector, ..ServiceSpec::EMPTY };
    Arc::new(Service { metadata: metadata(key, Map::EMPTY), spec: spec.into(), ..Service::EMPTY })
}

fn metadata(key: &ObjectKey, labels: Map<Str>) -> ObjectMeta {
    ObjectMeta { name: key.name.clone(), namespace: key.namespace.clone(), labels, ..ObjectMeta::EMPTY }
}

fn labels(pod: &Pod) -> LabelSet {
    LabelSet::new(pod.metadata.labels.clone()).in_namespace(pod.metadata.namespace.clone())
}

fn selection(service: &Service) -> Selection {
    let selector = Selector::from_set(&service.spec.selector).unwrap_or(Selector::NOTHING);
    Selection::new(selector).in_namespace(service.metadata.namespace.clone())
}

#[derive(PartialEq)]
struct Workload {
    services: Vec<Str>,
    address: Str,
}

/// Each pod with the names of the services that select it.
pub fn controllers(changes: usize) -> BTreeMap<String, f64> {
    let key = |number: usize| ObjectKey::new(format!("ns-{}", number % 2), format!("pod-{number}"));
    let graph = Graph::new();
    let pods = graph.input::<ObjectKey, Pod>("pods");
    let services = graph.input::<ObjectKey, Service>("services");
    let by_selector = graph.index_selectors(&services, |_, service| Some(selection(service)));
    let workloads = graph.map("workloads", &pods, move |_, pod, look| Workload {
        services: look
            .selecting(&by_selector, &labels(pod))
            .iter()
            .map(|(key, _)| key.name.clone())
            .collect(),
        address: pod.status.pod_ip.clone(),
    });
    graph.update(|batch| {
        batch.replace(&services, (0..50).map(|number| (key(number), service(&key(number), number % 25))));
        batch.replace(&pods, (0..1000).map(|number| (key(number), pod(&key(number), number % 25, number))));
    });
    let list: Vec<_> = (0..changes)
        .map(|number| (key(number % 1000), pod(&key(number % 1000), number % 25, 1000 + number)))
        .collect();
    let outcome = measure(&graph, &pods, &workloads, list);
    let now = graph.snapshot();
    for (key, workload) in now.iter(&workloads) {
        assert_eq!(workload.services.len(), 1, "{key}");
    }
    outcome
}

/// Each service with the addresses of the pods that it selects.
pub fn churn(changes: usize, size: usize) -> BTreeMap<String, f64> {
    let namespace = |number: usize| format!("namespace-{:03}", number % 100);
    let pod_key = |number: usize| ObjectKey::new(namespace(number), format!("pod-{number:07}"));
    let service_key = |number: usize| ObjectKey::new(namespace(number), format!("service-{number:07}"));
    let graph = Graph::new();
    let pods = graph.input::<ObjectKey, Pod>("pods");
    let services = graph.input::<ObjectKey, Service>("services");
    let by_labels = graph.index_labels(&pods, |_, pod| labels(pod));
    let routes = graph.map("routes", &services, move |_, service, look| {
        let pods = look.selected(&by_labels, &selection(service));
        let mut addresses: Vec<Str> = pods.iter().map(|(_, pod)| pod.status.pod_ip.clone()).collect();
        addresses.sort_unstable();
        addresses
    });
    graph.update(|batch| {
        batch.replace(&services, (0..size).map(|one| (service_key(one), service(&service_key(one), one))));
        batch.replace(&pods, (0..size).map(|one| (pod_key(one), pod(&pod_key(one), one, one))));
    });
    let mut apps: Vec<usize> = (0..size).collect();
    let mut numbers = apps.clone();
    let list: Vec<_> = (0..changes)
        .map(|number| {
            let at = number % size;
            if number % 10 == 5 {
                apps[at] = if apps[at] == at { (at + 100) % size } else { at };
            } else {
                numbers[at] = size + number;
            }
            (pod_key(at), pod(&pod_key(at), apps[at], numbers[at]))
        })
        .collect();
    let outcome = measure(&graph, &pods, &routes, list);
    let mut expected: BTreeMap<ObjectKey, Vec<Str>> = BTreeMap::new();
    for (at, app) in apps.iter().enumerate() {
        let key = ObjectKey::new(namespace(at), format!("service-{app:07}"));
        expected.entry(key).or_default().push(pod(&pod_key(at), *app, numbers[at]).status.pod_ip.clone());
    }
    let now = graph.snapshot();
    for number in 0..size {
        let mut addresses = expected.remove(&service_key(number)).unwrap_or_default();
        addresses.sort_unstable();
        assert_eq!(now.get(&routes, &service_key(number)).as_deref(), Some(&addresses));
    }
    outcome
}

/// Makes changes, each as one epoch that an observer takes.
fn measure<V: Send + Sync + 'static>(
    graph: &Graph,
    pods: &Input<ObjectKey, Pod>,
    results: &LiveSet<ObjectKey, V>,
    list: Vec<(ObjectKey, Arc<Pod>)>,
) -> BTreeMap<String, f64> {
    let mut observer: Observer<ObjectKey, V> = graph.observe(results);
    observer.take();
    let count = list.len() as f64;
    let (before, began) = (counting::allocated(), usage::cpu_time());
    for (key, pod) in list {
        graph.update(|batch| batch.insert(pods, key, pod));
        observer.take();
    }
    let (elapsed, bytes) = (usage::cpu_time().saturating_sub(began), counting::allocated() - before);
    BTreeMap::from([
        ("ns_a_change".to_owned(), elapsed.as_nanos() as f64 / count),
        ("bytes_a_change".to_owned(), bytes as f64 / count),
    ])
}
