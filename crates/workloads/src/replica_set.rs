//! The replica set controller.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::apps::v1::ReplicaSet;
use client_rs_api::core::v1::Pod;
use client_rs_cache::Lister;
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, Reconciler, Result, RunnableController,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::{Object, ObjectKey, Shared};
use tokio::time::Instant;

use crate::rollout::{is_active, is_ready, selector};

/// How long a reconcile waits to see its own writes in the cache.
const OWN_WRITES: Duration = Duration::from_secs(10);
/// The most pods that one reconcile creates or deletes; the rest follow in the next.
const BURST: usize = 500;

/// Keeps each replica set at its desired number of pods.
///
/// The steps are those of every controller: look up the object by its key, read the current state, compare it with the
/// desired state, change the differences, and report the result in the status.
#[derive(Debug)]
pub struct ReplicaSetController {
    clientset: Clientset,
    sets: Lister<ReplicaSet>,
    pods: Lister<Pod>,
}

impl ReplicaSetController {
    /// The controller with its sources: replica sets, and the pods that they own.
    pub fn build(
        clientset: Clientset,
        factory: &SharedInformerFactory,
        options: ControllerOptions,
    ) -> RunnableController {
        let (sets, pods) = (factory.apps().v1().replica_sets(), factory.core().v1().pods());
        let this = Self { clientset, sets: sets.lister(), pods: pods.lister() };
        let all = sets.lister();
        Controller::with_options("replicaset", sets.informer(), options)
            .owns(&pods.informer())
            // A pod without an owner may be adopted.
            .watches(&pods.informer(), move |pod: &Arc<Pod>| {
                if has_controller(pod) {
                    return Vec::new();
                }
                let sets = all.namespace(pod.metadata.namespace.clone()).list(&Selector::everything());
                let wants = |set: &Arc<ReplicaSet>| {
                    let labels = labels::from_fn(|key| pod.label(key));
                    selector(set.spec.selector.as_deref()).is_ok_and(|selector| selector.matches(&labels))
                };
                let sets = sets.unwrap_or_default();
                sets.iter().filter(|set| wants(set)).map(|set| set.key()).collect()
            })
            .reconcile(this)
    }

    /// The pods of a set that count, the first to go first.
    fn pods_of(&self, set: &ReplicaSet) -> Result<Vec<Arc<Pod>>> {
        let selector = selector(set.spec.selector.as_deref())?;
        let mut pods = self.pods.namespace(set.metadata.namespace.clone()).list(&selector)?;
        pods.retain(|pod| controls(set, &**pod) && is_active(pod));
        // Not yet bound before bound, not ready before ready, young before old.
        pods.sort_by_key(|pod| {
            (
                !pod.spec.node_name.is_empty(),
                is_ready(pod),
                Reverse(pod.metadata.creation_timestamp),
                pod.key(),
            )
        });
        Ok(pods)
    }

    /// Adopts pods that the selector matches and nobody owns, and releases those that it no longer matches.
    async fn claim(&self, set: &ReplicaSet) -> Result<()> {
        let selector = selector(set.spec.selector.as_deref())?;
        let pods = self.pods.namespace(set.metadata.namespace.clone()).list(&Selector::everything())?;
        for pod in pods.iter().filter(|pod| !pod.is_being_deleted()) {
            let matches = selector.matches(&labels::from_fn(|key| pod.label(key)));
            let mut owners: Vec<OwnerReference> = pod.metadata.owner_references.to_vec();
            if controls(set, &**pod) && !matches {
                owners.retain(|owner| owner.uid != set.metadata.uid);
            } else if !has_controller(pod) && matches && is_active(pod) {
                owners.push(controller_reference(set)?);
            } else {
                continue;
            }
            let mut new = Pod::clone(pod);
            new.metadata.owner_references = owners.into();
            let written = self.clientset.core_v1().pods(pod.metadata.namespace.clone()).update(new).await?;
            let version = &written.metadata.resource_version;
            self.pods.at_least(&pod.key(), version, Instant::now() + OWN_WRITES).await?;
        }
        Ok(())
    }

    async fn create(&self, set: &ReplicaSet, count: usize) -> Result<()> {
        let pods = self.clientset.core_v1().pods(set.metadata.namespace.clone());
        let template = &set.spec.template;
        for _ in 0..count {
            let pod = Pod {
                metadata: ObjectMeta {
                    generate_name: format!("{}-", set.metadata.name).into(),
                    labels: template.metadata.labels.clone(),
                    annotations: template.metadata.annotations.clone(),
                    finalizers: template.metadata.finalizers.clone(),
                    owner_references: [controller_reference(set)?].into(),
                    ..ObjectMeta::EMPTY
                },
                spec: template.spec.clone(),
                ..Pod::EMPTY
            };
            let made = pods.create(pod).await?;
            // The next comparison must see this pod, or there would be one too many.
            self.pods
                .at_least(&made.key(), &made.metadata.resource_version, Instant::now() + OWN_WRITES)
                .await?;
        }
        Ok(())
    }

    async fn delete(&self, pods: &[Arc<Pod>]) -> Result<()> {
        for pod in pods {
            let namespace = self.clientset.core_v1().pods(pod.metadata.namespace.clone());
            match namespace.delete(&pod.metadata.name).if_uid(pod.metadata.uid.clone()).await {
                Ok(deleted) => {
                    if let Some(left) = deleted.object() {
                        let version = &left.metadata.resource_version;
                        self.pods.at_least(&pod.key(), version, Instant::now() + OWN_WRITES).await?;
                    }
                }
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn tell(&self, set: &Arc<ReplicaSet>, pods: &[Arc<Pod>]) -> Result<()> {
        let count = |test: &dyn Fn(&Pod) -> bool| i32::try_from(pods.iter().filter(|pod| test(pod)).count());
        let mut new = ReplicaSet::clone(set);
        let status = Shared::make_mut(&mut new.status);
        status.replicas = count(&|_| true)?;
        let labels = &set.spec.template.metadata.labels;
        status.fully_labeled_replicas =
            count(&|pod| labels.iter().all(|(key, value)| pod.metadata.labels.get(key) == Some(value)))?;
        status.ready_replicas = count(&is_ready)?;
        status.available_replicas = status.ready_replicas;
        status.observed_generation = set.metadata.generation;
        if new.status != set.status {
            self.clientset.apps_v1().replica_sets(set.metadata.namespace.clone()).update_status(new).await?;
        }
        Ok(())
    }
}

impl Reconciler for ReplicaSetController {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result {
        let set = match self.sets.get(&key) {
            Ok(set) => set,
            // Its pods go with it: they name it as their owner.
            Err(error) if error.is_not_found() => return Ok(Action::done()),
            Err(error) => return Err(error.into()),
        };
        if !set.is_being_deleted() {
            self.claim(&set).await?;
        }
        let pods = self.pods_of(&set)?;
        if !set.is_being_deleted() {
            let wanted = usize::try_from(set.spec.replicas.unwrap_or(1)).unwrap_or(0);
            if pods.len() < wanted {
                self.create(&set, (wanted - pods.len()).min(BURST)).await?;
            } else {
                self.delete(&pods[..(pods.len() - wanted).min(BURST)]).await?;
            }
        }
        self.tell(&set, &self.pods_of(&set)?).await?;
        Ok(Action::done())
    }
}

fn has_controller(pod: &Pod) -> bool {
    pod.metadata.owner_references.iter().any(|owner| owner.controller == Some(true))
}
