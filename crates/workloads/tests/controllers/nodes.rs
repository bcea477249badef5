//! Played nodes: taints, and what their pods do.

use client_rs_api::core::v1::Taint;
use client_rs_machinery::{Json, Object, json};

use crate::World;

fn pod(name: &str, spec: &Json) -> Json {
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
        "spec": {"nodeName": "node-2", "containers": [{"name": "c", "image": "x:1"}]},
    });
    for (key, value) in spec.as_map().unwrap() {
        pod.set(&["spec", key.as_str()], value.clone()).unwrap();
    }
    pod
}

#[tokio::test(start_paused = true)]
async fn a_taint_evicts_the_pods_that_do_not_tolerate_it() {
    let world = World::new().await;
    let toleration = |seconds: Json| json!({"tolerations": [{"key": "maintenance", "operator": "Exists", "tolerationSeconds": seconds}]});
    world.create(pod("goes", &json!({}))).await;
    world.create(pod("stays", &toleration(Json::Null))).await;
    world.create(pod("waits", &toleration(60.into()))).await;
    let names = async || -> Vec<String> {
        let mut names: Vec<String> = world.pods().await.iter().map(|pod| pod.name().to_owned()).collect();
        names.sort();
        names
    };
    world
        .until("all run", async || {
            let pods = world.pods().await;
            (pods.len() == 3 && pods.iter().all(|pod| &*pod.status.phase == "Running")).then_some(())
        })
        .await;
    let nodes = world.clientset.core_v1().nodes();
    let mut node = nodes.get("node-2").await.unwrap();
    let taint = Taint { key: "maintenance".into(), effect: "NoExecute".into(), ..Taint::EMPTY };
    node.spec.taints = [taint].into();
    nodes.update(node).await.unwrap();
    world.until("one is gone", async || (names().await == ["stays", "waits"]).then_some(())).await;
    world.until("its time is over", async || (names().await == ["stays"]).then_some(())).await;
    for name in ["goes", "waits"] {
        world
            .until("its event", async || {
                let reasons = world.reasons(name).await;
                reasons.iter().any(|reason| reason == "TaintManagerEviction").then_some(())
            })
            .await;
    }
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_plain_command_says_how_a_pod_ends() {
    let world = World::new().await;
    let of = |script: &str| {
        json!({
            "restartPolicy": "Never",
            "containers": [{"name": "c", "image": "x:1", "command": ["sh", "-c", script]}],
        })
    };
    world.create(pod("good", &of("sleep 30"))).await;
    world.create(pod("bad", &of("sleep 5; exit 3"))).await;
    let pods = world.clientset.core_v1().pods("default");
    for (name, phase, code) in [("good", "Succeeded", 0), ("bad", "Failed", 3)] {
        world
            .until(phase, async || {
                let pod = pods.get(name).await.unwrap();
                let end = pod.status.container_statuses.first()?.state.terminated.clone()?;
                (&*pod.status.phase == phase && end.exit_code == code).then_some(())
            })
            .await;
    }
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_replica_set_orphans_stays() {
    let world = World::new().await;
    let template = json!({
        "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "x:1"}]},
    });
    let set = |name: &str| {
        json!({
            "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name},
            "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template.clone()},
        })
    };
    let sets = world.clientset.apps_v1().replica_sets("default");
    let owned = async |wanted: bool| {
        world
            .until("two pods", async || {
                let pods = world.pods().await;
                let all = pods.iter().all(|pod| pod.controller().is_some() == wanted);
                (pods.len() == 2 && all).then_some(())
            })
            .await;
    };
    // Each set adopts what the last one left behind.
    for name in ["one", "two", "three"] {
        world.create(set(name)).await;
        owned(true).await;
        sets.delete(name).propagation(client_rs_client::api::Propagation::Orphan).await.unwrap();
        owned(false).await;
    }
    tokio::time::sleep(std::time::Duration::from_mins(1)).await;
    owned(false).await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_names_its_node_is_rejected_if_its_port_is_used_there() {
    let world = World::new().await;
    let port = json!({"containers": [{"name": "c", "image": "x:1", "ports": [{"containerPort": 80, "hostPort": 8080}]}]});
    world.create(pod("first", &port)).await;
    let pods = world.clientset.core_v1().pods("default");
    let phase = async |name: &str, wanted: &str| {
        world
            .until(wanted, async || (&*pods.get(name).await.unwrap().status.phase == wanted).then_some(()))
            .await;
    };
    phase("first", "Running").await;
    world.create(pod("second", &port)).await;
    phase("second", "Failed").await;
    let second = pods.get("second").await.unwrap();
    assert_eq!(&*second.status.reason, "NodePorts");
    world.until("its event", async || (world.reasons("second").await == ["NodePorts"]).then_some(())).await;
    phase("first", "Running").await;
    world.end().await;
}
