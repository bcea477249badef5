//! Daemon sets: one pod on each node that fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::apps::v1::{ControllerRevision, DaemonSet, DaemonSetStatus};
use client_rs_api::core::v1::{
    Affinity, Node, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod, PodSpec,
    Toleration,
};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{Object, ObjectKey, Rounding, Shared, Str, Time, Unstructured};

use crate::claim::claim;
use crate::kind::{CONTROLLER_REVISION, DAEMON_SET, POD};
use crate::placement::{hinders, selects};
use crate::plan::{Note, Plan};
use crate::pods::{from_template, is_active, is_available, is_finished, is_ready, next_available};
use crate::revisions::{History, POD_REVISION, near, of_pod};
use crate::shell::{Building, Cluster, Core, Failure, spec_selector};

const TEMPLATE_GENERATION: &str = "pod-template-generation";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let core = DaemonSets {
        pods: cluster.pods(),
        nodes: cluster.nodes(),
        revisions: cluster.lister(&CONTROLLER_REVISION),
    };
    let matters = |old: &Node, new: &Node| {
        old.metadata.labels != new.metadata.labels
            || old.spec.taints != new.spec.taints
            || old.spec.unschedulable != new.spec.unschedulable
    };
    Building::new(cluster, "daemonset", &DAEMON_SET, options)
        .owns_pods()
        .adopts_pods(spec_selector)
        .owns(&CONTROLLER_REVISION)
        .watches_nodes(matters)
        .core(core, recorder)
}

struct DaemonSets {
    pods: Lister<Pod>,
    nodes: Lister<Node>,
    revisions: Lister<Unstructured>,
}

impl Core for DaemonSets {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(object) = object else { return Ok(Plan::default()) };
        let set: DaemonSet = object.to_message()?;
        let pods = self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?;
        let revisions = near(&self.revisions, &set)?;
        plan(&set, pods, &self.nodes.list(&Selector::everything()), revisions, now)
    }

    fn failed(&self, object: &Unstructured, failure: &Failure, _: Time) -> Result<Plan> {
        let mut plan = Plan::default();
        if failure.exists && *failure.of == CONTROLLER_REVISION {
            let mut set: DaemonSet = object.to_message()?;
            let status = &mut set.status;
            status.collision_count = Some(status.collision_count.unwrap_or(0) + 1);
            plan.status(&DAEMON_SET, &set)?;
        }
        Ok(plan)
    }
}

/// Plans the next steps of a daemon set, with the pods of its namespace, all nodes, and the revisions that it has or may adopt.
fn plan(
    set: &DaemonSet,
    pods: Vec<Arc<Pod>>,
    nodes: &[Arc<Node>],
    revisions: Vec<Arc<ControllerRevision>>,
    now: Time,
) -> Result<Plan> {
    let mut plan = Plan::default();
    let Some(selector) = set.spec.selector.as_deref() else { return Ok(plan) };
    if selector.match_labels.is_empty() && selector.match_expressions.is_empty() {
        let message = "This daemon set is selecting all pods. A non-empty selector is required.";
        plan.tell(Note::warning("SelectingAll", message));
        return Ok(plan);
    }
    let selector = Selector::try_from(selector)?;
    let own = claim(set, &selector, &POD, pods, is_active, &mut plan)?;
    if set.is_being_deleted() {
        return Ok(plan);
    }
    let history = History {
        owner: set,
        template: &set.spec.template,
        hash_label: POD_REVISION,
        collisions: set.status.collision_count,
    };
    let revisions = history.claim(&selector, revisions, &mut plan)?;
    let current = history.current(&revisions, &mut plan)?;
    let hash = of_pod(&*current);
    let is_live = |one: &ControllerRevision| {
        let own_hash = of_pod(one);
        own_hash == hash || own.iter().any(|pod| of_pod(&**pod) == own_hash)
    };
    History::forget(&revisions, is_live, set.spec.revision_history_limit, &mut plan);
    let mut on: BTreeMap<Str, Vec<Arc<Pod>>> = BTreeMap::new();
    for pod in &own {
        on.entry(target(pod)).or_default().push(Arc::clone(pod));
    }
    let run = Run { set, spec: tolerant(&set.spec.template.spec), nodes, on, hash, now };
    let managed = plan.steps.len();
    run.manage(&mut plan)?;
    if plan.steps.len() == managed {
        run.roll(&mut plan)?;
    }
    if let Some(left) = next_available(&own, set.spec.min_ready_seconds, now) {
        plan.again_in(left);
    }
    let status = run.status();
    if *set.status != status {
        let mut new = set.clone();
        new.status = status.into();
        plan.status(&DAEMON_SET, &new)?;
    }
    Ok(plan)
}

/// Whether a pod may be put on a node, and whether it may stay there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fit {
    runs: bool,
    stays: bool,
}

struct Run<'a> {
    set: &'a DaemonSet,
    /// The pod of the template, with the tolerations of daemon pods.
    spec: PodSpec,
    nodes: &'a [Arc<Node>],
    /// The pods of the set by the node that they are on or for.
    on: BTreeMap<Str, Vec<Arc<Pod>>>,
    /// The hash of the current template.
    hash: Str,
    now: Time,
}

impl Run<'_> {
    fn fit(&self, node: &Node) -> Fit {
        if !selects(&self.spec, node) {
            return Fit { runs: false, stays: false };
        }
        if hinders(&self.spec, node, &["NoSchedule", "NoExecute"]).is_some() {
            return Fit { runs: false, stays: hinders(&self.spec, node, &["NoExecute"]).is_none() };
        }
        Fit { runs: true, stays: true }
    }

    fn pods_on(&self, node: &Node) -> &[Arc<Pod>] {
        self.on.get(&node.metadata.name).map_or(&[], Vec::as_slice)
    }

    /// Creates the pods that are missing, and deletes those that are too many.
    fn manage(&self, plan: &mut Plan) -> Result<()> {
        for node in self.nodes {
            let (fit, pods) = (self.fit(node), self.pods_on(node));
            let mut running: Vec<&Arc<Pod>> = Vec::new();
            for pod in pods {
                if pod.is_being_deleted() {
                    continue;
                }
                if !fit.stays {
                    plan.delete_pod(&**pod);
                } else if is_finished(pod) {
                    let (reason, what) = match &*pod.status.phase {
                        "Failed" => ("FailedDaemonPod", "failed"),
                        _ => ("SucceededDaemonPod", "succeeded"),
                    };
                    let place = format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
                    let message = format!(
                        "Found {what} daemon pod {place} on node {}, will try to delete it",
                        node.metadata.name
                    );
                    let note = if what == "failed" {
                        Note::warning(reason, message)
                    } else {
                        Note::normal(reason, message)
                    };
                    plan.tell(note);
                    plan.delete_pod(&**pod);
                } else {
                    running.push(pod);
                }
            }
            if fit.runs && running.is_empty() && pods.iter().all(|pod| is_finished(pod)) {
                plan.create_pod(&self.pod(node)?)?;
            }
            if self.surge() == 0 && running.len() > 1 {
                running.sort_by_key(|pod| {
                    (!is_ready(pod), pod.metadata.creation_timestamp, pod.metadata.name.clone())
                });
                running[1..].iter().for_each(|pod| plan.delete_pod(&***pod));
            }
        }
        // A pod whose node is gone has no place.
        let known = |name: &Str| self.nodes.iter().any(|node| node.metadata.name == *name);
        for (_, pods) in self.on.iter().filter(|(name, _)| !name.is_empty() && !known(name)) {
            pods.iter().filter(|pod| !pod.is_being_deleted()).for_each(|pod| plan.delete_pod(&**pod));
        }
        Ok(())
    }

    fn desired(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.nodes.iter().filter(|node| self.fit(node).runs)
    }

    fn limit(&self, value: Option<&client_rs_machinery::IntOrString>, without: i64) -> usize {
        let count = i64::try_from(self.desired().count()).unwrap_or(0);
        let limit = value.map_or(without, |value| value.scaled_value(count, Rounding::Up).unwrap_or(0));
        usize::try_from(limit).unwrap_or(0)
    }

    fn surge(&self) -> usize {
        let strategy = &self.set.spec.update_strategy;
        let rolling = strategy.rolling_update.as_deref().filter(|_| &*strategy.type_ == "RollingUpdate");
        self.limit(rolling.and_then(|rolling| rolling.max_surge.as_ref()), 0)
    }

    fn is_available(&self, pod: &Pod) -> bool {
        !pod.is_being_deleted() && is_available(pod, self.set.spec.min_ready_seconds, self.now)
    }

    /// Replaces pods of older templates, as many as may be missing at a time.
    fn roll(&self, plan: &mut Plan) -> Result<()> {
        let strategy = &self.set.spec.update_strategy;
        if &*strategy.type_ == "OnDelete" {
            return Ok(());
        }
        let rolling = strategy.rolling_update.as_deref();
        let surge = self.surge();
        if surge > 0 {
            return self.surge_over(surge, plan);
        }
        let most = self.limit(rolling.and_then(|rolling| rolling.max_unavailable.as_ref()), 1).max(1);
        let mut missing = 0;
        let (mut sick, mut healthy) = (Vec::new(), Vec::new());
        for node in self.desired() {
            let pods = self.pods_on(node);
            match pods.iter().find(|pod| is_active(pod)) {
                Some(pod) if self.is_available(pod) => {
                    if of_pod(&**pod) != self.hash {
                        healthy.push(pod);
                    }
                }
                other => {
                    missing += 1;
                    // It is not available anyway.
                    sick.extend(other.filter(|pod| of_pod(&***pod) != self.hash));
                }
            }
        }
        let room = most.saturating_sub(missing);
        sick.into_iter().chain(healthy.into_iter().take(room)).for_each(|pod| plan.delete_pod(&**pod));
        Ok(())
    }

    /// Creates the new pod of a node next to the old one, which goes when the new one is available.
    fn surge_over(&self, most: usize, plan: &mut Plan) -> Result<()> {
        let mut surging = 0;
        let mut waiting = Vec::new();
        for node in self.desired() {
            let active: Vec<&Arc<Pod>> = self.pods_on(node).iter().filter(|pod| is_active(pod)).collect();
            let old = active.iter().find(|pod| of_pod(&****pod) != self.hash);
            let new = active.iter().find(|pod| of_pod(&****pod) == self.hash);
            match (old, new) {
                (Some(old), Some(new)) => {
                    surging += 1;
                    if self.is_available(new) {
                        plan.delete_pod(&***old);
                    }
                }
                (Some(old), None) if !self.is_available(old) => {
                    plan.create_pod(&self.pod(node)?)?;
                }
                (Some(_), None) => waiting.push(node),
                _ => {}
            }
        }
        for node in waiting.into_iter().take(most.saturating_sub(surging)) {
            plan.create_pod(&self.pod(node)?)?;
        }
        Ok(())
    }

    fn pod(&self, node: &Node) -> Result<Pod> {
        let set = self.set;
        let name = format!("{}-", set.metadata.name);
        let owner = controller_reference(set)?;
        let mut pod = from_template(&set.spec.template, &set.metadata.namespace, name, owner);
        pod.metadata.labels.insert(POD_REVISION, self.hash.clone());
        let generation = set.annotation("deprecated.daemonset.template.generation").unwrap_or("1");
        pod.metadata.labels.insert(TEMPLATE_GENERATION, generation.into());
        pod.spec = self.spec.clone().into();
        // The scheduler puts it on its node.
        let field = NodeSelectorRequirement {
            key: "metadata.name".into(),
            operator: "In".into(),
            values: [node.metadata.name.clone()].into(),
        };
        let affinity = pod.spec.affinity.get_or_insert_with(|| Affinity::EMPTY.into());
        let affinity = affinity.node_affinity.get_or_insert_with(|| NodeAffinity::EMPTY.into());
        let required = &mut affinity.required_during_scheduling_ignored_during_execution;
        let terms = required.as_deref().map(|known| known.node_selector_terms.to_vec()).unwrap_or_default();
        let terms = if terms.is_empty() { vec![NodeSelectorTerm::EMPTY] } else { terms };
        let terms =
            terms.into_iter().map(|term| NodeSelectorTerm { match_fields: [field.clone()].into(), ..term });
        *required = Some(NodeSelector { node_selector_terms: terms.collect() }.into());
        Ok(pod)
    }

    fn status(&self) -> DaemonSetStatus {
        let mut status = (*self.set.status).clone();
        status.observed_generation = self.set.metadata.generation;
        let (mut desired, mut current, mut wrong, mut ready, mut updated, mut available) = (0, 0, 0, 0, 0, 0);
        for node in self.nodes {
            let pods: Vec<&Arc<Pod>> = self.pods_on(node).iter().filter(|pod| is_active(pod)).collect();
            if !self.fit(node).runs {
                wrong += i32::from(!pods.is_empty());
                continue;
            }
            desired += 1;
            current += i32::from(!pods.is_empty());
            ready += i32::from(pods.iter().any(|pod| is_ready(pod)));
            available += i32::from(pods.iter().any(|pod| self.is_available(pod)));
            updated += i32::from(pods.iter().any(|pod| of_pod(&***pod) == self.hash));
        }
        status.desired_number_scheduled = desired;
        status.current_number_scheduled = current;
        status.number_misscheduled = wrong;
        status.number_ready = ready;
        status.updated_number_scheduled = updated;
        status.number_available = available;
        status.number_unavailable = desired - available;
        status
    }
}

/// The node that a daemon pod is on, or made for.
fn target(pod: &Pod) -> Str {
    if !pod.spec.node_name.is_empty() {
        return pod.spec.node_name.clone();
    }
    let affinity = pod.spec.affinity.as_deref().and_then(|affinity| affinity.node_affinity.as_deref());
    let required =
        affinity.and_then(|one| one.required_during_scheduling_ignored_during_execution.as_deref());
    let fields = required.into_iter().flat_map(|one| one.node_selector_terms.iter());
    let mut fields = fields.flat_map(|term| term.match_fields.iter());
    let named = fields.find(|need| &*need.key == "metadata.name");
    named.and_then(|need| need.values.first().cloned()).unwrap_or_default()
}

/// The spec of a template with the tolerations of daemon pods: they run where others may not.
fn tolerant(spec: &Shared<PodSpec>) -> PodSpec {
    let mut spec = (**spec).clone();
    let mut all = vec![
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
    ];
    if spec.host_network {
        all.push(("network-unavailable", "NoSchedule"));
    }
    for (key, effect) in all {
        let toleration = Toleration {
            key: format!("node.kubernetes.io/{key}").into(),
            operator: "Exists".into(),
            effect: effect.into(),
            ..Toleration::EMPTY
        };
        if !spec.tolerations.contains(&toleration) {
            spec.tolerations.push(toleration);
        }
    }
    spec
}

#[cfg(test)]
mod tests;
