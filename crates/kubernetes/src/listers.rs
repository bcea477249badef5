//! Lookups between pods and the objects that select them: client-go's expansions of listers.
//!
//! | client-go | here |
//! |---|---|
//! | `ReplicaSetLister.GetPodReplicaSets(pod)`, `GetPodDaemonSets`, `GetPodStatefulSets`, `GetPodJobs`, `GetPodControllers`, `GetPodPodDisruptionBudgets` | [`of_pod`](OfPod::of_pod) of the lister of that kind |
//! | the services of a pod | [`of_pod`](OfPod::of_pod) of the lister of services |
//! | the pods of a replica set, a service, … | [`selected_by`](SelectedBy::selected_by) of the lister of pods |
//!
//! ```
//! # #[cfg(feature = "apps")] {
//! use client_rs_api::apps::v1::{ReplicaSet, ReplicaSetSpec};
//! use client_rs_cache::{Indexer, Lister};
//! use client_rs_kubernetes::listers::OfPod;
//! use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta, PartialObjectMetadata};
//! use client_rs_machinery::{GroupResource, Object};
//!
//! let (mut writer, indexer) = Indexer::new();
//! let selector = LabelSelector { match_labels: [("app", "web".into())].into_iter().collect(), ..LabelSelector::EMPTY };
//! writer.add(ReplicaSet {
//!     metadata: ObjectMeta { name: "web-1".into(), namespace: "shop".into(), ..ObjectMeta::EMPTY },
//!     spec: ReplicaSetSpec { selector: Some(selector.into()), ..ReplicaSetSpec::EMPTY }.into(),
//!     ..ReplicaSet::EMPTY
//! })?;
//! let replica_sets = Lister::new(indexer, GroupResource::new("apps", "replicasets"));
//!
//! // Any object with labels: a pod, or its metadata alone.
//! let mut pod = PartialObjectMetadata::default();
//! pod.metadata.namespace = "shop".into();
//! pod.metadata.labels.insert("app", "web".into());
//! assert_eq!(replica_sets.of_pod(&pod)[0].name(), "web-1");
//! pod.metadata.namespace = "another".into();
//! assert!(replica_sets.of_pod(&pod).is_empty());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A lookup reads every object of one namespace. For a lookup in a hot path, use an index. That an object selects a pod does not mean that it
//! controls it: compare [`controller`](client_rs_machinery::Object::controller) for that.

use std::sync::Arc;

use client_rs_cache::Lister;
use client_rs_machinery::labels::{Selector, from_fn};
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::{Map, Object, Str};

/// A kind that selects pods of its namespace by their labels.
pub trait SelectsPods: Object {
    /// Returns the selector. It is [`Selector::nothing`] if the object has none, or an invalid one.
    fn pod_selector(&self) -> Selector;
}

/// Finds the objects that select a pod.
pub trait OfPod<K> {
    /// Returns the objects of the pod's namespace whose selector matches its labels, in no order.
    fn of_pod(&self, pod: &dyn Object) -> Vec<Arc<K>>;
}

/// Finds the pods that an object selects. The lister may be one of pods, or of their metadata.
pub trait SelectedBy<P> {
    /// Returns the pods of the object's namespace that its selector matches, in no order.
    fn selected_by(&self, object: &impl SelectsPods) -> Vec<Arc<P>>;
}

impl<K: SelectsPods> OfPod<K> for Lister<K> {
    fn of_pod(&self, pod: &dyn Object) -> Vec<Arc<K>> {
        let labels = from_fn(|key| pod.label(key));
        let mut found = self.namespace(pod.namespace()).list(&Selector::everything()).unwrap_or_default();
        found.retain(|object| object.pod_selector().matches(&labels));
        found
    }
}

impl<P: Object> SelectedBy<P> for Lister<P> {
    fn selected_by(&self, object: &impl SelectsPods) -> Vec<Arc<P>> {
        self.namespace(object.namespace()).list(&object.pod_selector()).unwrap_or_default()
    }
}

/// The selector of a workload: an empty one matches nothing, as in client-go.
#[allow(dead_code, reason = "the groups that use it are features")]
fn of_workload(selector: Option<&LabelSelector>) -> Selector {
    let selector = of_label_selector(selector);
    if selector.is_everything() { Selector::nothing() } else { selector }
}

/// A selector that may be empty, which then matches everything.
#[allow(dead_code, reason = "the groups that use it are features")]
fn of_label_selector(selector: Option<&LabelSelector>) -> Selector {
    selector.and_then(|selector| selector.try_into().ok()).unwrap_or_else(Selector::nothing)
}

/// A selector that is a map: an empty one matches nothing.
#[allow(dead_code, reason = "the groups that use it are features")]
fn of_map(labels: &Map<Str>) -> Selector {
    if labels.is_empty() {
        return Selector::nothing();
    }
    Selector::from_set(labels.iter().map(|(key, value)| (key.clone(), value.clone())))
        .unwrap_or_else(|_| Selector::nothing())
}

macro_rules! selects_pods {
    ($($feature:literal: $kind:ty => |$object:ident| $selector:expr;)*) => {$(
        #[cfg(feature = $feature)]
        impl SelectsPods for $kind {
            fn pod_selector(&self) -> Selector {
                let $object = self;
                $selector
            }
        }
    )*};
}

selects_pods! {
    "apps": client_rs_api::apps::v1::DaemonSet => |object| of_workload(object.spec.selector.as_deref());
    "apps": client_rs_api::apps::v1::Deployment => |object| of_workload(object.spec.selector.as_deref());
    "apps": client_rs_api::apps::v1::ReplicaSet => |object| of_workload(object.spec.selector.as_deref());
    "apps": client_rs_api::apps::v1::StatefulSet => |object| of_workload(object.spec.selector.as_deref());
    "batch": client_rs_api::batch::v1::Job => |object| of_workload(object.spec.selector.as_deref());
    "core": client_rs_api::core::v1::ReplicationController => |object| of_map(&object.spec.selector);
    "core": client_rs_api::core::v1::Service => |object| of_map(&object.spec.selector);
    "policy": client_rs_api::policy::v1::PodDisruptionBudget => |object| of_label_selector(object.spec.selector.as_deref());
}

#[cfg(all(test, feature = "stable"))]
#[allow(clippy::unwrap_used, reason = "clippy knows tests by a plain `cfg(test)`")]
mod tests {
    use client_rs_api::apps::v1::{DaemonSet, Deployment, ReplicaSet, StatefulSet};
    use client_rs_api::batch::v1::Job;
    use client_rs_api::core::v1::{Pod, ReplicationController, Service};
    use client_rs_api::policy::v1::PodDisruptionBudget;
    use client_rs_cache::Indexer;
    use client_rs_machinery::GroupResource;
    use client_rs_machinery::wire::Message;

    use super::*;

    fn pod(namespace: &str, labels: &str) -> Pod {
        let json = format!(
            r#"{{"metadata": {{"name": "p-{namespace}", "namespace": "{namespace}", "labels": {labels}}}}}"#
        );
        Pod::from_json(json.as_bytes()).unwrap()
    }

    fn lister<K: Object>(objects: impl IntoIterator<Item = K>) -> Lister<K> {
        let (mut writer, indexer) = Indexer::new();
        for object in objects {
            writer.add(object).unwrap();
        }
        Lister::new(indexer, GroupResource::new("", "things"))
    }

    /// The names of the objects that select a pod with `app: web, tier: front` in the namespace `a`.
    fn found<K: SelectsPods + Message>(selectors: &[(&str, &str)]) -> Vec<String> {
        let object = |(name, selector): &(&str, &str)| {
            let (namespace, name) = name.split_once('/').unwrap_or(("a", name));
            let json = format!(
                r#"{{"metadata": {{"name": "{name}", "namespace": "{namespace}"}}, "spec": {{"selector": {selector}}}}}"#
            );
            K::from_json(json.as_bytes()).unwrap()
        };
        let pod = pod("a", r#"{"app": "web", "tier": "front"}"#);
        let mut names: Vec<String> = lister(selectors.iter().map(object))
            .of_pod(&pod)
            .iter()
            .map(|object| object.name().to_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn objects_that_select_a_pod() {
        let selectors = [
            ("web", r#"{"matchLabels": {"app": "web"}}"#),
            ("front", r#"{"matchExpressions": [{"key": "tier", "operator": "In", "values": ["front"]}]}"#),
            ("db", r#"{"matchLabels": {"app": "db"}}"#),
            ("other/web", r#"{"matchLabels": {"app": "web"}}"#),
            ("invalid", r#"{"matchExpressions": [{"key": "tier", "operator": "Near"}]}"#),
            ("empty", "{}"),
            ("missing", "null"),
        ];
        let expected = ["front", "web"];
        assert_eq!(found::<ReplicaSet>(&selectors), expected);
        assert_eq!(found::<DaemonSet>(&selectors), expected);
        assert_eq!(found::<Deployment>(&selectors), expected);
        assert_eq!(found::<StatefulSet>(&selectors), expected);
        assert_eq!(found::<Job>(&selectors), expected);
        // A budget with an empty selector is for every pod of its namespace.
        assert_eq!(found::<PodDisruptionBudget>(&selectors), ["empty", "front", "web"]);
        let selectors = [
            ("web", r#"{"app": "web"}"#),
            ("db", r#"{"app": "db"}"#),
            ("empty", "{}"),
            ("b/web", r#"{"app": "web"}"#),
        ];
        assert_eq!(found::<Service>(&selectors), ["web"]);
        assert_eq!(found::<ReplicationController>(&selectors), ["web"]);
    }

    #[test]
    fn pods_that_an_object_selects() {
        let pods = lister([pod("a", r#"{"app": "web"}"#), pod("b", r#"{"app": "web"}"#)]);
        let service = |spec: &str| {
            let json = format!(r#"{{"metadata": {{"name": "s", "namespace": "a"}}, "spec": {spec}}}"#);
            Service::from_json(json.as_bytes()).unwrap()
        };
        let found = pods.selected_by(&service(r#"{"selector": {"app": "web"}}"#));
        assert_eq!(found.iter().map(|pod| pod.name()).collect::<Vec<_>>(), ["p-a"]);
        assert!(pods.selected_by(&service("{}")).is_empty());
        // Nothing has an empty namespace.
        assert!(pods.selected_by(&Service::EMPTY).is_empty());
    }
}
