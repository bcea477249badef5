//! Subresources.

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::authentication::v1::TokenRequest;
use k8s_openapi::api::core::v1::{Node, Pod, ServiceAccount};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::api::{DeleteParams, EvictParams, Patch, PatchParams, PostParams};
use kube::{Api, Client, ResourceExt as _};
use serde_json::{Value, json};

use crate::{account, api, refused};

fn read<K: serde::de::DeserializeOwned>(manifest: Value) -> Result<K> {
    Ok(serde_json::from_value(manifest)?)
}

fn deployment(name: &str) -> Result<Deployment> {
    read(json!({
        "metadata": {"name": name},
        "spec": {
            "replicas": 0, "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main", "image": "none"}]},
            },
        },
    }))
}

/// A pod that no controller has and no node runs.
fn pod(name: &str) -> Result<Pod> {
    read(json!({
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"containers": [{"name": "main", "image": "none"}], "schedulingGates": [{"name": "example.com/never"}]},
    }))
}

pub(crate) async fn status(client: &Client) -> Result<()> {
    let all = api::<Deployment>(client);
    all.create(&PostParams::default(), &deployment("web")?).await?;
    let patch = Patch::Merge(json!({"status": {"conditions": [{
        "type": "Stranger", "status": "True", "reason": "Told", "message": "by kube-rs",
    }]}, "spec": {"replicas": 7}}));
    let patched = all.patch_status("web", &PatchParams::default(), &patch).await?;
    ensure!(patched.spec.replicas == Some(0), "a status changed the spec: {:?}", patched.spec);
    let mut whole = all.get_status("web").await?;
    let conditions = whole.status.as_ref().and_then(|status| status.conditions.clone()).unwrap_or_default();
    ensure!(conditions.iter().any(|one| one.type_.as_deref() == Some("Stranger")), "{conditions:?}");
    // A plain write leaves the status alone.
    whole.status = None;
    whole.labels_mut().insert("written".to_owned(), "yes".to_owned());
    whole.metadata.resource_version = None;
    let written = all.replace("web", &PostParams::default(), &whole).await?;
    ensure!(written.status.is_some_and(|status| status.conditions.is_some()), "the status is gone");
    Ok(())
}

pub(crate) async fn scale(client: &Client) -> Result<()> {
    let all = api::<Deployment>(client);
    all.patch("web", &PatchParams::default(), &Patch::Merge(json!({"spec": {"paused": true}}))).await?;
    let mut scale = all.get_scale("web").await?;
    let spec = scale.spec.as_mut().context("no spec")?;
    ensure!(spec.replicas.unwrap_or_default() == 0, "{spec:?}");
    spec.replicas = Some(2);
    // A controller may have written since.
    scale.metadata.resource_version = None;
    let replaced = all.replace_scale("web", &PostParams::default(), &scale).await?;
    ensure!(replaced.spec.and_then(|spec| spec.replicas) == Some(2), "not scaled");
    let patch = Patch::Merge(json!({"spec": {"replicas": 3}}));
    all.patch_scale("web", &PatchParams::default(), &patch).await?;
    let whole = all.get("web").await?;
    ensure!(whole.spec.replicas == Some(3), "not scaled");
    Ok(())
}

pub(crate) async fn eviction(client: &Client) -> Result<()> {
    account(client).await?;
    let (pods, budgets) = (api::<Pod>(client), api::<PodDisruptionBudget>(client));
    pods.create(&PostParams::default(), &pod("evicted")?).await?;
    let budget = json!({
        "metadata": {"name": "evicted"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "nobody"}}},
    });
    budgets.create(&PostParams::default(), &read(budget)?).await?;
    pods.evict("evicted", &EvictParams::default()).await?;
    ensure!(pods.get_opt("evicted").await?.is_none_or(|pod| pod.metadata.deletion_timestamp.is_some()));
    let missing = refused(pods.evict("missing", &EvictParams::default()).await)?;
    ensure!(missing.is_not_found(), "{missing:?}");
    Ok(())
}

pub(crate) async fn ephemeral(client: &Client) -> Result<()> {
    account(client).await?;
    let pods = api::<Pod>(client);
    pods.create(&PostParams::default(), &pod("debugged")?).await?;
    let debug = json!({"spec": {"ephemeralContainers": [{
        "name": "debug", "image": "none", "targetContainerName": "main",
    }]}});
    let patched = pods
        .patch_ephemeral_containers("debugged", &PatchParams::default(), &Patch::Strategic(debug.clone()))
        .await?;
    let added = patched.spec.and_then(|spec| spec.ephemeral_containers).unwrap_or_default();
    ensure!(added.len() == 1 && added[0].name == "debug", "{added:?}");
    // Not by way of the pod itself.
    let more = json!({"spec": {"ephemeralContainers": [{"name": "more", "image": "none"}]}});
    let direct = pods.patch("debugged", &PatchParams::default(), &Patch::Strategic(more)).await;
    ensure!(refused(direct)?.is_invalid(), "they can be added to the pod itself");
    pods.delete("debugged", &DeleteParams::default().grace_period(0)).await?;
    Ok(())
}

pub(crate) async fn token(client: &Client) -> Result<()> {
    account(client).await?;
    let accounts = api::<ServiceAccount>(client);
    let asked: TokenRequest =
        read(json!({"metadata": {}, "spec": {"audiences": [], "expirationSeconds": 3600}}))?;
    let given = accounts.create_token_request("default", &PostParams::default(), &asked).await?;
    let status = given.status.context("no status")?;
    let token = status.token.unwrap_or_default();
    ensure!(token.split('.').count() == 3, "no token");
    Ok(())
}

pub(crate) async fn shortcuts(client: &Client) -> Result<()> {
    let nodes = Api::<Node>::all(client.clone());
    let node: Node = read(json!({"metadata": {"name": "stranger-kube-rs"}}))?;
    nodes.create(&PostParams::default(), &node).await?;
    let cordoned = nodes.cordon("stranger-kube-rs").await?;
    ensure!(cordoned.spec.and_then(|spec| spec.unschedulable) == Some(true), "not cordoned");
    let uncordoned = nodes.uncordon("stranger-kube-rs").await?;
    ensure!(uncordoned.spec.and_then(|spec| spec.unschedulable).is_none_or(|is| !is), "still cordoned");
    nodes.delete("stranger-kube-rs", &DeleteParams::default()).await?;
    let restarted = api::<Deployment>(client).restart("web").await?;
    let template = restarted.spec.template.metadata.context("no template")?;
    let annotations = template.annotations.unwrap_or_default();
    ensure!(annotations.keys().any(|key| key.ends_with("kubernetes.io/restartedAt")), "{annotations:?}");
    Ok(())
}
