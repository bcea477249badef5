//! Simulated nodes: they accept pods, report that these run, and remove them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_api::coordination::v1::{Lease, LeaseSpec};
use client_rs_api::core::v1::{
    Binding, Node, NodeAddress, NodeCondition, NodeStatus, ObjectReference, Pod, PodCondition,
};
use client_rs_cache::Lister;
use client_rs_client::Error;
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, Reconciler, Result, RunnableController,
};
use client_rs_events::{EventRecorder, EventType};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
use client_rs_machinery::{MicroTime, Object, ObjectKey, Quantity, Str, Time};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::placement::{clash, fits, patience, takes_host_ports};
use crate::pod_status::{Played, deleted_since, grace_of, killed};
use crate::pods::{is_active, is_finished};
use crate::runner::WorkloadsOptions;

/// The label of the nodes that are played here; no other node's pods are touched. The embedded server knows it too, and
/// refuses requests that such a node would have to answer.
pub(crate) const PLAYED: &str = "client-rs.dev/played";
/// The interval of a node's heartbeats, as of a kubelet.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often a pod that finds no free port of a host is looked at.
const PORTS: Duration = Duration::from_secs(5);
const LEASES: &str = "kube-node-lease";
/// How long the lease of a node is valid.
const LEASE_SECONDS: i32 = 40;

/// Assigns pods to simulated nodes, and writes the status that a kubelet would write.
#[derive(Debug)]
pub(crate) struct NodeController {
    clientset: Clientset,
    pods: Lister<Pod>,
    nodes: Lister<Node>,
    /// Where pods were placed whose cached copies do not show it yet.
    assumed: Mutex<HashMap<ObjectKey, Str>>,
    /// Since when pods are on a node whose taints they do not tolerate forever.
    tainted: Mutex<HashMap<Str, Time>>,
    clock: Clock,
    /// Records the events of the scheduler.
    recorder: EventRecorder,
    /// Records evictions from tainted nodes.
    evictions: EventRecorder,
    /// Records that a node does not run a pod.
    kubelet: EventRecorder,
    /// How long a pod takes to start.
    start_delay: Duration,
    /// How long a pod takes to stop, within its grace period.
    stop_delay: Duration,
    /// How long a pod of a job runs.
    run_time: Option<Duration>,
    /// Whether the status of pods is written.
    pod_status: bool,
}

impl NodeController {
    /// The controller with its sources: pods, and nodes for the pods on them.
    pub(crate) fn build(
        clientset: Clientset,
        factory: &SharedInformerFactory,
        clock: Clock,
        [recorder, evictions, kubelet]: [EventRecorder; 3],
        of: &WorkloadsOptions,
        options: ControllerOptions,
    ) -> RunnableController {
        let (pods, nodes) = (factory.core().v1().pods(), factory.core().v1().nodes());
        let of_node = pods.lister();
        let this = Self {
            clientset,
            pods: pods.lister(),
            nodes: nodes.lister(),
            assumed: Mutex::default(),
            tainted: Mutex::default(),
            clock,
            recorder,
            evictions,
            kubelet,
            start_delay: of.start_delay,
            stop_delay: of.stop_delay,
            run_time: of.run_time,
            pod_status: of.pod_status,
        };
        Controller::with_options("node", pods.informer(), options)
            .watches(&nodes.informer(), move |node: &Arc<Node>| {
                let pods = of_node.list(&Selector::everything());
                let waits_or_is_here = |pod: &Arc<Pod>| {
                    pod.spec.node_name.is_empty() || pod.spec.node_name == node.metadata.name
                };
                pods.iter().filter(|pod| waits_or_is_here(pod)).map(|pod| pod.key()).collect::<Vec<_>>()
            })
            .reconcile(this)
    }

    /// The node with the fewest pods, of those that the pod may run on. The pod is assumed to be there until the cache shows
    /// where it is: what is placed next must not count on a cache that lags.
    fn choose(&self, wanted: &Pod) -> Option<Arc<Node>> {
        let mut nodes = self.nodes.list(&Selector::everything());
        nodes.retain(|node| is_played(node) && !node.is_being_deleted() && fits(wanted, node));
        let pods = self.pods.list(&Selector::everything());
        let mut assumed = self.assumed.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut load, mut waiting) = (HashMap::<Str, usize>::new(), HashMap::new());
        for pod in pods.iter().filter(|pod| is_active(pod)) {
            let mut node = pod.spec.node_name.clone();
            if node.is_empty()
                && let Some((key, chosen)) = assumed.remove_entry(&pod.key())
            {
                node = chosen.clone();
                waiting.insert(key, chosen);
            }
            if !node.is_empty() && clash(&wanted.spec, &pod.spec) {
                nodes.retain(|one| one.metadata.name != node);
            }
            *load.entry(node).or_default() += 1;
        }
        // The others are where they were to be, or gone.
        *assumed = waiting;
        let chosen = nodes.into_iter().min_by_key(|node| {
            (load.get(&node.metadata.name).copied().unwrap_or(0), node.metadata.name.clone())
        })?;
        assumed.insert(wanted.key(), chosen.metadata.name.clone());
        Some(chosen)
    }

    async fn bind(&self, pod: &Pod, node: &Node) -> Result<()> {
        let (namespace, name) = (pod.metadata.namespace.clone(), &pod.metadata.name);
        let binding = Binding {
            metadata: ObjectMeta { name: name.clone(), namespace: namespace.clone(), ..ObjectMeta::EMPTY },
            target: ObjectReference {
                kind: "Node".into(),
                name: node.metadata.name.clone(),
                ..ObjectReference::EMPTY
            }
            .into(),
        };
        match self.clientset.core_v1().pods(namespace).binding(name).create(binding).await {
            Ok(_) => {
                let message = format!("Successfully assigned {} to {}", pod.key(), node.metadata.name);
                self.recorder.event(pod, EventType::Normal, "Scheduled", message);
                Ok(())
            }
            // Somebody else has placed it, or it is gone.
            Err(error) if error.is_conflict() || error.is_not_found() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reports in the status of a pod that no node fits.
    async fn report_unschedulable(&self, pod: &Arc<Pod>) -> Result<()> {
        let count = self.nodes.list(&Selector::everything()).len();
        let message =
            format!("0/{count} nodes are available: none matches the pod's selectors and tolerations.");
        let known = pod.status.conditions.iter().find(|condition| &*condition.type_ == "PodScheduled");
        if known.is_some_and(|known| &*known.reason == "Unschedulable" && known.message == message.as_str()) {
            return Ok(());
        }
        self.recorder.event(&**pod, EventType::Warning, "FailedScheduling", &message);
        let mut new = Pod::clone(pod);
        let conditions = &mut new.status.conditions;
        conditions.retain(|condition| &*condition.type_ != "PodScheduled");
        conditions.push(PodCondition {
            type_: "PodScheduled".into(),
            status: "False".into(),
            reason: "Unschedulable".into(),
            message: message.into(),
            observed_generation: pod.metadata.generation,
            last_transition_time: Some(self.clock.now()),
            ..PodCondition::EMPTY
        });
        self.write_status(new).await
    }

    async fn write_status(&self, pod: Pod) -> Result<()> {
        match self.clientset.core_v1().pods(pod.metadata.namespace.clone()).update_status(pod).await {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// How long a pod may stay on its node; `None` is forever. The time begins when the taint is first seen, as that is all
    /// that the real controller knows of it.
    fn may_stay(&self, pod: &Pod, node: &Node) -> Option<Duration> {
        let mut tainted = self.tainted.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(limit) = patience(&pod.spec, node) else {
            if tainted.remove(&pod.metadata.uid).is_some() {
                let message = format!("Cancelling deletion of Pod {}", pod.key());
                self.evictions.event(pod, EventType::Normal, "TaintManagerEviction", message);
            }
            return None;
        };
        let now = self.clock.now();
        let since = *tainted.entry(pod.metadata.uid.clone()).or_insert(now);
        Some(limit.saturating_sub(crate::clock::since(since, now)))
    }

    /// Whether a new pod has a port of its host that another pod of the node has. The scheduler places no such pod, but a pod may name
    /// its node itself.
    fn takes_used_port(&self, pod: &Pod) -> bool {
        let runs_here = |other: &Arc<Pod>| {
            other.spec.node_name == pod.spec.node_name
                && other.metadata.uid != pod.metadata.uid
                && other.status.start_time.is_some()
                && !is_finished(other)
        };
        pod.status.start_time.is_none()
            && takes_host_ports(&pod.spec)
            && self
                .pods
                .list(&Selector::everything())
                .iter()
                .any(|other| runs_here(other) && clash(&pod.spec, &other.spec))
    }

    /// Reports that the node does not run a pod, as a kubelet does.
    async fn reject(&self, pod: &Arc<Pod>) -> Result<()> {
        let why = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
        self.kubelet.event(&**pod, EventType::Warning, "NodePorts", why);
        let mut new = Pod::clone(pod);
        new.status.phase = "Failed".into();
        new.status.reason = "NodePorts".into();
        new.status.message = format!("Pod was rejected: {why}").into();
        new.status.observed_generation = pod.metadata.generation;
        self.write_status(new).await
    }

    /// Deletes a pod that may not stay on its node, and says why in its status.
    async fn evict(&self, pod: &Arc<Pod>) -> Result<()> {
        let message = format!("Marking for deletion Pod {}", pod.key());
        self.evictions.event(&**pod, EventType::Normal, "TaintManagerEviction", message);
        let mut new = Pod::clone(pod);
        let conditions = &mut new.status.conditions;
        conditions.retain(|condition| &*condition.type_ != "DisruptionTarget");
        conditions.push(PodCondition {
            type_: "DisruptionTarget".into(),
            status: "True".into(),
            reason: "DeletionByTaintManager".into(),
            message: "Taint manager: deleting due to NoExecute taint".into(),
            observed_generation: pod.metadata.generation,
            last_transition_time: Some(self.clock.now()),
            ..PodCondition::EMPTY
        });
        self.write_status(new).await?;
        let pods = self.clientset.core_v1().pods(pod.metadata.namespace.clone());
        match pods.delete(&pod.metadata.name).if_uid(pod.metadata.uid.clone()).await {
            Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Forgets the pods that are gone.
    fn forget(&self) {
        let mut tainted = self.tainted.lock().unwrap_or_else(PoisonError::into_inner);
        if tainted.is_empty() {
            return;
        }
        let known = self.pods.list(&Selector::everything());
        let uids: HashSet<&Str> = known.iter().map(|pod| &pod.metadata.uid).collect();
        tainted.retain(|uid, _| uids.contains(uid));
    }

    async fn let_go(&self, pod: &Pod) -> Result<()> {
        let pods = self.clientset.core_v1().pods(pod.metadata.namespace.clone());
        match pods
            .delete(&pod.metadata.name)
            .grace_period(Duration::ZERO)
            .if_uid(pod.metadata.uid.clone())
            .await
        {
            // A pod that took the name meanwhile is another pod.
            Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Does for a pod on a node what others than its kubelet do.
    async fn only_place(&self, pod: &Arc<Pod>, node: &Node) -> Result {
        let stays = if is_active(pod) { self.may_stay(pod, node) } else { None };
        if stays.is_some_and(|left| left.is_zero()) {
            self.evict(pod).await?;
        }
        Ok(stays.filter(|left| !left.is_zero()).map_or_else(Action::done, Action::requeue_after))
    }

    /// An address that no other pod has, as far as is known.
    fn free_address(&self, pod: &Pod) -> String {
        let others = self.pods.list(&Selector::everything());
        let taken: HashSet<&str> = others.iter().map(|other| &*other.status.pod_ip).collect();
        pod_address(&pod.metadata.uid, |address| taken.contains(address))
    }

    /// Writes the status that the kubelet of a node would write now. Returns when it changes again.
    async fn report(&self, pod: &Arc<Pod>, node: &Node) -> Result<Option<Duration>> {
        let now = self.clock.now();
        let host = node.status.addresses.iter().find(|address| &*address.type_ == "InternalIP");
        let host = host.map(|address| address.address.clone()).unwrap_or_default();
        let address = if pod.status.pod_ip.is_empty() {
            Str::from(self.free_address(pod))
        } else {
            pod.status.pod_ip.clone()
        };
        let (status, next) = Played { host, address, run_time: self.run_time }.status_of(pod, now);
        if *pod.status != status {
            let mut new = Pod::clone(pod);
            new.status = status.into();
            self.write_status(new).await?;
        }
        Ok(next)
    }
}

impl Reconciler for NodeController {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result {
        let pod = match self.pods.get(&key) {
            Ok(pod) => pod,
            Err(error) if error.is_not_found() => {
                self.forget();
                return Ok(Action::done());
            }
            Err(error) => return Err(error.into()),
        };
        if pod.spec.node_name.is_empty() {
            if pod.is_being_deleted() && !is_finished(&pod) && self.pod_status {
                // No node will report its end to the owner of its finalizer.
                let mut new = Pod::clone(&pod);
                new.status.phase = "Failed".into();
                self.write_status(new).await?;
                return Ok(Action::done());
            }
            if !is_active(&pod) || !pod.spec.scheduling_gates.is_empty() {
                return Ok(Action::done());
            }
            let Some(node) = self.choose(&pod) else {
                self.report_unschedulable(&pod).await?;
                // A port of a host is free again when another pod is gone.
                let waits = takes_host_ports(&pod.spec);
                return Ok(if waits { Action::requeue_after(PORTS) } else { Action::done() });
            };
            if let Err(error) = self.bind(&pod, &node).await {
                self.assumed.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
                return Err(error);
            }
            return Ok(Action::done());
        }
        let node = match self.nodes.get(&ObjectKey::cluster(pod.spec.node_name.clone())) {
            Ok(node) if is_played(&node) => node,
            Ok(_) => return Ok(Action::done()),
            // The node is gone, and the pod with it.
            Err(error) if error.is_not_found() => {
                self.let_go(&pod).await?;
                return Ok(Action::done());
            }
            Err(error) => return Err(error.into()),
        };
        if !self.pod_status {
            return self.only_place(&pod, &node).await;
        }
        if pod.is_being_deleted() {
            let left =
                self.stop_delay.min(grace_of(&pod)).saturating_sub(deleted_since(&pod, self.clock.now()));
            if !left.is_zero() {
                return Ok(Action::requeue_after(left));
            }
            // The owner of a finalizer needs to know how the pod ended.
            if !pod.metadata.finalizers.is_empty() && !is_finished(&pod) {
                let mut new = Pod::clone(&pod);
                new.status = killed(&pod, self.clock.now()).into();
                self.write_status(new).await?;
                return Ok(Action::done());
            }
            if pod.metadata.finalizers.is_empty() || pod.metadata.deletion_grace_period_seconds != Some(0) {
                self.let_go(&pod).await?;
            }
        } else if is_active(&pod) {
            if self.takes_used_port(&pod) {
                self.reject(&pod).await?;
                return Ok(Action::done());
            }
            let stays = self.may_stay(&pod, &node);
            if stays.is_some_and(|left| left.is_zero()) {
                self.evict(&pod).await?;
                return Ok(Action::done());
            }
            let now = self.clock.now();
            let age = pod.metadata.creation_timestamp.map_or(0, |made| now.seconds() - made.seconds());
            let waits = self.start_delay.saturating_sub(Duration::from_secs(u64::try_from(age).unwrap_or(0)));
            let next = if !waits.is_zero() && pod.status.start_time.is_none() {
                Some(waits)
            } else {
                self.report(&pod, &node).await?
            };
            if let Some(next) = next.into_iter().chain(stays).min() {
                return Ok(Action::requeue_after(next));
            }
        }
        Ok(Action::done())
    }
}

/// Creates the nodes that are not there, with the status of nodes that are ready since some time, or without a status.
pub(crate) async fn create_nodes(
    clientset: &Clientset,
    count: usize,
    status_at: Option<Time>,
) -> Result<(), Error> {
    for index in 1..=count {
        let name = format!("node-{index}");
        let mut labels = client_rs_machinery::Map::default();
        labels.insert(PLAYED, "true".into());
        labels.insert("kubernetes.io/hostname", name.as_str().into());
        let node = Node {
            metadata: ObjectMeta { name: name.as_str().into(), labels, ..ObjectMeta::EMPTY },
            ..Node::EMPTY
        };
        let mut made = match clientset.core_v1().nodes().create(node).await {
            Ok(made) => made,
            Err(error) if error.is_already_exists() => {
                let existing = clientset.core_v1().nodes().get(&name).await?;
                // A process that ended after it had created the node has left it without a status.
                if !is_played(&existing) || !existing.status.conditions.is_empty() {
                    continue;
                }
                existing
            }
            Err(error) => return Err(error),
        };
        // A new node has the not-ready taint.
        if !made.spec.taints.is_empty() {
            made.spec.taints = client_rs_machinery::List::default();
            made = clientset.core_v1().nodes().update(made).await?;
        }
        if let Some(now) = status_at {
            made.status = status(index, now).into();
            clientset.core_v1().nodes().update_status(made).await?;
        }
    }
    Ok(())
}

/// Renews the leases of the nodes, as kubelets do. The status of a node is written far less often: it says what the node is, and the lease
/// that it is there.
pub(crate) async fn heartbeat(
    clientset: Clientset,
    nodes: Lister<Node>,
    clock: Clock,
    stop: CancellationToken,
) -> Result<(), Error> {
    loop {
        for node in nodes.list(&Selector::everything()).iter().filter(|node| is_played(node)) {
            if let Err(error) = renew(&clientset, node, clock.exactly().into()).await {
                // The next one may do better, and a node is given more than one.
                tracing::warn!(node = %node.metadata.name, %error, "a heartbeat failed");
            }
        }
        if stop.run_until_cancelled(tokio::time::sleep(HEARTBEAT)).await.is_none() {
            return Ok(());
        }
    }
}

async fn renew(clientset: &Clientset, node: &Node, now: MicroTime) -> Result<(), Error> {
    let leases = clientset.coordination_v1().leases(LEASES);
    let found = match leases.get(&node.metadata.name).await {
        Ok(lease) => Some(lease),
        Err(error) if error.is_not_found() => None,
        Err(error) => return Err(error),
    };
    let exists = found.is_some();
    match renewed(found, node, now) {
        Some(lease) if exists => drop(leases.update(lease).await?),
        Some(lease) => drop(leases.create(lease).await?),
        None => {}
    }
    Ok(())
}

/// The lease of a node after a heartbeat. `None` if another holder has it, and it has not expired.
fn renewed(found: Option<Lease>, node: &Node, now: MicroTime) -> Option<Lease> {
    let name = &node.metadata.name;
    let mut lease = found.unwrap_or_else(|| Lease {
        metadata: ObjectMeta { name: name.clone(), namespace: LEASES.into(), ..ObjectMeta::EMPTY },
        ..Lease::EMPTY
    });
    let mut spec = LeaseSpec::clone(&lease.spec);
    if spec.holder_identity.as_ref() != Some(name) {
        let end = spec
            .renew_time
            .zip(spec.lease_duration_seconds)
            .and_then(|(renewed, seconds)| renewed.checked_add(crate::clock::seconds(seconds.into()).into()));
        if spec.holder_identity.is_some() {
            if end.is_some_and(|end| end >= now) {
                return None;
            }
            spec.lease_transitions = Some(spec.lease_transitions.unwrap_or(0).saturating_add(1));
        }
        spec.holder_identity = Some(name.clone());
        spec.lease_duration_seconds = Some(LEASE_SECONDS);
    }
    spec.renew_time = Some(now);
    lease.spec = spec.into();
    if lease.metadata.owner_references.is_empty() {
        // The lease goes with its node.
        let owner = OwnerReference {
            api_version: "v1".into(),
            kind: "Node".into(),
            name: name.clone(),
            uid: node.metadata.uid.clone(),
            ..OwnerReference::EMPTY
        };
        lease.metadata.owner_references = [owner].into();
    }
    Some(lease)
}

fn status(index: usize, now: Time) -> NodeStatus {
    let now = Some(now);
    let mut capacity = client_rs_machinery::Map::<Quantity>::default();
    for (resource, amount) in [("cpu", "8"), ("memory", "32Gi"), ("pods", "110")] {
        if let Ok(amount) = amount.parse() {
            capacity.insert(resource, amount);
        }
    }
    NodeStatus {
        allocatable: capacity.clone(),
        capacity,
        conditions: [NodeCondition {
            type_: "Ready".into(),
            status: "True".into(),
            reason: "KubeletReady".into(),
            last_heartbeat_time: now,
            last_transition_time: now,
            ..NodeCondition::EMPTY
        }]
        .into(),
        addresses: [NodeAddress { type_: "InternalIP".into(), address: node_address(index).into() }].into(),
        ..NodeStatus::EMPTY
    }
}

fn is_played(node: &Node) -> bool {
    node.metadata.labels.get(PLAYED).is_some()
}

/// An address of a played node: of a network for documentation (RFC 5737, and RFC 3849 once that is used up), so that it
/// is nobody's on whatever network this runs.
fn node_address(index: usize) -> String {
    match u8::try_from(index) {
        Ok(last @ 1..=254) => format!("192.0.2.{last}"),
        _ => format!("2001:db8::{:x}:{:x}", (index >> 16) & 0xffff, index & 0xffff),
    }
}

/// An address that is the pod's alone, of the network for benchmarks (RFC 2544), which is nobody's either: the pod's UID
/// chooses one, and the next that is not taken is the pod's.
fn pod_address(uid: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const SIZE: u32 = 1 << 17;
    let sum = uid.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let address = |number: u32| {
        let [_, b, c, d] = (number % SIZE).to_be_bytes();
        format!("198.{}.{c}.{d}", 18 + b)
    };
    let mut free = (0..SIZE).map(|step| address(sum.wrapping_add(step))).filter(|address| !is_taken(address));
    free.next().unwrap_or_else(|| address(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn played_nodes_and_pods_have_addresses_that_are_nobodys() {
        assert_eq!(node_address(1), "192.0.2.1");
        assert_eq!(node_address(254), "192.0.2.254");
        assert_eq!(node_address(255), "2001:db8::0:ff");
        assert!(node_address(70_000).parse::<std::net::Ipv6Addr>().is_ok());
        let first = pod_address("a-uid", |_| false);
        let octets = first.parse::<std::net::Ipv4Addr>().unwrap().octets();
        assert!(matches!(octets, [198, 18 | 19, ..]), "{first}");
        let second = pod_address("a-uid", |address| address == first);
        assert_ne!(first, second);
        assert!(second.starts_with("198.1"), "{second}");
        // The last address of the network is followed by its first.
        assert!(pod_address("z", |_| true).starts_with("198.1"));
    }

    fn node(uid: &str) -> Node {
        Node {
            metadata: ObjectMeta { name: "n".into(), uid: uid.into(), ..ObjectMeta::EMPTY },
            ..Node::EMPTY
        }
    }

    #[test]
    fn a_lease_is_renewed_unless_another_holder_has_it() {
        let at = |seconds| MicroTime::from(Time::new(seconds, 0).unwrap());
        let new = renewed(None, &node("a"), at(0)).unwrap();
        assert_eq!(new.spec.holder_identity.as_deref(), Some("n"));
        assert_eq!((new.spec.renew_time, new.spec.lease_duration_seconds), (Some(at(0)), Some(40)));
        assert_eq!((&*new.metadata.name, &*new.metadata.owner_references[0].uid), ("n", "a"));
        // Only the time changes, and an owner that was lost comes back.
        let mut bare = new.clone();
        bare.metadata.owner_references = [].into();
        let later = renewed(Some(bare), &node("a"), at(10)).unwrap();
        assert_eq!(later.metadata, new.metadata);
        assert_eq!((later.spec.renew_time, later.spec.lease_transitions), (Some(at(10)), None));
        let mut others = later;
        let spec = LeaseSpec { holder_identity: Some("other".into()), ..LeaseSpec::clone(&others.spec) };
        others.spec = spec.into();
        assert_eq!(renewed(Some(others.clone()), &node("a"), at(50)), None);
        let taken = renewed(Some(others), &node("a"), at(51)).unwrap();
        assert_eq!(taken.spec.holder_identity.as_deref(), Some("n"));
        assert_eq!(taken.spec.lease_transitions, Some(1));
    }
}
