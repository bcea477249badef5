//! Our controllers of built-in workloads under simulation: deployments, replica sets, stateful sets, jobs, and played nodes.

use std::collections::BTreeSet;
use std::fmt::Display;

use client_rs_api::apps::v1::{Deployment, ReplicaSet, StatefulSet};
use client_rs_api::batch::v1::Job;
use client_rs_api::core::v1::{Node, Pod};
use client_rs_machinery::references::controls;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Object, json};
use client_rs_simulation::{Objects, Property, Replica, Simulation};
use client_rs_workloads::{Selection, Workloads, WorkloadsOptions};

/// The controllers that the simulation runs.
const CONTROLLERS: [&str; 5] = ["deployment", "replicaset", "statefulset", "job", "node"];

/// Returns the simulation of the controllers: a user creates, scales, changes and deletes a deployment, a stateful set and a job.
///
/// The final state is not compared with that of the run without faults: a deployment keeps a replica set of each template that its
/// controller has seen, and one that is down for a while does not see all of them.
pub fn workloads() -> Simulation {
    Simulation::program(run)
        .objects([object::<Node>(&json!({
            "metadata": {"name": "node-1", "labels": {"client-rs.dev/played": "true", "kubernetes.io/hostname": "node-1"}},
        }))])
        .workload([deployment(2, "a"), deployment(3, "b"), deployment(1, "b")])
        .workload([stateful_set(2), stateful_set(1)])
        .workload([job()])
        .without(Property::SameFinalState)
        .eventually("deployments have their pods", deployments_are_complete)
        .eventually("stateful sets have their pods", stateful_sets_are_complete)
        .eventually("jobs succeed", jobs_are_complete)
}

async fn run(replica: Replica) -> Result<(), String> {
    let text = |error: &dyn Display| error.to_string();
    let controllers = CONTROLLERS.join(",").parse::<Selection>().map_err(|error| text(&error))?;
    let options = WorkloadsOptions::default().with_controllers(controllers).with_nodes(1);
    let workloads = Workloads::start(replica.client, options).await.map_err(|error| text(&error))?;
    replica.stop.cancelled().await;
    workloads.shutdown().await.map_err(|error| text(&error))
}

/// An object from its JSON.
fn object<K: Message>(json: &Json) -> K {
    json.to_message().unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn template(image: &str) -> Json {
    json!({
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": image}]},
    })
}

fn deployment(replicas: i32, image: &str) -> Deployment {
    object(&json!({
        "metadata": {"name": "web"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template(image)},
    }))
}

fn stateful_set(replicas: i32) -> StatefulSet {
    object(&json!({
        "metadata": {"name": "db"},
        "spec": {
            "replicas": replicas,
            "serviceName": "db",
            "selector": {"matchLabels": {"app": "db"}},
            "template": {
                "metadata": {"labels": {"app": "db"}},
                "spec": {"containers": [{"name": "db", "image": "db"}]},
            },
        },
    }))
}

fn job() -> Job {
    object(&json!({
        "metadata": {"name": "once"},
        "spec": {
            "completions": 2,
            "parallelism": 1,
            // Its template can't change, so the user writes all of it.
            "manualSelector": true,
            "selector": {"matchLabels": {"app": "once"}},
            "template": {
                "metadata": {"labels": {"app": "once"}},
                "spec": {"restartPolicy": "Never", "containers": [{"name": "once", "image": "once"}]},
            },
        },
    }))
}

/// The pods that an object controls.
fn pods_of<'a>(pods: &'a [Pod], owner: &dyn Object) -> Vec<&'a Pod> {
    pods.iter().filter(|pod| controls(owner, *pod)).collect()
}

fn deployments_are_complete(objects: &Objects) -> Result<(), String> {
    let (sets, pods) = (objects.of::<ReplicaSet>(), objects.of::<Pod>());
    for deployment in objects.of::<Deployment>() {
        let wanted = deployment.spec.replicas.unwrap_or(1);
        let owned = sets.iter().filter(|set| controls(&deployment, *set));
        let pods: Vec<&Pod> = owned.flat_map(|set| pods_of(&pods, set)).collect();
        let image = |pod: &Pod| pod.spec.containers.first().map(|container| container.image.clone());
        let expected =
            deployment.spec.template.spec.containers.first().map(|container| container.image.clone());
        let right = pods.iter().filter(|pod| image(pod) == expected && pod.status.phase == "Running").count();
        if i32::try_from(right) != Ok(wanted) || pods.len() != right {
            return Err(format!(
                "{wanted} pods are wanted, {} exist, {right} of them run the image",
                pods.len()
            ));
        }
        if deployment.status.ready_replicas != wanted || deployment.status.updated_replicas != wanted {
            return Err(format!("{wanted} pods are ready, the status is {:?}", deployment.status));
        }
    }
    Ok(())
}

fn stateful_sets_are_complete(objects: &Objects) -> Result<(), String> {
    let pods = objects.of::<Pod>();
    for set in objects.of::<StatefulSet>() {
        let wanted = set.spec.replicas.unwrap_or(1);
        let pods = pods_of(&pods, &set);
        let names: BTreeSet<&str> = pods.iter().map(|pod| pod.name()).collect();
        let ordinals: Vec<String> = (0..wanted).map(|ordinal| format!("{}-{ordinal}", set.name())).collect();
        let running = pods.iter().all(|pod| pod.status.phase == "Running");
        if !running || !names.iter().eq(&ordinals) {
            return Err(format!("{ordinals:?} have to run, these exist: {names:?}, all run: {running}"));
        }
        if set.status.ready_replicas != wanted {
            return Err(format!("{wanted} pods are ready, the status is {:?}", set.status));
        }
    }
    Ok(())
}

fn jobs_are_complete(objects: &Objects) -> Result<(), String> {
    for job in objects.of::<Job>() {
        let done = job.status.conditions.iter().any(|one| one.type_ == "Complete" && one.status == "True");
        if !done || job.status.succeeded != 2 {
            return Err(format!("{} is not complete: {:?}", job.name(), job.status));
        }
    }
    Ok(())
}
