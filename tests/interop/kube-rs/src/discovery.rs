//! Discovery.

use anyhow::{Context, Result, ensure};
use kube::core::GroupVersionKind;
use kube::discovery::{self, Discovery, Scope, verbs};
use kube::{Client, ResourceExt as _};

pub(crate) async fn version(client: &Client) -> Result<()> {
    let version = client.apiserver_version().await?;
    ensure!(version.major == "1" && version.minor.starts_with("37"), "{version:?}");
    Ok(())
}

pub(crate) async fn classic(client: &Client) -> Result<()> {
    complete(&Discovery::new(client.clone()).run().await?)
}

pub(crate) async fn aggregated(client: &Client) -> Result<()> {
    complete(&Discovery::new(client.clone()).run_aggregated().await?)
}

fn complete(found: &Discovery) -> Result<()> {
    ensure!(found.groups().count() > 15, "{} groups", found.groups().count());
    for (group, kind, scope) in [
        ("", "Pod", Scope::Namespaced),
        ("", "Node", Scope::Cluster),
        ("apps", "Deployment", Scope::Namespaced),
        ("rbac.authorization.k8s.io", "ClusterRole", Scope::Cluster),
        ("apiextensions.k8s.io", "CustomResourceDefinition", Scope::Cluster),
    ] {
        let (_, able) = found
            .resolve_gvk(&GroupVersionKind::gvk(group, "v1", kind))
            .with_context(|| format!("there is no {kind}"))?;
        ensure!(able.scope == scope, "{kind} is {:?}", able.scope);
        ensure!(able.supports_operation(verbs::WATCH), "{kind} can't be watched");
    }
    let (_, able) = found.resolve_gvk(&GroupVersionKind::gvk("apps", "v1", "Deployment")).context("none")?;
    let subresources: Vec<&str> = able.subresources.iter().map(|(one, _)| one.plural.as_str()).collect();
    ensure!(subresources.contains(&"scale") && subresources.contains(&"status"), "{subresources:?}");
    Ok(())
}

pub(crate) async fn pinned(client: &Client) -> Result<()> {
    let kind = GroupVersionKind::gvk("policy", "v1", "PodDisruptionBudget");
    let (resource, able) = discovery::pinned_kind(client, &kind).await?;
    ensure!(resource.plural == "poddisruptionbudgets" && able.scope == Scope::Namespaced, "{resource:?}");
    let nodes = kube::Api::<k8s_openapi::api::core::v1::Node>::all(client.clone());
    let listed = nodes.list(&kube::api::ListParams::default()).await?;
    ensure!(listed.metadata.resource_version.is_some(), "a list without a version");
    ensure!(listed.iter().all(|node| !node.name_any().is_empty()), "a node without a name");
    Ok(())
}
