//! The clientset: what a server serves, and what its subresources do.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use client_rs_api::apps::v1::Deployment;
use client_rs_api::authentication::v1::TokenRequest;
use client_rs_api::core::v1::{ConfigMap, Container, Node, Pod, PodSpec, ServiceAccount};
use client_rs_api::policy::v1::{Eviction, PodDisruptionBudget, PodDisruptionBudgetSpec};
use client_rs_client::api::FieldValidation;
use client_rs_client::discovery::{Discovery, DiscoveryClient};
use client_rs_client::{DynamicClient, Error, PatchOutcome};
use client_rs_kubernetes::Clientset;
use client_rs_machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{GroupVersionResource, IntOrString, Json, Map, Object, Str, json};
use client_rs_tests::{Stage, eventually};

/// Groups whose resources are known to no clientset: they are made by what is installed.
const NOT_OURS: &[&str] = &["apiextensions.test", "stable.example.com", "example.com"];

/// For every resource of the server's discovery: the types have it, with these verbs and these subresources, and no other.
/// That each has its accessor is held by the clientset's own test.
pub(super) async fn everything_served(stage: &Stage) -> Result<()> {
    let discovery = DiscoveryClient::from_rest(stage.client()?);
    let served = discovery.server_resources().await?.complete()?;
    let mut wrong = Vec::new();
    let mut seen = 0;
    for list in &served.lists {
        let (group, version) = list.group_version.split_once('/').unwrap_or(("", &list.group_version));
        if NOT_OURS.iter().any(|other| group.ends_with(other)) || !known_group(group) {
            continue;
        }
        let known: Vec<_> = client_rs_api::served()
            .iter()
            .filter(|info| info.group == group && info.version == version)
            .collect();
        let mut found = BTreeSet::new();
        for resource in &list.resources {
            let (plural, sub) = resource.name.split_once('/').unwrap_or((&resource.name, ""));
            let Some(info) = known.iter().find(|info| info.plural == plural) else {
                wrong.push(format!("{group}/{version} {plural} is served and not known"));
                continue;
            };
            seen += 1;
            found.insert((plural.to_owned(), sub.to_owned()));
            let verbs: BTreeSet<&str> = resource.verbs.iter().map(Str::as_str).collect();
            let own: Option<&[&str]> = if sub.is_empty() {
                Some(info.verbs)
            } else {
                info.subresources.iter().find(|own| own.name == sub).map(|own| own.verbs)
            };
            match own {
                Some(own) if own.iter().copied().collect::<BTreeSet<_>>() == verbs => {}
                Some(own) => wrong.push(format!(
                    "{group}/{version} {}: {verbs:?} are served, {own:?} known",
                    resource.name
                )),
                None => wrong.push(format!("{group}/{version} {} is served and not known", resource.name)),
            }
        }
        for info in known {
            for sub in std::iter::once("").chain(info.subresources.iter().map(|sub| sub.name)) {
                if !found.contains(&(info.plural.to_owned(), sub.to_owned())) {
                    wrong.push(format!("{group}/{version} {}/{sub} is known and not served", info.plural));
                }
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    ensure!(seen > 100, "only {seen} resources were served");
    Ok(())
}

fn known_group(group: &str) -> bool {
    client_rs_api::served().iter().any(|info| info.group == group)
}

fn map(name: &str) -> ConfigMap {
    ConfigMap { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..ConfigMap::EMPTY }
}

pub(super) async fn life(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let maps = Clientset::from_rest(stage.client()?).core_v1().config_maps(namespace.as_str());
    ensure!(!maps.create(map("a")).dry_run().await?.uid().is_empty());
    ensure!(maps.get("a").await.is_err_and(|error| error.is_not_found()), "a dry run was carried out");
    let mut made = maps.create(map("a")).await?;
    let older = made.clone();
    made.data.insert("k", "v".into());
    let updated = maps.update(made).await?;
    ensure!(maps.update(older).await.is_err_and(|error| error.is_conflict()), "a stale version was taken");
    let patched = maps.patch("a", &Patch::Merge(json!({"data": {"k": null, "l": "w"}}))).await?;
    ensure!(patched.data.get("k").is_none() && patched.data.get("l").is_some(), "{patched:?}");
    let gone = maps.delete("a").if_uid("another").await;
    ensure!(gone.is_err_and(|error| error.is_conflict()), "it went under another's UID");
    ensure!(updated.uid() == patched.uid());
    maps.create(map("b")).await?;
    maps.delete_collection().field_selector("metadata.name=b").await?;
    ensure!(maps.get("b").await.is_err_and(|error| error.is_not_found()));
    maps.delete("a").if_uid(updated.uid()).await?;
    for bad in ["", "..", "a/b", "."] {
        ensure!(maps.get(bad).await.is_err_and(|error| error.api().is_none()), "{bad:?} reached the wire");
    }
    Ok(())
}

pub(super) async fn differences(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let client = stage.client()?;
    let maps = Clientset::from_rest(client.clone()).core_v1().config_maps(namespace.as_str());
    ensure!(maps.get_opt("a").await?.is_none());
    // A resource that the server does not have is an error, not a missing object.
    let resource = GroupVersionResource::new("", "v1", "nosuchthings");
    let unknown = DynamicClient::from_rest(client).resource(resource).namespace(namespace.as_str());
    let missing = unknown.get_opt("a").await;
    ensure!(missing.as_ref().is_err_and(Error::is_not_found), "{missing:?}");
    let set = |map: &mut ConfigMap| {
        map.data.insert("k", "v".into());
    };
    let (made, outcome) = maps.create_or_patch("a", || map("a"), set).await?;
    ensure!(outcome == PatchOutcome::Created && made.data.get("k").is_some(), "{made:?}");
    ensure!(maps.get_opt("a").await?.is_some_and(|map| map.uid() == made.uid()));
    let (same, outcome) = maps.create_or_patch("a", || map("a"), set).await?;
    ensure!(outcome == PatchOutcome::Unchanged && same.resource_version() == made.resource_version());
    // Another client changes another field: a difference keeps it.
    maps.patch("a", &Patch::Merge(json!({"data": {"other": "1"}}))).await?;
    let mut changed = made.clone();
    changed.data.insert("k", "w".into());
    let patched = maps.patch("a", &Patch::merge_from(&made, &changed)?).await?;
    ensure!(patched.data.get("other").is_some() && patched.data.get("k").is_some_and(|k| k == "w"));
    // With the version, it is refused.
    let late = maps.patch("a", &Patch::merge_from_version(&made, &changed)?).await;
    ensure!(late.is_err_and(|error| error.is_conflict()), "a patch of an old version was accepted");
    Ok(())
}

pub(super) async fn upkeep(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let clientset = Clientset::from_rest(stage.client()?);
    let labels: Map<Str> = [("app", Str::from("web"))].into_iter().collect();
    let deployment: Deployment = decode(&json!({
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "app", "image": "nginx"}]},
            },
        },
    }))?;
    let deployments = clientset.apps_v1().deployments(namespace.as_str());
    let made = deployments.create(deployment).await?;
    let restarted = deployments.restart("web").await?;
    let template = &restarted.spec.template.metadata;
    ensure!(template.annotations.get("kubectl.kubernetes.io/restartedAt").is_some(), "{template:?}");
    ensure!(template.labels == labels && restarted.metadata.generation > made.metadata.generation);
    let name = format!("node-of-{namespace}");
    let nodes = clientset.core_v1().nodes();
    let metadata = ObjectMeta { name: name.as_str().into(), ..ObjectMeta::EMPTY };
    nodes.create(Node { metadata, ..Node::EMPTY }).await?;
    let cordoned = nodes.cordon(&name).await;
    let freed = nodes.uncordon(&name).await;
    nodes.delete(&name).await?;
    ensure!(cordoned?.spec.unschedulable && !freed?.spec.unschedulable);
    Ok(())
}

fn decode<K: Payload>(object: &Json) -> Result<K> {
    Ok(K::decode(Format::Json, object.to_string().as_bytes(), &mut Decoding::new())?)
}

pub(super) async fn strict_fields(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let clientset = Clientset::from_rest(stage.client()?);
    let maps = clientset.core_v1().config_maps(namespace.as_str());
    maps.create(map("a")).await?;
    let odd = Patch::Merge(json!({"datta": {"k": "v"}}));
    let refused = maps.patch("a", &odd).field_validation(FieldValidation::Strict).await;
    let error = refused.err().context("an unknown field was taken")?;
    ensure!(error.api().is_some_and(|error| error.message().contains("datta")), "{error}");
    maps.patch("a", &odd).field_validation(FieldValidation::Ignore).await?;
    Ok(())
}

fn pod(name: &str) -> Pod {
    let container = Container { name: "app".into(), image: "nginx".into(), ..Container::EMPTY };
    let labels = [("app", Str::from("web"))].into_iter().collect();
    Pod {
        metadata: ObjectMeta { name: name.into(), labels, ..ObjectMeta::EMPTY },
        spec: PodSpec { containers: [container].into(), ..PodSpec::EMPTY }.into(),
        ..Pod::EMPTY
    }
}

pub(super) async fn eviction(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let clientset = Clientset::from_rest(stage.client()?);
    let (pods, budgets) = (
        clientset.core_v1().pods(namespace.as_str()),
        clientset.policy_v1().pod_disruption_budgets(namespace.as_str()),
    );
    // A namespace of a real cluster has its service account a moment after it was made.
    let mut made = eventually("a pod is made", || async { Ok(pods.create(pod("web")).await?) }).await?;
    made.status.phase = "Running".into();
    pods.update_status(made).await?;
    let labels = [("app", Str::from("web"))].into_iter().collect();
    let spec = PodDisruptionBudgetSpec {
        min_available: Some(IntOrString::from(1)),
        selector: Some(LabelSelector { match_labels: labels, ..LabelSelector::EMPTY }.into()),
        ..PodDisruptionBudgetSpec::EMPTY
    };
    let metadata = ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY };
    budgets
        .create(PodDisruptionBudget {
            metadata: metadata.clone(),
            spec: spec.into(),
            ..PodDisruptionBudget::EMPTY
        })
        .await?;
    let eviction = || Eviction { metadata: metadata.clone(), ..Eviction::EMPTY };
    let refused = pods.eviction("web").create(eviction()).await;
    ensure!(
        refused
            .is_err_and(|error| error.api().is_some_and(client_rs_machinery::ApiError::is_too_many_requests)),
        "the budget was not kept"
    );
    budgets.delete("web").await?;
    pods.eviction("web").create(eviction()).await?;
    Ok(())
}

pub(super) async fn token_and_log(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let clientset = Clientset::from_rest(stage.client()?);
    let accounts = clientset.core_v1().service_accounts(namespace.as_str());
    let metadata = ObjectMeta { name: "robot".into(), ..ObjectMeta::EMPTY };
    accounts.create(ServiceAccount { metadata, ..ServiceAccount::EMPTY }).await?;
    let given = accounts.token("robot").create(TokenRequest::EMPTY).await?;
    ensure!(given.status.token.split('.').count() == 3, "not a token");
    ensure!(given.status.expiration_timestamp.is_some());
    let pods = clientset.core_v1().pods(namespace.as_str());
    eventually("a pod is made", || async { Ok(pods.create(pod("quiet")).await?) }).await?;
    // Nothing runs, so the log is empty.
    ensure!(pods.log("quiet").await?.bytes().await?.is_empty());
    let unknown = pods.log("nobody").await;
    ensure!(unknown.is_err_and(|error| error.is_not_found()));
    Ok(())
}
