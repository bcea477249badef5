//! Deployments: a replica set for each version of their pods, and the way from one to the next.

use std::cmp::Reverse;
use std::sync::Arc;

use client_rs_api::apps::v1::{
    Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet, ReplicaSetSpec,
};
use client_rs_api::core::v1::{Pod, PodTemplateSpec};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Map, Object, ObjectKey, Str, Time, Unstructured};

use crate::claim::claim;
use crate::clock::{seconds, since};
use crate::hash::hash;
use crate::kind::{DEPLOYMENT, REPLICA_SET};
use crate::plan::{Note, Plan};
use crate::pods::is_finished;
use crate::rollout::{Limits, Part, Set, scale_in_proportion, scale_new, scale_old};
use crate::shell::{Building, Cluster, Core, Failure, spec_selector};

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
/// The reason of a condition when the rollout has ended well.
const DONE: &str = "NewReplicaSetAvailable";
const PAUSED: &str = "DeploymentPaused";
const TIMED_OUT: &str = "ProgressDeadlineExceeded";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    Building::new(cluster, "deployment", &DEPLOYMENT, options)
        .owns(&REPLICA_SET)
        .adopts(&REPLICA_SET, spec_selector)
        .reads_pods()
        .core(Deployments { sets: cluster.lister(&REPLICA_SET), pods: cluster.pods() }, recorder)
}

struct Deployments {
    sets: Lister<Unstructured>,
    pods: Lister<Pod>,
}

impl Deployments {
    /// The replica sets of a deployment, and those that it may adopt.
    fn sets(&self, deployment: &Deployment) -> Result<Vec<Arc<ReplicaSet>>> {
        let all = self.sets.namespace(deployment.metadata.namespace.clone()).list(&Selector::everything())?;
        let near = |set: &&Arc<Unstructured>| controls(deployment, &***set) || set.controller().is_none();
        let sets: std::result::Result<_, _> =
            all.iter().filter(near).map(|set| set.to_message().map(Arc::new)).collect();
        Ok(sets?)
    }
}

impl Core for Deployments {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        // Its replica sets name it as their owner, and go with it.
        let Some(object) = object else { return Ok(Plan::default()) };
        let deployment: Deployment = object.to_message()?;
        let pods = self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?;
        plan(&deployment, self.sets(&deployment)?, &pods, now)
    }

    fn failed(&self, object: &Unstructured, failure: &Failure, _: Time) -> Result<Plan> {
        let mut plan = Plan::default();
        let mut deployment: Deployment = object.to_message()?;
        if !failure.exists || *failure.of != REPLICA_SET {
            return Ok(plan);
        }
        let sets = self.sets(&deployment)?;
        // The set of an earlier run is not a collision.
        if !sets.iter().any(|set| *set.metadata.name == failure.create && is_of(&deployment, set)) {
            let status = &mut deployment.status;
            status.collision_count = Some(status.collision_count.unwrap_or(0) + 1);
            plan.status(&DEPLOYMENT, &deployment)?;
        }
        Ok(plan)
    }
}

/// Plans the next steps of a deployment, with the replica sets that it has or may adopt and the pods of its namespace.
fn plan(deployment: &Deployment, sets: Vec<Arc<ReplicaSet>>, pods: &[Arc<Pod>], now: Time) -> Result<Plan> {
    let mut plan = Plan::default();
    let Some(selector) = deployment.spec.selector.as_deref() else { return Ok(plan) };
    let selector = Selector::try_from(selector)?;
    let mut sets = claim(deployment, &selector, &REPLICA_SET, sets, |_| true, &mut plan)?;
    sets.sort_by_key(|set| (set.metadata.creation_timestamp, set.metadata.name.clone()));
    let at = sets.iter().position(|set| is_of(deployment, set));
    let new = at.map(|at| sets.remove(at));
    let rollout = Rollout { deployment, new, old: sets, pods, limits: limits_of(deployment), now };
    rollout.plan(&mut plan)?;
    Ok(plan)
}

/// A deployment with its replica sets.
struct Rollout<'a> {
    deployment: &'a Deployment,
    /// The set of the current template.
    new: Option<Arc<ReplicaSet>>,
    /// The others, the oldest first.
    old: Vec<Arc<ReplicaSet>>,
    pods: &'a [Arc<Pod>],
    limits: Limits,
    now: Time,
}

impl Rollout<'_> {
    fn wanted(&self) -> i32 {
        self.deployment.spec.replicas.unwrap_or(1)
    }

    fn plan(&self, plan: &mut Plan) -> Result<()> {
        let deployment = self.deployment;
        let mut status = self.counted();
        if deployment.is_being_deleted() {
            return self.tell(status, plan);
        }
        let paused = deployment.spec.paused;
        self.note_pause(&mut status);
        let recreate = &*deployment.spec.strategy.type_ == "Recreate";
        if paused || self.was_scaled() {
            self.scale(plan)?;
        } else if recreate {
            self.recreate(plan)?;
        } else {
            self.roll(plan)?;
        }
        if !paused {
            self.progress(&mut status, plan);
        }
        if paused || self.is_complete(&status) {
            self.forget(plan);
        }
        self.number(plan)?;
        self.tell(status, plan)
    }

    /// Whether the number of replicas has changed since the sets were scaled.
    fn was_scaled(&self) -> bool {
        let differs = |set: &&Arc<ReplicaSet>| {
            set.spec.replicas.unwrap_or(0) > 0
                && set.annotation(DESIRED).and_then(|text| text.parse().ok()) != Some(self.wanted())
        };
        self.all().find(differs).is_some()
    }

    fn all(&self) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        self.old.iter().chain(&self.new)
    }

    /// Changes the sizes of sets without a step of the rollout.
    fn scale(&self, plan: &mut Plan) -> Result<()> {
        let wanted = self.wanted();
        let mut active: Vec<&Arc<ReplicaSet>> = self.all().filter(|set| asked(set) > 0).collect();
        if active.len() <= 1 {
            let newest = self.new.iter().chain(self.old.iter().rev()).next();
            let Some(one) = active.pop().or(newest) else { return Ok(()) };
            return self.resize(one, wanted, plan);
        }
        let is_saturated = |set: &Arc<ReplicaSet>| {
            asked(set) == wanted
                && set.status.available_replicas == wanted
                && set.annotation(DESIRED).and_then(|text| text.parse().ok()) == Some(wanted)
        };
        if self.new.as_ref().is_some_and(is_saturated) {
            for set in &self.old {
                self.resize(set, 0, plan)?;
            }
            return Ok(());
        }
        if &*self.deployment.spec.strategy.type_ == "Recreate" {
            return Ok(());
        }
        let total: i32 = active.iter().map(|set| asked(set)).sum();
        let grows = wanted.saturating_add(self.limits.surge) > total;
        active.sort_by_key(|set| (Reverse(asked(set)), set.metadata.creation_timestamp));
        if grows {
            active.sort_by_key(|set| (Reverse(asked(set)), Reverse(set.metadata.creation_timestamp)));
        }
        let part = |set: &&Arc<ReplicaSet>| Part {
            asked: asked(set),
            largest: set
                .annotation(LARGEST)
                .and_then(|text| text.parse().ok())
                .unwrap_or(self.deployment.status.replicas),
        };
        let parts: Vec<Part> = active.iter().map(part).collect();
        for (set, size) in active.iter().zip(scale_in_proportion(wanted, self.limits.surge, &parts)) {
            self.resize(set, size, plan)?;
        }
        Ok(())
    }

    fn recreate(&self, plan: &mut Plan) -> Result<()> {
        let mut scaled = false;
        for set in self.old.iter().filter(|set| asked(set) > 0) {
            self.resize(set, 0, plan)?;
            scaled = true;
        }
        // The old pods are gone before new ones come.
        let runs = |pod: &Arc<Pod>| !is_finished(pod) && self.old.iter().any(|set| controls(&**set, &**pod));
        if scaled || self.pods.iter().any(runs) {
            return Ok(());
        }
        match &self.new {
            None => self.create(self.wanted(), plan),
            Some(new) => self.resize(new, self.wanted(), plan),
        }
    }

    fn roll(&self, plan: &mut Plan) -> Result<()> {
        let seen =
            |set: &Arc<ReplicaSet>| Set { asked: asked(set), available: set.status.available_replicas };
        let old: Vec<Set> = self.old.iter().map(seen).collect();
        let current = self.new.as_ref().map(seen).unwrap_or_default();
        let size = scale_new(self.wanted(), self.limits, current, &old);
        match &self.new {
            None => return self.create(size, plan),
            Some(new) => self.resize(new, size, plan)?,
        }
        if size != current.asked {
            return Ok(());
        }
        for (set, size) in self.old.iter().zip(scale_old(self.wanted(), self.limits, current, &old)) {
            if size != asked(set) {
                self.resize(set, size, plan)?;
            }
        }
        Ok(())
    }

    /// The revision of the newest set.
    fn revision(&self) -> i64 {
        let last = self.old.iter().map(|set| revision(&**set)).max().unwrap_or(0);
        let own = self.new.as_ref().map_or(0, |set| revision(&**set));
        if own > last { own } else { last + 1 }
    }

    fn create(&self, size: i32, plan: &mut Plan) -> Result<()> {
        let deployment = self.deployment;
        let template = deployment.spec.template.to_protobuf();
        let hash = hash(&template, deployment.status.collision_count);
        let with_hash = |labels: &Map<Str>| {
            let mut labels = labels.clone();
            labels.insert(HASH_LABEL, hash.as_str().into());
            labels
        };
        let mut template = deployment.spec.template.clone();
        template.metadata.labels = with_hash(&template.metadata.labels);
        let of = deployment.spec.selector.as_deref();
        let selector = LabelSelector {
            match_labels: with_hash(&of.map(|of| of.match_labels.clone()).unwrap_or_default()),
            match_expressions: of.map(|of| of.match_expressions.clone()).unwrap_or_default(),
        };
        let name = format!("{}-{hash}", deployment.metadata.name);
        let mut set = ReplicaSet {
            metadata: ObjectMeta {
                name: name.as_str().into(),
                namespace: deployment.metadata.namespace.clone(),
                labels: template.metadata.labels.clone(),
                owner_references: [controller_reference(deployment)?].into(),
                ..ObjectMeta::EMPTY
            },
            spec: ReplicaSetSpec {
                replicas: Some(size),
                min_ready_seconds: deployment.spec.min_ready_seconds,
                selector: Some(selector.into()),
                template,
            },
            ..ReplicaSet::EMPTY
        };
        self.annotate(&mut set, true);
        let message = format!("Scaled up replica set {name} from 0 to {size}");
        plan.create(&REPLICA_SET, &set, (size > 0).then(|| Note::normal("ScalingReplicaSet", message)))?;
        Ok(())
    }

    /// Sets the annotations of a replica set.
    fn annotate(&self, set: &mut ReplicaSet, is_new: bool) {
        let annotations = &mut set.metadata.annotations;
        let wanted = self.wanted();
        annotations.insert(DESIRED, wanted.to_string().into());
        annotations.insert(LARGEST, (wanted.saturating_add(self.limits.surge)).to_string().into());
        if !is_new {
            return;
        }
        for (key, value) in &self.deployment.metadata.annotations {
            if !OWN_ANNOTATIONS.contains(&&**key) {
                annotations.insert(key.clone(), value.clone());
            }
        }
        let own = annotations.get(REVISION).and_then(|text| text.parse::<i64>().ok());
        let revision = self.revision();
        if let Some(own) = own.filter(|own| *own < revision) {
            let history = annotations.get(HISTORY).map(|known| format!("{known},{own}"));
            annotations.insert(HISTORY, history.unwrap_or_else(|| own.to_string()).into());
        }
        annotations.insert(REVISION, revision.to_string().into());
    }

    /// Gives a set its size and annotations, unless it has them.
    fn resize(&self, set: &Arc<ReplicaSet>, size: i32, plan: &mut Plan) -> Result<()> {
        let is_new = self.new.as_ref().is_some_and(|new| Arc::ptr_eq(new, set));
        let mut changed = ReplicaSet::clone(set);
        let (before, name) = (asked(set), &set.metadata.name);
        self.annotate(&mut changed, is_new);
        let spec = &mut changed.spec;
        spec.replicas = Some(size);
        if is_new {
            spec.min_ready_seconds = self.deployment.spec.min_ready_seconds;
        }
        if changed != **set {
            plan.update(&REPLICA_SET, &changed)?;
        }
        if before != size {
            let way = if before < size { "up" } else { "down" };
            let message = format!("Scaled {way} replica set {name} from {before} to {size}");
            plan.tell(Note::normal("ScalingReplicaSet", message));
        }
        Ok(())
    }

    /// Writes the revision of the newest set into the deployment.
    fn number(&self, plan: &mut Plan) -> Result<()> {
        let makes = plan.steps.iter().any(|step| matches!(step, crate::plan::Step::Create { .. }));
        if self.new.is_none() && !makes {
            return Ok(());
        }
        let revision = self.revision().to_string();
        if self.deployment.annotation(REVISION) != Some(&revision) {
            let mut new = self.deployment.clone();
            new.metadata.annotations.insert(REVISION, revision.into());
            plan.update(&DEPLOYMENT, &new)?;
        }
        Ok(())
    }

    /// Deletes the oldest of the empty sets that nobody may want back.
    fn forget(&self, plan: &mut Plan) {
        let keep = usize::try_from(self.deployment.spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        let empty = |set: &&Arc<ReplicaSet>| {
            asked(set) == 0
                && set.status.replicas == 0
                && set.status.observed_generation >= set.metadata.generation
                && !set.is_being_deleted()
        };
        let mut old: Vec<&Arc<ReplicaSet>> = self.old.iter().collect();
        old.sort_by_key(|set| revision(&***set));
        let many = old.len().saturating_sub(keep);
        old.into_iter().take(many).filter(empty).for_each(|set| plan.delete(&REPLICA_SET, &**set, None));
    }

    /// The status with its numbers.
    fn counted(&self) -> DeploymentStatus {
        let sum = |of: &dyn Fn(&ReplicaSet) -> i32| self.all().map(|set| of(set)).sum::<i32>();
        let mut status = (*self.deployment.status).clone();
        status.observed_generation = self.deployment.metadata.generation;
        status.replicas = sum(&|set| set.status.replicas);
        status.updated_replicas = self.new.as_ref().map_or(0, |set| set.status.replicas);
        status.ready_replicas = sum(&|set| set.status.ready_replicas);
        status.available_replicas = sum(&|set| set.status.available_replicas);
        status.unavailable_replicas = (sum(&asked) - status.available_replicas).max(0);
        status.terminating_replicas = self.all().map(|set| set.status.terminating_replicas).sum();
        let least = self.wanted() - self.limits.unavailable;
        let (holds, reason, message) = if status.available_replicas >= least {
            ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
        } else {
            ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
        };
        self.condition(&mut status, "Available", holds, reason, message);
        status
    }

    fn is_complete(&self, status: &DeploymentStatus) -> bool {
        let wanted = self.wanted();
        status.updated_replicas == wanted
            && status.replicas == wanted
            && status.available_replicas == wanted
            && status.observed_generation >= self.deployment.metadata.generation
    }

    /// Reports in the status that the rollout waits, or continues.
    fn note_pause(&self, status: &mut DeploymentStatus) {
        let Some(_) = deadline_of(self.deployment) else { return };
        let known = progressing(&self.deployment.status).map(|condition| &*condition.reason);
        if known == Some(TIMED_OUT) {
            return;
        }
        match (self.deployment.spec.paused, known == Some(PAUSED)) {
            (true, false) => {
                self.condition(status, "Progressing", "Unknown", PAUSED, "Deployment is paused");
            }
            (false, true) => {
                self.condition(
                    status,
                    "Progressing",
                    "Unknown",
                    "DeploymentResumed",
                    "Deployment is resumed",
                );
            }
            _ => {}
        }
    }

    /// Says in the status how the rollout goes, and when it has taken too long.
    fn progress(&self, status: &mut DeploymentStatus, plan: &mut Plan) {
        let Some(deadline) = deadline_of(self.deployment) else {
            status.conditions.retain(|condition| &*condition.type_ != "Progressing");
            return;
        };
        let of = match &self.new {
            Some(set) => format!("ReplicaSet \"{}\"", set.metadata.name),
            None => format!("Deployment \"{}\"", self.deployment.metadata.name),
        };
        let before = &self.deployment.status;
        let known = progressing(before).cloned();
        let was_done = known.as_ref().is_some_and(|known| &*known.reason == DONE);
        if status.replicas == status.updated_replicas && was_done && self.is_complete(status) {
            return;
        }
        let moved = status.updated_replicas > before.updated_replicas
            || status.replicas - status.updated_replicas < before.replicas - before.updated_replicas
            || status.ready_replicas > before.ready_replicas
            || status.available_replicas > before.available_replicas;
        let writes = plan.steps.iter().any(|step| !matches!(step, crate::plan::Step::Tell(_)));
        if self.is_complete(status) {
            let message = format!("{of} has successfully progressed.");
            self.condition(status, "Progressing", "True", DONE, &message);
        } else if self.new.is_none() && known.is_none() {
            let message = format!("{of} is progressing.");
            self.condition(status, "Progressing", "True", "NewReplicaSetCreated", &message);
        } else if moved || was_done || known.is_none() {
            let message = format!("{of} is progressing.");
            // After progress there is the whole time again.
            status.conditions.iter_mut().filter(|one| &*one.type_ == "Progressing").for_each(|one| {
                one.last_update_time = Some(self.now);
            });
            self.condition(status, "Progressing", "True", "ReplicaSetUpdated", &message);
        } else if let Some(known) = known.filter(|known| &*known.reason != TIMED_OUT) {
            let left =
                deadline.saturating_sub(known.last_update_time.map_or(deadline, |at| since(at, self.now)));
            if !left.is_zero() || writes {
                plan.again_in(left.max(seconds(1)));
            } else {
                let message = format!("{of} has timed out progressing.");
                self.condition(status, "Progressing", "False", TIMED_OUT, &message);
            }
            return;
        }
        if !self.is_complete(status) {
            plan.again_in(deadline);
        }
    }

    fn condition(&self, status: &mut DeploymentStatus, kind: &str, holds: &str, reason: &str, message: &str) {
        let now = Some(self.now);
        let known = status.conditions.iter().position(|condition| &*condition.type_ == kind);
        let mut new = DeploymentCondition {
            type_: kind.into(),
            status: holds.into(),
            reason: reason.into(),
            message: message.into(),
            last_update_time: now,
            last_transition_time: now,
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

    fn tell(&self, status: DeploymentStatus, plan: &mut Plan) -> Result<()> {
        // The version of a deployment that is written in this plan is no longer the newest.
        let written = |step: &crate::plan::Step| matches!(step, crate::plan::Step::Update { of, .. } if **of == DEPLOYMENT);
        if *self.deployment.status != status && !plan.steps.iter().any(written) {
            let mut new = self.deployment.clone();
            new.status = status.into();
            plan.status(&DEPLOYMENT, &new)?;
        }
        Ok(())
    }
}

fn progressing(status: &DeploymentStatus) -> Option<&DeploymentCondition> {
    status.conditions.iter().find(|condition| &*condition.type_ == "Progressing")
}

fn deadline_of(deployment: &Deployment) -> Option<std::time::Duration> {
    let limit = deployment.spec.progress_deadline_seconds.filter(|limit| *limit != i32::MAX)?;
    Some(seconds(limit.into()))
}

fn limits_of(deployment: &Deployment) -> Limits {
    let rolling = deployment.spec.strategy.rolling_update.as_deref();
    if &*deployment.spec.strategy.type_ == "Recreate" {
        return Limits { surge: 0, unavailable: 0 };
    }
    Limits::of(
        rolling.and_then(|rolling| rolling.max_surge.as_ref()),
        rolling.and_then(|rolling| rolling.max_unavailable.as_ref()),
        deployment.spec.replicas.unwrap_or(1),
    )
}

/// Whether a replica set has the pods of the deployment's current template.
fn is_of(deployment: &Deployment, set: &ReplicaSet) -> bool {
    let mut template: PodTemplateSpec = (*set.spec.template).clone();
    template.metadata.labels.remove(HASH_LABEL);
    let mut wanted: PodTemplateSpec = (*deployment.spec.template).clone();
    wanted.metadata.labels.remove(HASH_LABEL);
    template == wanted
}

fn asked(set: &ReplicaSet) -> i32 {
    set.spec.replicas.unwrap_or(0)
}

fn revision(set: &dyn Object) -> i64 {
    set.annotation(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
