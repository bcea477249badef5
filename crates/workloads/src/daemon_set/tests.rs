use client_rs_machinery::wire::Message;

use super::*;
use crate::model::Model;

struct World {
    model: Model,
    nodes: Vec<Arc<Node>>,
}

fn node(name: &str, taints: &str) -> Arc<Node> {
    let text = format!(
        r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{name}","labels":{{"kind":"worker"}}}},"spec":{{"taints":[{taints}]}}}}"#
    );
    Arc::new(Node::from_json(text.as_bytes()).unwrap())
}

fn world(nodes: &[&str], spec: &str) -> World {
    let text = format!(
        r#"{{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{{"name":"agent","namespace":"shop","uid":"uid-agent"}},
        "spec":{{"selector":{{"matchLabels":{{"app":"agent"}}}},
        "template":{{"metadata":{{"labels":{{"app":"agent"}}}},"spec":{{"containers":[{{"name":"c","image":"a:1"}}]}}}},{spec}}}}}"#
    );
    let mut model = Model::default();
    model.put(&DAEMON_SET, &DaemonSet::from_json(text.as_bytes()).unwrap());
    World { model, nodes: nodes.iter().map(|name| node(name, "")).collect() }
}

impl World {
    fn set(&self) -> DaemonSet {
        DaemonSet::clone(&self.model.all::<DaemonSet>(&DAEMON_SET)[0])
    }

    fn run(&mut self) -> bool {
        let revisions = self.model.all(&CONTROLLER_REVISION);
        let plan = plan(&self.set(), self.model.pods(), &self.nodes, revisions, self.model.now()).unwrap();
        self.model.apply(plan)
    }

    fn settle(&mut self) {
        for _ in 0..30 {
            if !self.run() {
                return;
            }
        }
        panic!("the controller does not come to rest: {:#?}", self.set().status);
    }

    /// Runs while pods are assigned and become ready.
    fn ready(&mut self) {
        for _ in 0..20 {
            self.settle();
            self.model.each_pod(|pod| pod.spec.node_name = target(pod));
            self.model.ready();
        }
        self.settle();
    }

    fn places(&self) -> Vec<String> {
        let mut places: Vec<String> = self.model.pods().iter().map(|pod| target(pod).to_string()).collect();
        places.sort();
        places
    }

    fn images(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.model.pods().iter().map(|pod| pod.spec.containers[0].image.to_string()).collect();
        all.sort();
        all
    }

    fn change(&mut self, change: impl FnOnce(&mut DaemonSet)) {
        let mut set = self.set();
        change(&mut set);
        set.metadata.generation += 1;
        self.model.put(&DAEMON_SET, &set);
    }

    fn set_image(&mut self, image: &'static str) {
        self.change(|set| set.spec.template.spec.containers.make_mut()[0].image = image.into());
    }
}

#[test]
fn each_node_that_fits_has_one_pod() {
    let mut world = world(&["n1", "n2"], r#""updateStrategy":{"type":"RollingUpdate"}"#);
    world.nodes.push(node("closed", r#"{"key":"gpu","effect":"NoSchedule"}"#));
    world.nodes.push(node("sick", r#"{"key":"node.kubernetes.io/not-ready","effect":"NoExecute"}"#));
    world.ready();
    assert_eq!(world.places(), ["n1", "n2", "sick"]);
    let status = world.set().status;
    assert_eq!(
        (
            status.desired_number_scheduled,
            status.current_number_scheduled,
            status.number_ready,
            status.number_available
        ),
        (3, 3, 3, 3)
    );
    assert_eq!(
        (status.updated_number_scheduled, status.number_misscheduled, status.number_unavailable),
        (3, 0, 0)
    );
    // A new node gets one, and the pod of a node that is gone goes.
    world.nodes.push(node("n3", ""));
    world.nodes.retain(|node| &*node.metadata.name != "n1");
    world.ready();
    assert_eq!(world.places(), ["n2", "n3", "sick"]);
}

#[test]
fn nodes_are_selected_and_a_taint_without_toleration_drives_pods_away() {
    let mut world = world(&["n1", "n2"], r#""updateStrategy":{"type":"RollingUpdate"}"#);
    world.change(|set| set.spec.template.spec.node_selector = [("kind", "worker")].into());
    world.ready();
    assert_eq!(world.places(), ["n1", "n2"]);
    world.nodes[0] = node("n1", r#"{"key":"x","effect":"NoSchedule"}"#);
    world.nodes[1] = node("n2", r#"{"key":"x","effect":"NoExecute"}"#);
    world.ready();
    // A pod that is there stays, unless the taint says that it must not.
    assert_eq!(world.places(), ["n1"]);
    assert_eq!(world.set().status.number_misscheduled, 1);
}

#[test]
fn failed_pods_and_second_pods_are_replaced() {
    let mut world = world(&["n1"], r#""updateStrategy":{"type":"RollingUpdate"}"#);
    world.ready();
    let first = world.model.pods()[0].clone();
    world.model.end(1, |_| true);
    world.ready();
    assert_eq!(world.places(), ["n1"]);
    assert!(world.model.pods()[0].metadata.uid != first.metadata.uid);
    assert!(world.model.reasons.contains(&"FailedDaemonPod"));
    let mut second = Pod::clone(&world.model.pods()[0]);
    second.metadata.name = "agent-second".into();
    second.metadata.uid = "uid-second".into();
    world.model.put(&POD, &second);
    world.ready();
    assert_eq!(world.model.pods().len(), 1);
}

#[test]
fn an_update_replaces_as_many_pods_at_a_time_as_may_be_missing() {
    let mut world = world(
        &["n1", "n2", "n3", "n4"],
        r#""updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"50%"}}"#,
    );
    world.ready();
    world.set_image("a:2");
    world.settle();
    assert_eq!(world.images(), ["a:1", "a:1", "a:2", "a:2"]);
    assert_eq!(world.set().status.updated_number_scheduled, 2);
    world.ready();
    assert_eq!(world.images(), ["a:2", "a:2", "a:2", "a:2"]);
    assert_eq!(world.model.all::<ControllerRevision>(&CONTROLLER_REVISION).len(), 2);
    // The template of before: its revision returns, with a higher number.
    world.set_image("a:1");
    world.ready();
    let mut numbers: Vec<i64> =
        world.model.all::<ControllerRevision>(&CONTROLLER_REVISION).iter().map(|one| one.revision).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn with_a_surge_the_new_pod_is_available_before_the_old_one_goes() {
    let mut world = world(
        &["n1", "n2"],
        r#""updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}"#,
    );
    world.ready();
    world.set_image("a:2");
    world.settle();
    assert_eq!(world.images(), ["a:1", "a:1", "a:2"]);
    world.ready();
    assert_eq!(world.images(), ["a:2", "a:2"]);
}

#[test]
fn on_delete_leaves_pods_until_somebody_deletes_them() {
    let mut world = world(&["n1", "n2"], r#""updateStrategy":{"type":"OnDelete"}"#);
    world.ready();
    world.set_image("a:2");
    world.ready();
    assert_eq!(world.images(), ["a:1", "a:1"]);
    let key = world.model.pods()[0].key();
    world.model.remove(&POD, &key);
    world.ready();
    assert_eq!(world.images(), ["a:1", "a:2"]);
}
