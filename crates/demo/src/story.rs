//! The steps of the demo.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_api::apps::v1::{Deployment, DeploymentSpec};
use client_rs_api::core::v1::{Container, Namespace, Pod, PodSpec, PodTemplateSpec};
use client_rs_api::policy::v1::Eviction;
use client_rs_client::{Backoff, retry_on_conflict};
use client_rs_kubernetes::Clientset;
use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Map, Object, Str, json};
use tokio::time::Instant;

use super::Stage;
use super::cast::Cast;
use super::claims::Claims;
use super::screen::Screen;

/// The label selector of the demo's pods.
pub(super) const LABEL: &str = "app=web";
const REPLICAS: i32 = 8;
const MORE: i32 = 12;
/// How long a step may take.
const PATIENCE: Duration = Duration::from_secs(25);
/// How often the screen is brought up to date.
const TICK: Duration = Duration::from_millis(50);

pub(super) async fn tell(
    stage: &Stage,
    cast: &Cast,
    screen: &mut Screen<'_>,
    claims: &mut Claims,
) -> Result<()> {
    let clientset = Clientset::from_rest(stage.rest.clone());
    let namespace = stage.namespace.as_str();
    let deployments = clientset.apps_v1().deployments(namespace);
    let pods = clientset.core_v1().pods(namespace);

    screen.say("you", &format!("create the deployment web: {REPLICAS} pods"))?;
    deployments.create(deployment(namespace)).await.context("can't create the deployment")?;
    let made = until(stage, cast, screen, &clientset, REPLICAS, |_| true).await?;
    claims.check(format!("{REPLICAS} pods were asked for, and {} are there", made.len()), made.len() == 8);

    let victim = made.first().context("there is no pod to kill")?;
    screen.say("you", &format!("delete the pod {}", victim.metadata.name))?;
    pods.delete(&victim.metadata.name).await.context("can't delete a pod")?;
    let uid = victim.metadata.uid.clone();
    let now = until(stage, cast, screen, &clientset, REPLICAS, |pod| pod.metadata.uid != uid).await?;
    let replaced = now.len() == 8 && now.iter().all(|pod| pod.metadata.uid != uid);
    claims.check("the pod that was killed was replaced by another", replaced);

    if stage.workloads.is_some() {
        empty_node(stage, cast, screen, claims, &clientset).await?;
    }

    screen.say("you", &format!("scale web to {MORE}"))?;
    // The cluster's controllers write the deployment's status meanwhile.
    let scaled = retry_on_conflict(Backoff::DEFAULT_RETRY, || async {
        let mut scale = deployments.scale("web").get().await?;
        scale.spec.replicas = MORE;
        deployments.scale("web").update(scale).await
    });
    scaled.await.context("can't scale the deployment")?;
    let now = until(stage, cast, screen, &clientset, MORE, |_| true).await?;
    claims.check(format!("{MORE} pods were asked for, and {} are there", now.len()), now.len() == 12);
    let names: BTreeSet<&Str> = now.iter().map(|pod| &pod.metadata.name).collect();
    claims.check("no two pods have one name", names.len() == now.len());
    Ok(())
}

pub(super) async fn create_namespace(stage: &Stage) -> Result<()> {
    let metadata = ObjectMeta { name: stage.namespace.as_str().into(), ..ObjectMeta::EMPTY };
    let clientset = Clientset::from_rest(stage.rest.clone());
    clientset.core_v1().namespaces().create(Namespace { metadata, ..Namespace::EMPTY }).await?;
    Ok(())
}

pub(super) async fn remove_namespace(stage: &Stage) -> Result<()> {
    let clientset = Clientset::from_rest(stage.rest.clone());
    clientset.core_v1().namespaces().delete(&stage.namespace).await?;
    Ok(())
}

async fn empty_node(
    stage: &Stage,
    cast: &Cast,
    screen: &mut Screen<'_>,
    claims: &mut Claims,
    clientset: &Clientset,
) -> Result<()> {
    let node = "node-1";
    screen.say("you", &format!("drain {node}: cordon it and evict its pods"))?;
    let cordon = Patch::Merge(json!({"spec": {"unschedulable": true}}));
    clientset.core_v1().nodes().patch(node, &cordon).await.context("can't cordon the node")?;
    let pods = clientset.core_v1().pods(stage.namespace.as_str());
    for pod in
        pods.list().label_selector(LABEL).await?.items.iter().filter(|pod| &*pod.spec.node_name == node)
    {
        let metadata = ObjectMeta {
            name: pod.metadata.name.clone(),
            namespace: pod.metadata.namespace.clone(),
            ..ObjectMeta::EMPTY
        };
        let eviction = Eviction { metadata, ..Eviction::EMPTY };
        pods.eviction(&pod.metadata.name).create(eviction).await.context("can't evict a pod")?;
    }
    let now = until(stage, cast, screen, clientset, REPLICAS, |pod| &*pod.spec.node_name != node).await?;
    let moved = now.len() == 8 && now.iter().all(|pod| &*pod.spec.node_name != node);
    claims.check(format!("{node} is empty, and its pods run elsewhere"), moved);
    Ok(())
}

/// Waits until there are this many pods in the desired state, and prints changes meanwhile. Returns the pods, even after a timeout.
async fn until(
    stage: &Stage,
    cast: &Cast,
    screen: &mut Screen<'_>,
    clientset: &Clientset,
    count: i32,
    wanted: impl Fn(&Pod) -> bool,
) -> Result<Vec<Pod>> {
    let deadline = Instant::now() + PATIENCE;
    let mut last = None;
    loop {
        tokio::time::sleep(TICK).await;
        let (lines, controllers) = cast.news(stage);
        for line in lines {
            screen.say("informer", &line)?;
        }
        if controllers != last {
            if let Some(controllers) = &controllers {
                screen.say("queue", controllers)?;
            }
            last = controllers;
        }
        let listed =
            clientset.core_v1().pods(stage.namespace.as_str()).list().label_selector(LABEL).await?.items;
        let deployment = clientset.apps_v1().deployments(stage.namespace.as_str()).get("web").await?;
        // A cluster without a kubelet never makes pods ready: there, they only need to exist.
        let ready = stage.workloads.is_none() || deployment.status.available_replicas == count;
        let there = i32::try_from(listed.len()) == Ok(count)
            && listed.iter().all(|pod| !pod.is_being_deleted() && wanted(pod));
        if (ready && there) || Instant::now() >= deadline {
            if let Some(condition) =
                deployment.status.conditions.iter().find(|condition| &*condition.type_ == "Progressing")
            {
                screen.say(
                    "reconcile",
                    &format!(
                        "web: {} available of {count}, {}",
                        deployment.status.available_replicas, condition.reason
                    ),
                )?;
            }
            return Ok(listed.into_iter().collect());
        }
    }
}

fn deployment(namespace: &str) -> Deployment {
    let mut labels = Map::default();
    labels.insert("app", "web".into());
    Deployment {
        metadata: ObjectMeta { name: "web".into(), namespace: namespace.into(), ..ObjectMeta::EMPTY },
        spec: DeploymentSpec {
            replicas: Some(REPLICAS),
            selector: Some(LabelSelector { match_labels: labels.clone(), ..LabelSelector::EMPTY }.into()),
            template: PodTemplateSpec {
                metadata: ObjectMeta { labels, ..ObjectMeta::EMPTY },
                spec: PodSpec {
                    containers: [Container {
                        name: "app".into(),
                        image: "nginx:1.29".into(),
                        ..Container::EMPTY
                    }]
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
