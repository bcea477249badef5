//! The join as derived collections.

use std::sync::Arc;

use client_rs_collections::{Graph, Input, LabelSet, LiveSet, Observer, Selection};
use client_rs_machinery::{ObjectKey, Str};

use crate::{Join, Pod, Route};

pub struct Derived {
    graph: Graph,
    services: Input<ObjectKey, Selection>,
    pods: Input<ObjectKey, Pod>,
    routes: LiveSet<ObjectKey, Route>,
    observer: Observer<ObjectKey, Route>,
}

#[derive(PartialEq)]
struct Endpoint {
    labels: LabelSet,
    address: Str,
}

impl Derived {
    pub fn new() -> Self {
        let graph = Graph::new();
        let (services, pods) = (graph.input("services"), graph.input::<ObjectKey, Pod>("pods"));
        let same = |old: &Pod, new: &Pod| old.labels == new.labels && old.address == new.address;
        let endpoints = graph.map_unless_same("endpoints", &pods, same, |_, pod, _| Endpoint {
            labels: pod.labels.clone(),
            address: pod.address.clone(),
        });
        let by_labels = graph.index_labels(&endpoints, |_, endpoint| endpoint.labels.clone());
        let routes = graph.map("routes", &services, move |_, selection, look| -> Route {
            look.selected(&by_labels, selection)
                .iter()
                .map(|(_, endpoint)| endpoint.address.clone())
                .collect()
        });
        let observer = graph.observe(&routes);
        Self { graph, services, pods, routes, observer }
    }
}

impl Join for Derived {
    fn services(&mut self, services: Vec<(ObjectKey, Selection)>) {
        self.graph.update(|batch| batch.replace(&self.services, services));
    }

    fn pods(&mut self, pods: Vec<(ObjectKey, Arc<Pod>)>) {
        self.graph.update(|batch| batch.replace(&self.pods, pods));
        self.observer.take();
    }

    fn change(&mut self, key: &ObjectKey, pod: Arc<Pod>) -> usize {
        self.graph.update(|batch| batch.insert(&self.pods, key.clone(), pod));
        self.observer.take().map_or(0, |changes| changes.list.len())
    }

    fn route(&self, service: &ObjectKey) -> Option<Arc<Route>> {
        self.graph.get(&self.routes, service)
    }
}
