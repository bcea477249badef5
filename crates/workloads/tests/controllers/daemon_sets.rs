//! Daemon sets.

use std::collections::BTreeSet;

use client_rs_machinery::json;

use crate::World;

#[tokio::test(start_paused = true)]
async fn each_node_has_the_pod_of_a_daemon_set() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"},
            "spec": {
                "selector": {"matchLabels": {"app": "agent"}},
                "template": {
                    "metadata": {"labels": {"app": "agent"}},
                    "spec": {"containers": [{"name": "c", "image": "agent:1"}]},
                },
            },
        }))
        .await;
    let sets = world.clientset.apps_v1().daemon_sets("default");
    let settled = async |image: &str, count: i32| {
        world
            .until(&format!("{count} of {image}"), async || {
                let set = sets.get("agent").await.unwrap();
                let status = &set.status;
                let pods = world.pods().await;
                let all = pods.iter().all(|pod| &*pod.spec.containers[0].image == image);
                let ready = status.number_available == count
                    && status.updated_number_scheduled == count
                    && status.desired_number_scheduled == count
                    && status.observed_generation == set.metadata.generation;
                (all && ready && i32::try_from(pods.len()) == Ok(count)).then_some(pods)
            })
            .await
    };
    let pods = settled("agent:1", 3).await;
    let nodes: BTreeSet<&str> = pods.iter().map(|pod| &*pod.spec.node_name).collect();
    assert_eq!(nodes, ["node-1", "node-2", "node-3"].into());

    let mut new = sets.get("agent").await.unwrap();
    new.spec.template.spec.containers[0].image = "agent:2".into();
    sets.update(new).await.unwrap();
    settled("agent:2", 3).await;

    // A taint drives the pod of one node away.
    let nodes = world.clientset.core_v1().nodes();
    let mut node = nodes.get("node-2").await.unwrap();
    let taint = client_rs_api::core::v1::Taint {
        key: "maintenance".into(),
        effect: "NoExecute".into(),
        ..client_rs_api::core::v1::Taint::EMPTY
    };
    node.spec.taints = [taint].into();
    nodes.update(node).await.unwrap();
    let pods = settled("agent:2", 2).await;
    assert!(pods.iter().all(|pod| &*pod.spec.node_name != "node-2"));
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_no_node_fits_waits_and_says_so() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "picky"},
            "spec": {"nodeSelector": {"disk": "ssd"}, "containers": [{"name": "c", "image": "x:1"}]},
        }))
        .await;
    let pods = world.clientset.core_v1().pods("default");
    world
        .until("it is unschedulable", async || {
            let pod = pods.get("picky").await.unwrap();
            let waits = pod.status.conditions.iter().any(|one| &*one.reason == "Unschedulable");
            (waits && &*pod.status.phase == "Pending").then_some(())
        })
        .await;
    world
        .until("its event", async || (world.reasons("picky").await == ["FailedScheduling"]).then_some(()))
        .await;
    let nodes = world.clientset.core_v1().nodes();
    let mut node = nodes.get("node-3").await.unwrap();
    node.metadata.labels.insert("disk", "ssd".into());
    nodes.update(node).await.unwrap();
    world
        .until("it runs", async || {
            let pod = pods.get("picky").await.unwrap();
            (&*pod.status.phase == "Running" && &*pod.spec.node_name == "node-3").then_some(())
        })
        .await;
    world.end().await;
}
