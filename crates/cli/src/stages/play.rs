//! Plays stages on a server: one controller per kind.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use client_rs_cache::Lister;
use client_rs_client::{DynamicApi, DynamicClient, RestClient};
use client_rs_controller::{Action, Context, Controller, Manager, ManagerError, ReconcileError, Reconciler};
use client_rs_events::{EventBroadcaster, EventRecorder, EventType, RestEventSink};
use client_rs_informers::DynamicSharedInformerFactory;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{GroupVersionKind, Json, ObjectKey, Time, Unstructured};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Stages;
use super::functions::Values;
use super::stage::{Stage, choose};
use super::steps::Step;

/// The label of played nodes.
const PLAYED: &str = "client-rs.dev/played";

/// Stages that are being played. Dropping it ends them; [`shutdown`](Self::shutdown) also waits for that.
#[must_use = "the stages end when this is dropped: end with `shutdown`"]
pub(crate) struct Playing {
    stop: CancellationToken,
    dynamic: DynamicSharedInformerFactory,
    events: EventBroadcaster,
    running: Option<JoinHandle<Result<(), ManagerError>>>,
}

impl Playing {
    /// Plays stages: those of nodes on played nodes, those of pods on the pods of played nodes, others on all objects of their kind.
    pub(crate) async fn start(rest: RestClient, stages: Stages) -> Result<Self> {
        let client = DynamicClient::from_rest(rest.clone());
        let dynamic = DynamicSharedInformerFactory::new(rest.clone());
        let events = EventBroadcaster::new();
        // It can only fail after a shutdown.
        drop(events.start_recording_to_sink(RestEventSink::new(rest)));
        let mut by_kind: BTreeMap<(String, String), Vec<Stage>> = BTreeMap::new();
        for stage in stages.0 {
            by_kind.entry(stage.resource.clone()).or_default().push(stage);
        }
        let of = async |version: &str, kind: &str| -> Result<DynamicApi> {
            let wanted = GroupVersionKind::from_api_version(version, kind);
            client.of_kind(&wanted).await.with_context(|| format!("a stage is for {version} {kind}"))
        };
        let nodes = dynamic.for_resource(of("v1", "Node").await?.resource().clone());
        let pods = dynamic.for_resource(of("v1", "Pod").await?.resource().clone());
        let began = Time::now();
        let mut manager = Manager::new(&dynamic);
        for ((version, kind), stages) in by_kind {
            let api = of(&version, &kind).await?;
            let resource = dynamic.for_resource(api.resource().clone());
            let scope = match (version.as_str(), kind.as_str()) {
                ("v1", "Pod") => Scope::Pods,
                ("v1", "Node") => Scope::Nodes,
                _ => Scope::All,
            };
            let player = Player {
                stages,
                scope,
                api,
                objects: resource.lister(),
                nodes: nodes.lister(),
                pods: pods.lister(),
                recorder: events.recorder("krs", ""),
                due: Mutex::default(),
                began: (began, Instant::now()),
            };
            let controller = Controller::new(format!("stages-{kind}"), resource.informer());
            manager = manager
                .controller(controller.reads(&nodes.informer()).reads(&pods.informer()).reconcile(player));
        }
        let stop = CancellationToken::new();
        dynamic.start();
        let running = Some(tokio::spawn(manager.run(stop.clone())));
        Ok(Self { stop, dynamic, events, running })
    }

    /// Ends them and waits until they have.
    pub(crate) async fn shutdown(mut self) -> Result<(), ManagerError> {
        self.stop.cancel();
        let ended = match self.running.take() {
            Some(running) => running.await.unwrap_or(Ok(())),
            None => Ok(()),
        };
        self.dynamic.shutdown().await;
        self.events.shutdown().await;
        ended
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The objects of a kind that are played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    Nodes,
    Pods,
}

/// The next stage of an object, and when it is played.
struct Due {
    uid: String,
    stage: usize,
    at: Instant,
}

struct Player {
    stages: Vec<Stage>,
    scope: Scope,
    api: DynamicApi,
    objects: Lister<Unstructured>,
    nodes: Lister<Unstructured>,
    pods: Lister<Unstructured>,
    recorder: EventRecorder,
    due: Mutex<HashMap<ObjectKey, Due>>,
    /// When playing began, by both clocks.
    began: (Time, Instant),
}

impl Player {
    fn now(&self) -> Time {
        let (time, at) = self.began;
        time.checked_add(at.elapsed().into()).unwrap_or(time)
    }

    fn plays(&self, object: &Unstructured) -> bool {
        let played = |node: &str| {
            self.nodes.get(&ObjectKey::cluster(node)).is_ok_and(|node| node.label(PLAYED).is_some())
        };
        match self.scope {
            Scope::All => true,
            Scope::Nodes => object.label(PLAYED).is_some(),
            Scope::Pods => object.nested_str(&["spec", "nodeName"]).ok().flatten().is_some_and(played),
        }
    }

    /// The stage of an object and the time until it is played. A stage that was chosen before stays chosen as long as it is for the
    /// object: changes of others do not start its delay again.
    fn next(&self, key: &ObjectKey, object: &Unstructured, json: &Json) -> Option<(&Stage, Duration)> {
        let mut random = |most: u64| fastrand::u64(..most.max(1));
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let known = due.get(key).filter(|known| known.uid == object.uid());
        if let Some(known) = known
            && let Some(stage) = self.stages.get(known.stage)
            && choose(std::slice::from_ref(stage), json, &mut random).is_some()
        {
            return Some((stage, known.at.saturating_duration_since(Instant::now())));
        }
        let Some(stage) = choose(&self.stages, json, &mut random) else {
            due.remove(key);
            return None;
        };
        let delay = stage.delay(json, self.now(), &mut random);
        let index = self.stages.iter().position(|one| std::ptr::eq(one, stage))?;
        due.insert(
            key.clone(),
            Due { uid: object.uid().to_owned(), stage: index, at: Instant::now() + delay },
        );
        Some((stage, delay))
    }

    fn forget(&self, key: &ObjectKey) {
        self.due.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    async fn play(
        &self,
        stage: &Stage,
        object: &Arc<Unstructured>,
        json: &Json,
    ) -> client_rs_controller::Result<()> {
        let api = if object.namespace().is_empty() {
            self.api.clone()
        } else {
            self.api.namespace(object.namespace())
        };
        let name = object.name();
        for step in &stage.steps {
            match step {
                Step::Event { warning, reason, message } => {
                    let kind = if *warning { EventType::Warning } else { EventType::Normal };
                    self.recorder.event(&**object, kind, reason, message);
                }
                Step::Delete => {
                    let delete = api.delete(name).grace_period(Duration::ZERO).if_uid(object.uid());
                    match delete.await {
                        Err(error) if !error.is_not_found() && !error.is_conflict() => {
                            return Err(error.into());
                        }
                        // The steps behind it would change an object that is gone.
                        _ => return Ok(()),
                    }
                }
                Step::Finalizers { .. } | Step::Patch { .. } => {
                    let values = Known { player: self, object };
                    let patch = step.patch(json, &values).map_err(|why| {
                        // The object has to change before it can be better.
                        ReconcileError::terminal(format!("stage {:?}: {why}", stage.name))
                    })?;
                    let Some(patch) = patch else { continue };
                    let written = match step {
                        Step::Patch { subresource, .. } if !subresource.is_empty() => {
                            api.subresource(name, [subresource.as_str()]).patch(&patch).await
                        }
                        _ => api.patch(name, &patch).await,
                    };
                    match written {
                        Err(error) if error.is_not_found() => return Ok(()),
                        Err(error) => return Err(error.into()),
                        Ok(_) => {}
                    }
                }
            }
        }
        Ok(())
    }
}

impl Reconciler for Player {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> client_rs_controller::Result {
        let object = match self.objects.get(&key) {
            Ok(object) if self.plays(&object) => object,
            Ok(_) => {
                self.forget(&key);
                return Ok(Action::done());
            }
            Err(error) if error.is_not_found() => {
                self.forget(&key);
                return Ok(Action::done());
            }
            Err(error) => return Err(error.into()),
        };
        let json = Json::Map(object.object.clone());
        let Some((stage, left)) = self.next(&key, &object, &json) else { return Ok(Action::done()) };
        if !left.is_zero() {
            return Ok(Action::requeue_after(left));
        }
        self.play(stage, &object, &json).await?;
        self.forget(&key);
        Ok(if stage.immediate { Action::requeue_after(Duration::from_millis(1)) } else { Action::done() })
    }
}

/// The values for the templates of an object.
struct Known<'p> {
    player: &'p Player,
    object: &'p Unstructured,
}

impl Values for Known<'_> {
    fn now(&self) -> String {
        self.player.now().to_string()
    }

    fn start_time(&self) -> String {
        self.player.began.0.to_string()
    }

    fn version(&self) -> String {
        format!("v{}", env!("CARGO_PKG_VERSION"))
    }

    fn node_name(&self) -> String {
        if self.player.scope == Scope::Nodes { self.object.name().to_owned() } else { String::new() }
    }

    fn node_ip(&self, node: &str) -> String {
        let node = self.player.nodes.get(&ObjectKey::cluster(node)).ok();
        let addresses =
            node.as_ref().and_then(|node| node.nested_slice(&["status", "addresses"]).ok().flatten());
        let own = addresses.into_iter().flatten().find(|one| one["type"].as_str() == Some("InternalIP"));
        match (own.and_then(|one| one["address"].as_str()), &node) {
            (Some(address), _) => address.to_owned(),
            // A node that has none yet gets one of a network for documentation (RFC 5737), which is nobody's.
            (None, Some(node)) => format!("192.0.2.{}", 1 + sum(node.uid()) % 254),
            (None, None) => String::new(),
        }
    }

    fn pod_ip(&self, uid: &str) -> String {
        let all = self.player.pods.list(&Selector::everything());
        let others = all.iter().filter(|pod| pod.uid() != uid);
        let taken: HashSet<&str> =
            others.filter_map(|pod| pod.nested_str(&["status", "podIP"]).ok().flatten()).collect();
        let own = all.iter().find(|pod| pod.uid() == uid);
        if let Some(known) = own.and_then(|pod| pod.nested_str(&["status", "podIP"]).ok().flatten()) {
            return known.to_owned();
        }
        pod_address(uid, |address| taken.contains(address))
    }
}

fn sum(uid: &str) -> u32 {
    uid.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)))
}

/// An address of the network for benchmarks (RFC 2544) that no other pod has.
fn pod_address(uid: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const SIZE: u32 = 1 << 17;
    let address = |number: u32| {
        let [_, b, c, d] = (number % SIZE).to_be_bytes();
        format!("198.{}.{c}.{d}", 18 + b)
    };
    let mut free = (0..SIZE).map(|step| address(sum(uid).wrapping_add(step))).filter(|one| !is_taken(one));
    free.next().unwrap_or_else(|| address(sum(uid)))
}

#[cfg(test)]
mod tests {
    use client_rs_apiserver::{Server, ServerOptions};
    use client_rs_client::manifest;
    use client_rs_machinery::{GroupVersionResource, json};
    use client_rs_workloads::{Workloads, WorkloadsOptions};

    use super::*;

    const STAGES: &str = r#"
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: starts}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.podIP', operator: DoesNotExist}
  delay: {durationMilliseconds: 30000}
  next:
    event: {type: Normal, reason: Started, message: it starts}
    finalizers: {add: [{value: example.com/played}]}
    statusTemplate: |
      phase: Running
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName false .metadata.uid "" "" | Quote }}
      containerStatuses:
      {{ range .spec.containers }}
      - {name: {{ .name }}, image: {{ .image }}, ready: true, restartCount: 0}
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: ends}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: Exists}
  steps:
  - finalizers: {empty: true}
  - delete: true
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-ready}
spec:
  resourceRef: {kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.conditions.[] | select(.type == "Ready") | .status', operator: NotIn, values: ['True']}
  next:
    statusTemplate: |
      conditions:
      {{ range NodeConditions }}
      - {type: {{ .type }}, status: {{ .status | Quote }}, reason: {{ .reason }}}
      {{ end }}
      addresses:
      - {type: InternalIP, address: {{ NodeIP }}}
"#;

    #[tokio::test(start_paused = true)]
    async fn pods_and_nodes_pass_through_their_stages() {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let options =
            WorkloadsOptions::default().with_nodes(1).with_pod_status(false).with_node_status(false);
        let workloads = Workloads::start(rest.clone(), options).await.unwrap();
        let stages = manifest::read(STAGES).unwrap();
        let stages: Vec<Stage> = stages.iter().map(|one| Stage::read(&one.object).unwrap()).collect();
        let playing = Playing::start(rest.clone(), Stages(stages)).await.unwrap();
        let client = DynamicClient::from_rest(rest);
        let of = |plural: &str| client.resource(GroupVersionResource::new("", "v1", plural));
        let until = async |what: &str, api: &DynamicApi, name: &str, holds: fn(Option<&Json>) -> bool| {
            for _ in 0..3000 {
                let found = api.get_opt(name).await.unwrap().map(|found| Json::Map(found.object));
                if holds(found.as_ref()) {
                    return found.unwrap_or_default();
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            panic!("not within five minutes: {what}");
        };
        let node = until("the node is ready", &of("nodes"), "node-1", |node| {
            node.and_then(|node| node.path(&["status", "conditions"])).is_some()
        })
        .await;
        let address = node["status"]["addresses"][0]["address"].clone();
        assert!(address.as_str().is_some_and(|address| address.starts_with("192.0.2.")), "{node}");
        let pods = of("pods").namespace("default");
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
            "spec": {"containers": [{"name": "c", "image": "i"}], "terminationGracePeriodSeconds": 0},
        });
        let created = Instant::now();
        pods.create(Unstructured::try_from(pod).unwrap()).await.unwrap();
        let runs = |pod: Option<&Json>| {
            pod.and_then(|pod| pod.path(&["status", "phase"])).and_then(Json::as_str) == Some("Running")
        };
        let pod = until("the pod runs", &pods, "p", runs).await;
        assert!(created.elapsed() >= Duration::from_secs(30), "the delay is over too soon");
        assert_eq!(pod["status"]["hostIP"], address);
        assert_eq!(pod["metadata"]["finalizers"], json!(["example.com/played"]));
        let own = pod["status"]["podIP"].as_str().unwrap_or_default().to_owned();
        assert!(own.starts_with("198.1"), "{own}");
        assert_eq!(pod["status"]["containerStatuses"][0]["ready"], json!(true));
        pods.delete("p").await.unwrap();
        until("the pod is gone", &pods, "p", |pod| pod.is_none()).await;
        playing.shutdown().await.unwrap();
        workloads.shutdown().await.unwrap();
        server.shutdown().await;
    }

    const HEARTBEATS: &str = r#"
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-begins}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True']}
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      {{ range NodeConditions }}
      - {type: {{ .type }}, status: {{ .status | Quote }}, lastHeartbeatTime: {{ $now | Quote }}}
      {{ end }}
      addresses:
      {{ with NodeIP }}
      - {type: InternalIP, address: {{ . | Quote }}}
      {{ end }}
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-lives}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.phase', operator: In, values: [Running]}
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: In, values: ['True']}
  delay: {durationMilliseconds: 600000, jitterDurationMilliseconds: 610000}
  next:
    statusTemplate: |
      {{ $now := Now }}
      {{ $since := or .metadata.creationTimestamp $now }}
      conditions:
      {{ range NodeConditions }}
      - type: {{ .type | Quote }}
        status: {{ .status | Quote }}
        lastHeartbeatTime: {{ $now | Quote }}
        lastTransitionTime: {{ $since | Quote }}
      {{ end }}
      addresses:
      {{ with .status.addresses }}
      {{ YAML . 1 }}
      {{ else }}
      - {type: Hostname, address: {{ NodeName | Quote }}}
      {{ end }}
"#;

    #[tokio::test(start_paused = true)]
    async fn a_node_renews_its_lease_often_and_its_status_seldom() {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let options = WorkloadsOptions::default().with_nodes(1).with_node_status(false);
        let workloads = Workloads::start(rest.clone(), options).await.unwrap();
        let stages = manifest::read(HEARTBEATS).unwrap();
        let stages: Vec<Stage> = stages.iter().map(|one| Stage::read(&one.object).unwrap()).collect();
        let playing = Playing::start(rest.clone(), Stages(stages)).await.unwrap();
        let client = DynamicClient::from_rest(rest);
        let nodes = client.resource(GroupVersionResource::new("", "v1", "nodes"));
        let leases = client.resource(GroupVersionResource::new("coordination.k8s.io", "v1", "leases"));
        let leases = leases.namespace("kube-node-lease");
        // The seconds at which the node says that it is there, in half an hour.
        let (mut status, mut lease) = (Vec::new(), Vec::new());
        let record = |times: &mut Vec<i64>, value: &Json| {
            let time = value.as_str().and_then(|text| text.parse::<Time>().ok()).map(Time::seconds);
            times.extend(time.filter(|time| times.last() != Some(time)));
        };
        for _ in 0..360 {
            let node = nodes.get("node-1").await.unwrap();
            let node = Json::Map(node.object);
            record(&mut status, &node["status"]["conditions"][0]["lastHeartbeatTime"]);
            let found = leases.get_opt("node-1").await.unwrap().map(|found| Json::Map(found.object));
            record(&mut lease, &found.unwrap_or_default()["spec"]["renewTime"]);
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        let pauses = |times: &[i64]| times.windows(2).map(|two| two[1] - two[0]).collect::<Vec<_>>();
        // The jitter is below ten seconds; a second is lost by the rounding.
        assert!(matches!(pauses(&status)[..], [600..=611, 600..=611]), "{status:?}");
        let pauses = pauses(&lease);
        assert!(pauses.len() > 170 && pauses.iter().all(|pause| (9..=11).contains(pause)), "{lease:?}");
        let node = Json::Map(nodes.get("node-1").await.unwrap().object);
        let address = node["status"]["addresses"][0]["address"].as_str().unwrap_or_default();
        assert!(address.starts_with("192.0.2."), "the heartbeat keeps the addresses: {node}");
        assert_eq!(node["status"]["phase"], json!("Running"));
        playing.shutdown().await.unwrap();
        workloads.shutdown().await.unwrap();
        server.shutdown().await;
    }
}
