//! Deployments, replica sets and played nodes on the embedded server, all in this process and in paused time.

#![allow(clippy::unwrap_used, reason = "a panic is a test's report, in its helpers too")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::apps::v1::{Deployment, DeploymentSpec};
use client_rs_api::core::v1::{Container, Pod, PodSpec, PodTemplateSpec};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::AllNamespaces;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs_machinery::{Map, Object, Str};
use client_rs_workloads::{Workloads, WorkloadsOptions};

fn labels() -> Map<Str> {
    let mut labels = Map::default();
    labels.insert("app", "web".into());
    labels
}

fn deployment(replicas: i32, image: &str) -> Deployment {
    Deployment {
        metadata: ObjectMeta { name: "web".into(), namespace: "default".into(), ..ObjectMeta::EMPTY },
        spec: DeploymentSpec {
            replicas: Some(replicas),
            selector: Some(LabelSelector { match_labels: labels(), ..LabelSelector::EMPTY }.into()),
            template: PodTemplateSpec {
                metadata: ObjectMeta { labels: labels(), ..ObjectMeta::EMPTY },
                spec: PodSpec {
                    containers: [Container { name: "app".into(), image: image.into(), ..Container::EMPTY }]
                        .into(),
                    ..PodSpec::EMPTY
                }
                .into(),
            }
            .into(),
            ..DeploymentSpec::EMPTY
        }
        .into(),
        ..Deployment::EMPTY
    }
}

struct World {
    server: Server,
    clientset: Clientset,
    workloads: Workloads,
}

impl World {
    async fn new() -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let workloads = Workloads::start(rest.clone(), WorkloadsOptions::default()).await.unwrap();
        Self { server, clientset: Clientset::from_rest(rest), workloads }
    }

    /// Waits, in paused time, until the pods of the deployment are as wanted.
    async fn until(&self, what: &str, wanted: impl Fn(&[Pod], &Deployment) -> bool) {
        for _ in 0..600 {
            let pods = self.clientset.core_v1().pods("default").list().await.unwrap().items;
            let deployment = self.clientset.apps_v1().deployments("default").get("web").await.unwrap();
            if wanted(&pods, &deployment) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("not within a minute: {what}; {:#?}", self.workloads.controllers());
    }

    async fn until_available(&self, count: i32) {
        self.until(&format!("{count} available"), |pods, deployment| {
            let status = &deployment.status;
            status.available_replicas == count
                && status.updated_replicas == count
                && status.replicas == count
                && i32::try_from(pods.len()) == Ok(count)
                && pods.iter().all(|pod| !pod.is_being_deleted())
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_deployment_lives() {
    let world = World::new().await;
    let deployments = world.clientset.apps_v1().deployments("default");
    let pods = world.clientset.core_v1().pods("default");
    deployments.create(deployment(8, "nginx:1")).await.unwrap();
    world.until_available(8).await;

    // They are spread over the nodes.
    let found = pods.list().await.unwrap().items;
    let nodes: BTreeSet<&str> = found.iter().map(|pod| &*pod.spec.node_name).collect();
    assert_eq!(nodes.len(), 3);

    // A pod that is killed is replaced.
    let first = found[0].clone();
    pods.delete(first.name()).await.unwrap();
    world.until_available(8).await;
    let uids: BTreeSet<Str> =
        pods.list().await.unwrap().items.iter().map(|pod| pod.metadata.uid.clone()).collect();
    assert!(!uids.contains(&first.metadata.uid));

    // The pods of a deleted node are deleted; others replace them.
    world.clientset.core_v1().nodes().delete("node-1").await.unwrap();
    world
        .until("8 off node-1", |pods, deployment| {
            deployment.status.available_replicas == 8
                && pods.iter().filter(|pod| !pod.is_being_deleted()).count() == 8
                && pods.iter().all(|pod| &*pod.spec.node_name != "node-1")
        })
        .await;

    let mut scale = deployments.scale("web").get().await.unwrap();
    scale.spec.replicas = 12;
    deployments.scale("web").update(scale).await.unwrap();
    world.until_available(12).await;

    // A new version replaces the old one, and never are too few available.
    let mut new = deployments.get("web").await.unwrap();
    new.spec.template.spec.containers[0].image = "nginx:2".into();
    deployments.update(new).await.unwrap();
    world
        .until("all of the new version", |pods, deployment| {
            assert!(deployment.status.available_replicas >= 9, "{:?}", deployment.status);
            pods.len() == 12
                && deployment.status.updated_replicas == 12
                && deployment.status.available_replicas == 12
                && pods
                    .iter()
                    .all(|pod| &*pod.spec.containers[0].image == "nginx:2" && !pod.is_being_deleted())
        })
        .await;
    let sets = world.clientset.apps_v1().replica_sets("default").list().await.unwrap().items;
    let mut asked: Vec<_> = sets.iter().map(|set| set.spec.replicas).collect();
    asked.sort();
    assert_eq!(asked, [Some(0), Some(12)]);

    // The cache is what the server has.
    let cached: BTreeSet<(Str, Str)> = world
        .workloads
        .factory()
        .core()
        .v1()
        .pods()
        .lister()
        .list(&Selector::everything())
        .iter()
        .map(|pod: &Arc<Pod>| (pod.metadata.name.clone(), pod.metadata.resource_version.clone()))
        .collect();
    let stored = world.clientset.core_v1().pods(AllNamespaces).list().await.unwrap().items;
    let stored: BTreeSet<(Str, Str)> =
        stored.iter().map(|pod| (pod.metadata.name.clone(), pod.metadata.resource_version.clone())).collect();
    assert_eq!(cached, stored);

    deployments.delete("web").await.unwrap();
    for _ in 0..600 {
        if pods.list().await.unwrap().items.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(pods.list().await.unwrap().items.len(), 0);
    world.workloads.shutdown().await.unwrap();
    world.server.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn requests_that_need_a_container_are_refused_on_a_simulated_node() {
    let world = World::new().await;
    world.clientset.apps_v1().deployments("default").create(deployment(2, "nginx:1")).await.unwrap();
    world.until_available(2).await;
    let rest = world.server.rest_client().unwrap();
    let pods = world.clientset.core_v1().pods("default").list().await.unwrap().items;
    let addresses: BTreeSet<&str> = pods.iter().map(|pod| &*pod.status.pod_ip).collect();
    assert_eq!(addresses.len(), 2);
    assert!(addresses.iter().all(|address| address.starts_with("198.18.") || address.starts_with("198.19.")));
    let (name, node) = (&pods[0].metadata.name, &pods[0].spec.node_name);
    for path in [
        format!("/api/v1/namespaces/default/pods/{name}/log"),
        format!("/api/v1/namespaces/default/pods/{name}/exec"),
        format!("/api/v1/namespaces/default/pods/{name}/proxy/"),
        format!("/api/v1/nodes/{node}/proxy/metrics"),
    ] {
        let refused =
            rest.send_raw(client_rs_client::Request::get().abs_path([path.as_str()])).await.unwrap_err();
        assert!(refused.to_string().contains(" is simulated: no kubelet"), "{path} {refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_deployment_has_the_revision_of_its_newest_replica_set() {
    const REVISION: &str = "deployment.kubernetes.io/revision";
    let world = World::new().await;
    let deployments = world.clientset.apps_v1().deployments("default");
    deployments.create(deployment(2, "nginx:1")).await.unwrap();
    world.until_available(2).await;
    // The third template is the first one again: its replica set gets the next revision.
    for (image, revision) in [("nginx:1", "1"), ("nginx:2", "2"), ("nginx:1", "3")] {
        let mut new = deployments.get("web").await.unwrap();
        new.spec.template.spec.containers[0].image = image.into();
        deployments.update(new).await.unwrap();
        world
            .until(&format!("revision {revision}"), |pods, deployment| {
                deployment.annotation(REVISION) == Some(revision)
                    && deployment.status.updated_replicas == 2
                    && pods.len() == 2
                    && pods.iter().all(|pod| &*pod.spec.containers[0].image == image)
            })
            .await;
    }
    let sets = world.clientset.apps_v1().replica_sets("default").list().await.unwrap().items;
    let history = |set: &&client_rs_api::apps::v1::ReplicaSet| {
        set.annotation("deployment.kubernetes.io/revision-history") == Some("1")
    };
    let first = sets.iter().find(history).expect("the first set has its history");
    assert_eq!(first.annotation(REVISION), Some("3"));
    assert_eq!(first.annotation("deployment.kubernetes.io/desired-replicas"), Some("2"));
}

#[tokio::test(start_paused = true)]
async fn a_replica_set_adopts_and_releases_pods() {
    let world = World::new().await;
    let pods = world.clientset.core_v1().pods("default");
    world.clientset.apps_v1().deployments("default").create(deployment(2, "nginx:1")).await.unwrap();
    world.until_available(2).await;
    let owned = |pod: &Pod| pod.metadata.owner_references.iter().any(|owner| owner.controller == Some(true));
    // A pod with other labels is released, and replaced.
    let mut left = pods.list().await.unwrap().items[0].clone();
    let labels = left.metadata.labels.clone();
    left.metadata.labels.insert("app", "other".into());
    let name = left.metadata.name.clone();
    pods.update(left).await.unwrap();
    world
        .until("a pod is released", |pods, _| {
            pods.len() == 3 && pods.iter().all(|pod| owned(pod) != (pod.metadata.name == name))
        })
        .await;
    // With its labels it is adopted again, and there is one pod too many.
    let mut back = pods.get(&name).await.unwrap();
    back.metadata.labels = labels;
    pods.update(back).await.unwrap();
    world.until("two pods again", |pods, _| pods.len() == 2 && pods.iter().all(owned)).await;
}
