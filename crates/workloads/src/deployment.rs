//! Deployments: a replica set for each version of their pods, and the way from one to the next.

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::apps::v1::{
    Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet, ReplicaSetSpec,
};
use client_rs_cache::Lister;
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, Reconciler, Result, RunnableController,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Object, ObjectKey, Shared, Time};
use tokio::time::Instant;

use crate::rollout::{Limits, Set, scale_new, scale_old, selector};

/// The label that distinguishes the pods of two versions.
const HASH_LABEL: &str = "pod-template-hash";
const REVISION: &str = "deployment.kubernetes.io/revision";
/// The revisions that a replica set had before, when a deployment returned to it.
const HISTORY: &str = "deployment.kubernetes.io/revision-history";
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
const LARGEST: &str = "deployment.kubernetes.io/max-replicas";
/// The annotations of a deployment that its replica sets do not get.
const OWN_ANNOTATIONS: &[&str] =
    &[REVISION, HISTORY, DESIRED, LARGEST, "kubectl.kubernetes.io/last-applied-configuration"];
const OWN_WRITES: Duration = Duration::from_secs(10);

/// Rolls the pods of each deployment from one version to the next, and keeps their number.
#[derive(Debug)]
pub struct DeploymentController {
    clientset: Clientset,
    deployments: Lister<Deployment>,
    sets: Lister<ReplicaSet>,
}

impl DeploymentController {
    /// The controller with its sources: deployments, and the replica sets that they own.
    pub fn build(
        clientset: Clientset,
        factory: &SharedInformerFactory,
        options: ControllerOptions,
    ) -> RunnableController {
        let (deployments, sets) = (factory.apps().v1().deployments(), factory.apps().v1().replica_sets());
        let this = Self { clientset, deployments: deployments.lister(), sets: sets.lister() };
        Controller::with_options("deployment", deployments.informer(), options)
            .owns(&sets.informer())
            .reconcile(this)
    }

    /// The replica sets of a deployment, the oldest first.
    fn sets_of(&self, deployment: &Deployment) -> Result<Vec<Arc<ReplicaSet>>> {
        let selector = selector(deployment.spec.selector.as_deref())?;
        let mut sets = self.sets.namespace(deployment.metadata.namespace.clone()).list(&selector)?;
        sets.retain(|set| controls(deployment, &**set));
        sets.sort_by_key(|set| (revision(&**set), set.metadata.creation_timestamp));
        Ok(sets)
    }

    async fn create(&self, deployment: &Deployment, hash: &str, asked: i32, revision: i64) -> Result<()> {
        let with_hash = |labels: &client_rs_machinery::Map<client_rs_machinery::Str>| {
            let mut labels = labels.clone();
            labels.insert(HASH_LABEL, hash.into());
            labels
        };
        let mut template = deployment.spec.template.clone();
        template.metadata.labels = with_hash(&template.metadata.labels);
        let of = deployment.spec.selector.as_deref();
        let selector = LabelSelector {
            match_labels: with_hash(&of.map(|of| of.match_labels.clone()).unwrap_or_default()),
            match_expressions: of.map(|of| of.match_expressions.clone()).unwrap_or_default(),
        };
        let mut annotations = deployment.metadata.annotations.clone();
        for own in OWN_ANNOTATIONS {
            annotations.remove(own);
        }
        annotations.insert(REVISION, revision.to_string().into());
        let wanted = deployment.spec.replicas.unwrap_or(1);
        annotations.insert(DESIRED, wanted.to_string().into());
        annotations.insert(LARGEST, (wanted + limits_of(deployment).surge).to_string().into());
        let set = ReplicaSet {
            metadata: ObjectMeta {
                name: format!("{}-{hash}", deployment.metadata.name).into(),
                labels: template.metadata.labels.clone(),
                annotations,
                owner_references: [controller_reference(deployment)?].into(),
                ..ObjectMeta::EMPTY
            },
            spec: ReplicaSetSpec {
                replicas: Some(asked),
                min_ready_seconds: deployment.spec.min_ready_seconds,
                selector: Some(selector.into()),
                template,
            },
            ..ReplicaSet::EMPTY
        };
        let made =
            self.clientset.apps_v1().replica_sets(deployment.metadata.namespace.clone()).create(set).await?;
        self.seen(&made).await
    }

    async fn scale(&self, set: &Arc<ReplicaSet>, asked: i32) -> Result<()> {
        if set.spec.replicas == Some(asked) {
            return Ok(());
        }
        let mut new = ReplicaSet::clone(set);
        new.spec.replicas = Some(asked);
        let scaled =
            self.clientset.apps_v1().replica_sets(set.metadata.namespace.clone()).update(new).await?;
        self.seen(&scaled).await
    }

    /// Waits until the cache has a write.
    async fn seen(&self, set: &ReplicaSet) -> Result<()> {
        let version = &set.metadata.resource_version;
        self.sets.at_least(&set.key(), version, Instant::now() + OWN_WRITES).await?;
        Ok(())
    }

    async fn roll(&self, deployment: &Arc<Deployment>) -> Result<()> {
        let hash = template_hash(deployment);
        let sets = self.sets_of(deployment)?;
        let (new, old): (Vec<_>, Vec<_>) = sets
            .iter()
            .partition(|set| set.metadata.labels.get(HASH_LABEL).is_some_and(|own| **own == *hash));
        let seen = |set: &&Arc<ReplicaSet>| Set {
            asked: set.spec.replicas.unwrap_or(0),
            available: set.status.available_replicas,
        };
        let wanted = deployment.spec.replicas.unwrap_or(1);
        let old_seen: Vec<Set> = old.iter().map(seen).collect();
        let limits = limits_of(deployment);
        let recreate = &*deployment.spec.strategy.type_ == "Recreate";
        // Without an overlap, the old ones are gone before the new ones come.
        let still_there = old.iter().any(|set| set.status.replicas > 0);
        let Some(newest) = new.last() else {
            let room = scale_new(wanted, limits, Set::default(), &old_seen);
            let asked = if recreate { if still_there { 0 } else { wanted } } else { room };
            let last = sets.iter().map(|set| revision(&**set)).max().unwrap_or(0);
            return self.create(deployment, &hash, asked, last + 1).await;
        };
        let newest = &self.renumber(newest, &old).await?;
        let new_seen = seen(&newest);
        if recreate {
            for set in &old {
                self.scale(set, 0).await?;
            }
            return self.scale(newest, if still_there { 0 } else { wanted }).await;
        }
        self.scale(newest, scale_new(wanted, limits, new_seen, &old_seen)).await?;
        for (set, asked) in old.iter().zip(scale_old(wanted, limits, new_seen, &old_seen)) {
            self.scale(set, asked).await?;
        }
        self.forget(deployment, &old).await
    }

    /// Gives the newest set the highest revision. A deployment that returns to an earlier template has an older set for it.
    async fn renumber(&self, newest: &Arc<ReplicaSet>, old: &[&Arc<ReplicaSet>]) -> Result<Arc<ReplicaSet>> {
        let (own, last) = (revision(&**newest), old.iter().map(|set| revision(&***set)).max().unwrap_or(0));
        if own > last {
            return Ok(Arc::clone(newest));
        }
        let mut new = ReplicaSet::clone(newest);
        let annotations = &mut new.metadata.annotations;
        let history = annotations.get(HISTORY).map(|known| format!("{known},{own}"));
        annotations.insert(HISTORY, history.unwrap_or_else(|| own.to_string()).into());
        annotations.insert(REVISION, (last + 1).to_string().into());
        let sets = self.clientset.apps_v1().replica_sets(newest.metadata.namespace.clone());
        let written = sets.update(new).await?;
        self.seen(&written).await?;
        Ok(Arc::new(written))
    }

    /// Writes the revision of the newest set into the deployment. True if it was another.
    async fn number(&self, deployment: &Arc<Deployment>) -> Result<bool> {
        let hash = template_hash(deployment);
        let sets = self.sets_of(deployment)?;
        let newest =
            sets.iter().rfind(|set| set.metadata.labels.get(HASH_LABEL).is_some_and(|own| **own == *hash));
        let Some(number) = newest.and_then(|set| set.annotation(REVISION)) else { return Ok(false) };
        if deployment.annotation(REVISION) == Some(number) {
            return Ok(false);
        }
        let mut new = Deployment::clone(deployment);
        new.metadata.annotations.insert(REVISION, number.into());
        self.clientset.apps_v1().deployments(deployment.metadata.namespace.clone()).update(new).await?;
        Ok(true)
    }

    /// Deletes the oldest of the empty sets that nobody may want back.
    async fn forget(&self, deployment: &Deployment, old: &[&Arc<ReplicaSet>]) -> Result<()> {
        let keep = usize::try_from(deployment.spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        let empty: Vec<_> =
            old.iter().filter(|set| set.spec.replicas == Some(0) && set.status.replicas == 0).collect();
        for set in empty.iter().take(empty.len().saturating_sub(keep)) {
            let sets = self.clientset.apps_v1().replica_sets(set.metadata.namespace.clone());
            match sets.delete(&set.metadata.name).await {
                Err(error) if !error.is_not_found() => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    async fn tell(&self, deployment: &Arc<Deployment>) -> Result<()> {
        let hash = template_hash(deployment);
        let sets = self.sets_of(deployment)?;
        let sum = |of: &dyn Fn(&ReplicaSet) -> i32| sets.iter().map(|set| of(set)).sum::<i32>();
        let is_new = |set: &ReplicaSet| set.metadata.labels.get(HASH_LABEL).is_some_and(|own| **own == *hash);
        let wanted = deployment.spec.replicas.unwrap_or(1);
        let mut new = Deployment::clone(deployment);
        let status = Shared::make_mut(&mut new.status);
        status.observed_generation = deployment.metadata.generation;
        status.replicas = sum(&|set| set.status.replicas);
        status.updated_replicas = sum(&|set| if is_new(set) { set.status.replicas } else { 0 });
        status.ready_replicas = sum(&|set| set.status.ready_replicas);
        status.available_replicas = sum(&|set| set.status.available_replicas);
        status.unavailable_replicas = (wanted.max(status.replicas) - status.available_replicas).max(0);
        let limits = Limits::of(None, None, wanted);
        let available = status.available_replicas >= wanted - limits.unavailable;
        condition(
            status,
            "Available",
            available,
            if available { "MinimumReplicasAvailable" } else { "MinimumReplicasUnavailable" },
        );
        let done = status.updated_replicas == wanted
            && status.replicas == wanted
            && status.available_replicas == wanted;
        condition(
            status,
            "Progressing",
            true,
            if done { "NewReplicaSetAvailable" } else { "ReplicaSetUpdated" },
        );
        if new.status != deployment.status {
            self.clientset
                .apps_v1()
                .deployments(deployment.metadata.namespace.clone())
                .update_status(new)
                .await?;
        }
        Ok(())
    }
}

impl Reconciler for DeploymentController {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result {
        let deployment = match self.deployments.get(&key) {
            Ok(deployment) => deployment,
            Err(error) if error.is_not_found() => return Ok(Action::done()),
            Err(error) => return Err(error.into()),
        };
        if !deployment.is_being_deleted() && !deployment.spec.paused {
            self.roll(&deployment).await?;
            // The change of the deployment leads to the next run, which writes the status.
            if self.number(&deployment).await? {
                return Ok(Action::done());
            }
        }
        self.tell(&deployment).await?;
        Ok(Action::done())
    }
}

fn limits_of(deployment: &Deployment) -> Limits {
    let rolling = deployment.spec.strategy.rolling_update.as_deref();
    Limits::of(
        rolling.and_then(|rolling| rolling.max_surge.as_ref()),
        rolling.and_then(|rolling| rolling.max_unavailable.as_ref()),
        deployment.spec.replicas.unwrap_or(1),
    )
}

fn condition(status: &mut DeploymentStatus, kind: &str, holds: bool, reason: &str) {
    let holds = if holds { "True" } else { "False" };
    let now = Some(Time::now().truncated());
    let known = status.conditions.iter().position(|condition| &*condition.type_ == kind);
    let mut new = DeploymentCondition {
        type_: kind.into(),
        status: holds.into(),
        reason: reason.into(),
        last_update_time: now,
        last_transition_time: now,
        ..DeploymentCondition::EMPTY
    };
    match known {
        None => status.conditions.push(new),
        Some(at) => {
            let old = &status.conditions[at];
            if &*old.status == holds && &*old.reason == reason {
                return;
            }
            if &*old.status == holds {
                new.last_transition_time = old.last_transition_time;
            }
            status.conditions[at] = new;
        }
    }
}

fn revision(set: &dyn Object) -> i64 {
    set.annotation(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// A hash of the pod template, the same in every process.
fn template_hash(deployment: &Deployment) -> String {
    /// No vowels, and nothing that looks like another: a name spells no word.
    const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in deployment.spec.template.to_protobuf() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mut text = String::new();
    for _ in 0..10 {
        text.push(char::from(LETTERS[usize::try_from(hash % 27).unwrap_or(0)]));
        hash /= 27;
    }
    text
}
