//! Discovery of the resources of a server.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use client_rs_client::DynamicClient;
use client_rs_client::discovery::{
    Discovery, DiscoveryClient, DiscoveryOptions, DiskCache, DiskCacheOptions, HttpCache, MemoryCache,
    ServerResources,
};
use client_rs_machinery::wire::Format;
use client_rs_machinery::{GroupVersion, Unstructured, json};
use client_rs_tests::{Backend, Stage, eventually};

fn client(stage: &Stage, options: DiscoveryOptions) -> Result<DiscoveryClient> {
    Ok(DiscoveryClient::from_config_with(stage.config(), options)?)
}

/// Version, name, kind, scope, verbs and so on of everything.
fn everything(found: &ServerResources) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for list in &found.lists {
        for resource in &list.resources {
            let mut verbs: Vec<_> = resource.verbs.iter().map(client_rs_machinery::Str::as_str).collect();
            verbs.sort_unstable();
            all.insert(format!(
                "{} {} {} {} {verbs:?} {:?} {:?}",
                list.group_version,
                resource.name,
                resource.kind,
                resource.namespaced,
                resource.short_names,
                resource.categories
            ));
        }
    }
    all
}

pub(super) async fn both_forms_agree(stage: &Stage) -> Result<()> {
    let aggregated = client(stage, DiscoveryOptions::default())?.server_resources().await?.complete()?;
    let legacy = DiscoveryOptions::default().with_legacy(true);
    let classic = client(stage, legacy)?.server_resources().await?.complete()?;
    let built_in = |all: BTreeSet<String>| -> BTreeSet<String> {
        all.into_iter().filter(|line| !line.contains(".conformance.example.com")).collect()
    };
    let (one, other) = (built_in(everything(&aggregated)), built_in(everything(&classic)));
    let differ: Vec<_> = one.symmetric_difference(&other).collect();
    ensure!(differ.is_empty(), "{differ:#?}");
    ensure!(one.len() > 30, "only {}", one.len());
    let preferred = aggregated.preferred();
    ensure!(
        preferred.lists.iter().flat_map(|list| &list.resources).all(|resource| !resource.name.contains('/'))
    );
    ensure!(preferred.find(&GroupVersion::new("apps", "v1"), "deployments").is_some());
    ensure!(aggregated.find(&GroupVersion::new("", "v1"), "pods/log").is_some());
    Ok(())
}

pub(super) async fn names(stage: &Stage) -> Result<()> {
    let client = DynamicClient::from_rest(stage.client()?);
    for (text, expected) in [
        ("deploy", "apps/v1, Resource=deployments"),
        ("deployment", "apps/v1, Resource=deployments"),
        ("deployments.apps", "apps/v1, Resource=deployments"),
        ("deployments.v1.apps", "apps/v1, Resource=deployments"),
        ("Deployment.v1.apps", "apps/v1, Resource=deployments"),
        ("po", "/v1, Resource=pods"),
        ("Pod", "/v1, Resource=pods"),
        ("cm", "/v1, Resource=configmaps"),
        ("svc", "/v1, Resource=services"),
        ("no", "/v1, Resource=nodes"),
        ("ns", "/v1, Resource=namespaces"),
        ("sts", "apps/v1, Resource=statefulsets"),
        ("lease.coordination", "coordination.k8s.io/v1, Resource=leases"),
    ] {
        let found = client.find(text).await.with_context(|| text.to_owned())?;
        ensure!(found.resource().to_string() == expected, "{text}: {}", found.resource());
    }
    let none = client.find("nonsense").await.map(drop);
    let told = none.as_ref().err().map(ToString::to_string);
    ensure!(told.as_deref() == Some("the server doesn't have a resource type \"nonsense\""), "{none:?}");
    Ok(())
}

pub(super) async fn schemas(stage: &Stage) -> Result<()> {
    let openapi = client(stage, DiscoveryOptions::default())?.openapi();
    let core = GroupVersion::new("", "v1");
    ensure!(openapi.group_versions().await?.contains(&core));
    let document = openapi.schema_json(&core).await?;
    let pod = &document["components"]["schemas"]["io.k8s.api.core.v1.Pod"];
    // The embedded server's documents have no schemas.
    ensure!(
        stage.backend() == Backend::Embedded || pod["properties"]["spec"].as_map().is_some(),
        "no schema of Pod"
    );
    let (one, two) = (openapi.schema(&core, Format::Json).await?, openapi.schema(&core, Format::Json).await?);
    ensure!(one.as_ptr() == two.as_ptr(), "asked for twice");
    Ok(())
}

pub(super) async fn version(stage: &Stage) -> Result<()> {
    let version = client(stage, DiscoveryOptions::default())?.server_version().await?;
    ensure!(version.numbers() == Some((1, 37)), "{version:?}");
    Ok(())
}

pub(super) async fn files(stage: &Stage) -> Result<()> {
    let dir = stage.folder()?;
    let cache = || {
        let http = Some(HttpCache::new(dir.join("http")));
        DiskCache::from_config(stage.config(), DiskCacheOptions::new(dir.join("discovery")), http)
    };
    let first = cache()?.server_resources().await?.complete()?;
    let second = cache()?;
    let kept = second.server_resources().await?.complete()?;
    ensure!(everything(&first) == everything(&kept), "the files tell something else");
    ensure!(!second.is_fresh(), "files of another are not fresh");
    second.invalidate();
    let anew = second.server_resources().await?.complete()?;
    ensure!(second.is_fresh() && anew.groups.len() >= first.groups.len());
    Ok(())
}

pub(super) async fn broken_group(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let dynamic = DynamicClient::from_rest(rest.clone());
    let services = dynamic.find("apiservices.apiregistration.k8s.io").await?;
    let broken = json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": {"name": "v1.broken.conformance.example.com"},
        "spec": {
            "group": "broken.conformance.example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 100,
            "insecureSkipTLSVerify": true, "service": {"name": "nobody", "namespace": "default"},
        },
    });
    let broken = Unstructured::try_from(broken).map_err(|_| anyhow::anyhow!("an object"))?;
    services.create(broken).await?;
    let tried = async {
        let version = GroupVersion::new("broken.conformance.example.com", "v1");
        let cache = Arc::new(MemoryCache::new(Arc::new(client(stage, DiscoveryOptions::default())?)));
        let partial = eventually("the broken group", || async {
            cache.invalidate();
            let found = cache.server_resources().await?;
            ensure!(found.failed.contains_key(&version), "{:?}", found.failed);
            Ok(found)
        })
        .await?;
        ensure!(partial.find(&GroupVersion::new("apps", "v1"), "deployments").is_some());
        let told = partial.clone().complete().unwrap_err().to_string();
        ensure!(told.starts_with("unable to retrieve the complete list of server APIs: broken."), "{told}");
        // Names of the other groups are found as ever.
        dynamic.mapper().reset();
        dynamic.find("deploy").await?;
        Ok(())
    }
    .await;
    services.delete("v1.broken.conformance.example.com").await?;
    tried
}
