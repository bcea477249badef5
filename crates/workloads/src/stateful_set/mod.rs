//! Stateful sets: pods with numbers, which keep their names and their volumes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::apps::v1::{ControllerRevision, StatefulSet, StatefulSetStatus};
use client_rs_api::core::v1::{
    PersistentVolumeClaim, PersistentVolumeClaimVolumeSource, Pod, PodTemplateSpec, Volume,
};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::references::{controller_reference, owner_reference};
use client_rs_machinery::{Object, ObjectKey, Rounding, Str, Time, Unstructured};

use crate::claim::claim;
use crate::kind::{CONTROLLER_REVISION, PERSISTENT_VOLUME_CLAIM, POD, STATEFUL_SET};
use crate::plan::{Note, Plan};
use crate::pods::{available_in, from_template, is_available, is_finished, is_ready};
use crate::revisions::{History, POD_REVISION, near, of_pod, template_of};
use crate::shell::{Building, Cluster, Core, Failure, spec_selector};

const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX: &str = "apps.kubernetes.io/pod-index";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let core = StatefulSets {
        pods: cluster.pods(),
        revisions: cluster.lister(&CONTROLLER_REVISION),
        claims: cluster.lister(&PERSISTENT_VOLUME_CLAIM),
    };
    Building::new(cluster, "statefulset", &STATEFUL_SET, options)
        .owns_pods()
        .adopts_pods(spec_selector)
        .owns(&CONTROLLER_REVISION)
        .reads(&PERSISTENT_VOLUME_CLAIM)
        .core(core, recorder)
}

struct StatefulSets {
    pods: Lister<Pod>,
    revisions: Lister<Unstructured>,
    claims: Lister<Unstructured>,
}

impl Core for StatefulSets {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(object) = object else { return Ok(Plan::default()) };
        let set: StatefulSet = object.to_message()?;
        let pods = self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?;
        let wanted = if set.spec.volume_claim_templates.is_empty() {
            Vec::new()
        } else {
            self.claims.namespace(key.namespace.clone()).list(&Selector::everything())?
        };
        let revisions = near(&self.revisions, &set)?;
        plan(&set, pods, revisions, &wanted, now)
    }

    fn failed(&self, object: &Unstructured, failure: &Failure, _: Time) -> Result<Plan> {
        let mut plan = Plan::default();
        if failure.exists && *failure.of == CONTROLLER_REVISION {
            let mut set: StatefulSet = object.to_message()?;
            let status = &mut set.status;
            status.collision_count = Some(status.collision_count.unwrap_or(0) + 1);
            plan.status(&STATEFUL_SET, &set)?;
        }
        Ok(plan)
    }
}

/// Plans the next steps of a stateful set, with the pods and claims of its namespace, and the revisions that it has or may adopt.
fn plan(
    set: &StatefulSet,
    pods: Vec<Arc<Pod>>,
    revisions: Vec<Arc<ControllerRevision>>,
    claims: &[Arc<Unstructured>],
    now: Time,
) -> Result<Plan> {
    let mut plan = Plan::default();
    let Some(selector) = set.spec.selector.as_deref() else { return Ok(plan) };
    let selector = Selector::try_from(selector)?;
    // Pods with other names are none of this set.
    let pods = claim(set, &selector, &POD, pods, |_| true, &mut plan)?;
    let pods: Vec<Arc<Pod>> = pods.into_iter().filter(|pod| ordinal(set, pod).is_some()).collect();
    if set.is_being_deleted() {
        return Ok(plan);
    }
    let history = History {
        owner: set,
        template: &set.spec.template,
        hash_label: "controller.kubernetes.io/hash",
        collisions: set.status.collision_count,
    };
    let revisions = history.claim(&selector, revisions, &mut plan)?;
    let update = history.current(&revisions, &mut plan)?;
    let named = revisions.iter().find(|one| one.metadata.name == set.status.current_revision);
    let current = named.cloned().unwrap_or_else(|| Arc::clone(&update));
    let live = |one: &ControllerRevision| {
        let name = &one.metadata.name;
        *name == update.metadata.name
            || *name == current.metadata.name
            || pods.iter().any(|pod| of_pod(&**pod) == *name)
    };
    History::forget(&revisions, live, set.spec.revision_history_limit, &mut plan);
    let mut run = Run { set, pods: &pods, claims, current, update, now, plan };
    run.decide()?;
    let status = run.status();
    let mut plan = run.plan;
    if *set.status != status {
        let mut new = set.clone();
        new.status = status.into();
        plan.status(&STATEFUL_SET, &new)?;
    }
    Ok(plan)
}

struct Run<'a> {
    set: &'a StatefulSet,
    pods: &'a [Arc<Pod>],
    claims: &'a [Arc<Unstructured>],
    /// The revision that the set had before the update.
    current: Arc<ControllerRevision>,
    /// The revision of the template.
    update: Arc<ControllerRevision>,
    now: Time,
    plan: Plan,
}

impl Run<'_> {
    fn start(&self) -> i32 {
        self.set.spec.ordinals.as_deref().map_or(0, |ordinals| ordinals.start)
    }

    fn replicas(&self) -> i32 {
        self.set.spec.replicas.unwrap_or(1)
    }

    fn end(&self) -> i32 {
        self.start().saturating_add(self.replicas())
    }

    fn is_ordered(&self) -> bool {
        &*self.set.spec.pod_management_policy != "Parallel"
    }

    fn is_healthy(&self, pod: &Pod) -> bool {
        is_running_and_ready(pod) && is_available(pod, self.set.spec.min_ready_seconds, self.now)
    }

    fn decide(&mut self) -> Result<()> {
        self.keep_claims()?;
        let mut by_number: BTreeMap<i32, Arc<Pod>> = BTreeMap::new();
        for pod in self.pods {
            if let Some(number) = ordinal(self.set, pod) {
                by_number.insert(number, Arc::clone(pod));
            }
        }
        let wait =
            self.pods.iter().filter_map(|pod| available_in(pod, self.set.spec.min_ready_seconds, self.now));
        if let Some(wait) = wait.filter(|left| !left.is_zero()).min() {
            self.plan.again_in(wait.max(Duration::from_secs(1)));
        }
        for number in self.start()..self.end() {
            if !self.keep(number, by_number.get(&number))? && self.is_ordered() {
                return Ok(());
            }
        }
        let (start, end) = (self.start(), self.end());
        let mut condemned: Vec<(i32, Arc<Pod>)> = Vec::new();
        let mut wanted: Vec<(i32, Arc<Pod>)> = Vec::new();
        for (number, pod) in by_number {
            if (start..end).contains(&number) { &mut wanted } else { &mut condemned }.push((number, pod));
        }
        // The pod with the lowest number that is not healthy may go although others wait.
        let sick = wanted.iter().chain(&condemned).find(|(_, pod)| !self.is_healthy(pod));
        let sick = sick.map(|(_, pod)| pod.metadata.uid.clone());
        for (_, pod) in condemned.iter().rev() {
            if pod.is_being_deleted() {
                if self.is_ordered() {
                    return Ok(());
                }
                continue;
            }
            if self.is_ordered() && !self.is_healthy(pod) && sick.as_ref() != Some(&pod.metadata.uid) {
                return Ok(());
            }
            self.delete(pod);
            if self.is_ordered() {
                return Ok(());
            }
        }
        self.roll(&wanted);
        Ok(())
    }

    /// Creates or repairs the pod of a number. False if the next number has to wait for it.
    fn keep(&mut self, number: i32, pod: Option<&Arc<Pod>>) -> Result<bool> {
        let Some(pod) = pod else {
            self.create(number)?;
            return Ok(false);
        };
        if is_finished(pod) && !pod.is_being_deleted() {
            let (reason, what) = match &*pod.status.phase {
                "Failed" => ("RecreatingFailedPod", "failed"),
                _ => ("RecreatingTerminatedPod", "terminated"),
            };
            let names = format!("{}/{}", self.set.metadata.namespace, self.set.metadata.name);
            let message = format!("StatefulSet {names} is recreating {what} Pod {}", pod.metadata.name);
            self.plan.tell(Note::warning(reason, message));
            self.delete(pod);
            return Ok(false);
        }
        if pod.is_being_deleted() || !self.is_healthy(pod) {
            return Ok(false);
        }
        let name: Str = pod.metadata.name.clone();
        let number: Str = number.to_string().into();
        let labels = &pod.metadata.labels;
        if labels.get(POD_NAME) != Some(&name) || labels.get(POD_INDEX) != Some(&number) {
            let mut new = Pod::clone(pod);
            new.metadata.labels.insert(POD_NAME, name);
            new.metadata.labels.insert(POD_INDEX, number);
            self.plan.update(&POD, &new)?;
        }
        Ok(true)
    }

    fn delete(&mut self, pod: &Pod) {
        let (pod_name, set) = (&pod.metadata.name, &self.set.metadata.name);
        let message = format!("delete Pod {pod_name} in StatefulSet {set} successful");
        self.plan.delete(&POD, pod, Some(Note::normal("SuccessfulDelete", message)));
    }

    /// Deletes pods that do not have the template's revision, the highest number first.
    fn roll(&mut self, wanted: &[(i32, Arc<Pod>)]) {
        let strategy = &self.set.spec.update_strategy;
        if &*strategy.type_ == "OnDelete" {
            return;
        }
        let rolling = strategy.rolling_update.as_deref();
        let partition = rolling.and_then(|rolling| rolling.partition).unwrap_or(0);
        let most = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
        let most = most.and_then(|most| most.scaled_value(self.replicas(), Rounding::Up).ok()).unwrap_or(1);
        let most = usize::try_from(most).unwrap_or(1).max(1);
        let count = usize::try_from(self.replicas()).unwrap_or(0);
        let healthy = |pod: &Pod| self.is_healthy(pod) && !pod.is_being_deleted();
        let mut unavailable = count.saturating_sub(wanted.iter().filter(|(_, pod)| healthy(pod)).count());
        let mut going = Vec::new();
        for (_, pod) in wanted.iter().rev().filter(|(number, _)| *number >= self.start() + partition) {
            if unavailable >= most && (healthy(pod) || of_pod(&**pod) == self.update.metadata.name) {
                // The others have to become available first.
                break;
            }
            if of_pod(&**pod) != self.update.metadata.name && !pod.is_being_deleted() {
                unavailable += usize::from(healthy(pod));
                going.push(Arc::clone(pod));
                if unavailable >= most {
                    break;
                }
            }
        }
        for pod in &going {
            self.delete(pod);
        }
    }

    /// The revision that a new pod of a number gets.
    fn revision_for(&self, number: i32) -> &Arc<ControllerRevision> {
        let strategy = &self.set.spec.update_strategy;
        let partition = strategy.rolling_update.as_deref().and_then(|rolling| rolling.partition).unwrap_or(0);
        let keeps = &*strategy.type_ == "RollingUpdate" && number < self.start() + partition;
        if keeps { &self.current } else { &self.update }
    }

    fn create(&mut self, number: i32) -> Result<()> {
        let set = self.set;
        let revision = Arc::clone(self.revision_for(number));
        let template: PodTemplateSpec =
            template_of(&revision).unwrap_or_else(|| (*set.spec.template).clone());
        let name = format!("{}-{number}", set.metadata.name);
        let mut pod =
            from_template(&template, &set.metadata.namespace, String::new(), controller_reference(set)?);
        pod.metadata.name = name.as_str().into();
        pod.metadata.labels.insert(POD_REVISION, revision.metadata.name.clone());
        pod.metadata.labels.insert(POD_NAME, name.as_str().into());
        pod.metadata.labels.insert(POD_INDEX, number.to_string().into());
        let spec = &mut pod.spec;
        spec.hostname = name.as_str().into();
        spec.subdomain = set.spec.service_name.clone();
        for template in &set.spec.volume_claim_templates {
            let claim_name = claim_name(set, template, number);
            spec.volumes.retain(|volume| volume.name != template.metadata.name);
            let source = PersistentVolumeClaimVolumeSource {
                claim_name: claim_name.as_str().into(),
                read_only: false,
            };
            let mut volume = Volume { name: template.metadata.name.clone(), ..Volume::EMPTY };
            volume.volume_source.persistent_volume_claim = Some(source.into());
            spec.volumes.push(volume);
            if self.claims.iter().any(|known| known.name() == claim_name) {
                continue;
            }
            let mut claim: PersistentVolumeClaim = template.clone();
            claim.metadata.name = claim_name.as_str().into();
            claim.metadata.namespace = set.metadata.namespace.clone();
            if let Some(selector) = set.spec.selector.as_deref() {
                for (key, value) in &selector.match_labels {
                    claim.metadata.labels.insert(key.clone(), value.clone());
                }
            }
            if self.policy().1 {
                claim.metadata.owner_references = [owner_reference(set)?].into();
            }
            let message =
                format!("create Claim {claim_name} Pod {name} in StatefulSet {} success", set.metadata.name);
            self.plan.create(
                &PERSISTENT_VOLUME_CLAIM,
                &claim,
                Some(Note::normal("SuccessfulCreate", message)),
            )?;
        }
        let message = format!("create Pod {name} in StatefulSet {} successful", set.metadata.name);
        self.plan.create(&POD, &pod, Some(Note::normal("SuccessfulCreate", message)))?;
        Ok(())
    }

    /// Whether claims are deleted when the set is scaled down, and when it is deleted.
    fn policy(&self) -> (bool, bool) {
        let policy = self.set.spec.persistent_volume_claim_retention_policy.as_deref();
        policy.map_or((false, false), |policy| {
            (&*policy.when_scaled == "Delete", &*policy.when_deleted == "Delete")
        })
    }

    /// Gives the claims of pods the owners that the retention policy asks for: the set, or a pod that is to go.
    fn keep_claims(&mut self) -> Result<()> {
        let (when_scaled, when_deleted) = self.policy();
        let set = self.set;
        for pod in self.pods {
            let Some(number) = ordinal(set, pod) else { continue };
            let condemned = !(self.start()..self.end()).contains(&number);
            for template in &set.spec.volume_claim_templates {
                let name = claim_name(set, template, number);
                let Some(claim) = self.claims.iter().find(|claim| claim.name() == name) else { continue };
                let mut wanted: Vec<OwnerReference> = Vec::new();
                if when_scaled && condemned {
                    wanted.push(owner_reference(&**pod)?);
                } else if when_deleted {
                    wanted.push(owner_reference(set)?);
                }
                let ours = |uid: &str| uid == &*set.metadata.uid || uid == &*pod.metadata.uid;
                let has: Vec<&str> =
                    claim.owner_references().map(|owner| owner.uid).filter(|uid| ours(uid)).collect();
                let wants: Vec<&str> = wanted.iter().map(|owner| &*owner.uid).collect();
                if has != wants && !claim.is_being_deleted() {
                    let mut new = Unstructured::clone(claim);
                    let others = claim.owner_references().filter(|owner| !ours(owner.uid));
                    new.set_owner_references(others.chain(wanted.iter().map(Into::into)));
                    self.plan.steps.push(crate::plan::Step::Update {
                        of: &PERSISTENT_VOLUME_CLAIM,
                        object: new,
                        status: false,
                    });
                }
            }
        }
        Ok(())
    }

    fn status(&self) -> StatefulSetStatus {
        let set = self.set;
        let count = |test: &dyn Fn(&Pod) -> bool| {
            i32::try_from(self.pods.iter().filter(|pod| test(pod)).count()).unwrap_or(i32::MAX)
        };
        let is_of = |pod: &Pod, revision: &ControllerRevision| {
            !pod.is_being_deleted() && of_pod(pod) == revision.metadata.name
        };
        let mut status = (*set.status).clone();
        status.observed_generation = set.metadata.generation;
        status.replicas = count(&|_| true);
        status.ready_replicas = count(&is_running_and_ready);
        status.available_replicas = count(&|pod| self.is_healthy(pod));
        status.current_replicas = count(&|pod| is_of(pod, &self.current));
        status.updated_replicas = count(&|pod| is_of(pod, &self.update));
        status.current_revision = self.current.metadata.name.clone();
        status.update_revision = self.update.metadata.name.clone();
        status.collision_count.get_or_insert(0);
        // The update has come to its end.
        if &*set.spec.update_strategy.type_ == "RollingUpdate"
            && status.updated_replicas == status.replicas
            && status.ready_replicas == status.replicas
            && status.replicas == self.replicas()
        {
            status.current_replicas = status.updated_replicas;
            status.current_revision = status.update_revision.clone();
        }
        status
    }
}

fn is_running_and_ready(pod: &Pod) -> bool {
    &*pod.status.phase == "Running" && is_ready(pod)
}

/// The number of a pod, from its name.
fn ordinal(set: &StatefulSet, pod: &Pod) -> Option<i32> {
    let (parent, number) = pod.metadata.name.rsplit_once('-')?;
    (parent == &*set.metadata.name).then(|| number.parse().ok())?.filter(|number| *number >= 0)
}

fn claim_name(set: &StatefulSet, template: &PersistentVolumeClaim, number: i32) -> String {
    format!("{}-{}-{number}", template.metadata.name, set.metadata.name)
}

#[cfg(test)]
mod tests;
