//! The same join, written by hand for this one purpose: a lock, maps, and an index of both sides by namespace and `app` label.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use client_rs_collections::Selection;
use client_rs_machinery::{ObjectKey, Str};

use crate::{Join, Pod, Route};

#[derive(Default)]
pub struct ByHand {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pods: HashMap<ObjectKey, Arc<Pod>>,
    services: HashMap<ObjectKey, Selection>,
    pods_by_app: HashMap<(Str, Str), BTreeSet<ObjectKey>>,
    services_by_app: HashMap<(Str, Str), BTreeSet<ObjectKey>>,
    routes: HashMap<ObjectKey, Arc<Route>>,
    /// The changes that the consumer has not taken.
    changes: Vec<Change>,
}

/// A service with its old and new route.
type Change = (ObjectKey, Option<Arc<Route>>, Arc<Route>);

fn app_of(key: &ObjectKey, pod: &Pod) -> Option<(Str, Str)> {
    Some((key.namespace.clone(), pod.labels.labels().get("app")?.clone()))
}

impl State {
    fn compute(&mut self, service: &ObjectKey) {
        let selection = &self.services[service];
        let app = selection.selector().requires_exact_match("app").unwrap_or_default();
        let pods = self.pods_by_app.get(&(service.namespace.clone(), app.into()));
        let found = pods.into_iter().flatten().map(|key| &self.pods[key]);
        let route: Route =
            found.filter(|pod| selection.matches(&pod.labels)).map(|pod| pod.address.clone()).collect();
        let old = self.routes.get(service).cloned();
        if old.as_deref() != Some(&route) {
            let route = Arc::new(route);
            self.routes.insert(service.clone(), route.clone());
            self.changes.push((service.clone(), old, route));
        }
    }

    fn concerned(&self, apps: &[Option<(Str, Str)>]) -> Vec<ObjectKey> {
        let found = apps.iter().flatten().filter_map(|app| self.services_by_app.get(app)).flatten();
        let mut services: Vec<_> = found.cloned().collect();
        services.sort();
        services.dedup();
        services
    }

    fn put(&mut self, key: &ObjectKey, pod: &Arc<Pod>) {
        let new = app_of(key, pod);
        let old = self.pods.insert(key.clone(), pod.clone());
        if let Some(old) = &old
            && old.labels == pod.labels
            && old.address == pod.address
        {
            return;
        }
        let old = old.and_then(|old| app_of(key, &old));
        if old != new {
            if let Some(old) = &old
                && let Some(keys) = self.pods_by_app.get_mut(old)
            {
                keys.remove(key);
                if keys.is_empty() {
                    self.pods_by_app.remove(old);
                }
            }
            if let Some(new) = &new {
                self.pods_by_app.entry(new.clone()).or_default().insert(key.clone());
            }
        }
        for service in self.concerned(&[old, new]) {
            self.compute(&service);
        }
    }
}

impl Join for ByHand {
    fn services(&mut self, services: Vec<(ObjectKey, Selection)>) {
        let state = &mut *self.state.lock().expect("nothing panics");
        for (key, selection) in services {
            let app = selection.selector().requires_exact_match("app").unwrap_or_default();
            let by = (key.namespace.clone(), Str::from(app));
            state.services_by_app.entry(by).or_default().insert(key.clone());
            state.services.insert(key.clone(), selection);
            state.compute(&key);
        }
    }

    fn pods(&mut self, pods: Vec<(ObjectKey, Arc<Pod>)>) {
        let state = &mut *self.state.lock().expect("nothing panics");
        for (key, pod) in pods {
            state.put(&key, &pod);
        }
        state.changes.clear();
    }

    fn change(&mut self, key: &ObjectKey, pod: Arc<Pod>) -> usize {
        self.state.lock().expect("nothing panics").put(key, &pod);
        // The consumer takes the changes with a lock of its own.
        std::mem::take(&mut self.state.lock().expect("nothing panics").changes).len()
    }

    fn route(&self, service: &ObjectKey) -> Option<Arc<Route>> {
        self.state.lock().expect("nothing panics").routes.get(service).cloned()
    }
}
