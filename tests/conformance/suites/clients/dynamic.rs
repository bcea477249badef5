//! Kinds that are known only at run time, and what helps with any kind.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::dynamic::{MetadataClient, Scale, ScaleClient};
use client_rs_client::wait::{ConditionError, WaitCondition, WaitError, conditions};
use client_rs_client::{Api, DynamicApi, DynamicClient};
use client_rs_machinery::patch::{JsonPatch, Patch};
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{GroupResource, GroupVersionResource, Json, Object, Unstructured, json};
use client_rs_tests::{Stage, eventually};
use tokio::sync::Notify;

use super::custom;

fn map(name: &str, data: Json) -> Unstructured {
    let mut object = Unstructured::new("v1", "ConfigMap", name);
    object.object.insert("data", data);
    object
}

async fn maps(stage: &Stage) -> Result<(DynamicApi, String)> {
    let namespace = stage.namespace().await?;
    let client = DynamicClient::from_rest(stage.client()?);
    Ok((client.find("configmaps").await?.namespace(&namespace), namespace))
}

pub(super) async fn clients_agree(stage: &Stage) -> Result<()> {
    let (maps, namespace) = maps(stage).await?;
    for at in 0..5 {
        let mut object = map(&format!("m{at}"), json!({"at": at.to_string()}));
        object.set_label("parity", if at % 2 == 0 { "even" } else { "odd" });
        maps.create(object).await?;
    }
    let rest = stage.client()?;
    let typed = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let gvr = GroupVersionResource::new("", "v1", "configmaps");
    let metadata = MetadataClient::from_rest(rest.clone()).resource(gvr).namespace(&namespace);
    let (one, two, three) = (
        typed.list().label_selector("parity").await?,
        maps.list().label_selector("parity").await?,
        metadata.list().label_selector("parity").await?,
    );
    ensure!(one.items.len() == 5 && two.items.len() == 5 && three.items.len() == 5);
    for ((typed, dynamic), metadata) in one.items.iter().zip(&two.items).zip(&three.items) {
        ensure!(Unstructured::from_message(typed)?.object == dynamic.object, "{typed:?} and {dynamic:?}");
        ensure!(typed.metadata == metadata.metadata, "{typed:?} and {metadata:?}");
    }
    // The same metadata, with the kind in its type; and without managed fields, if the server can leave them out.
    let partial = typed.list_metadata().label_selector("parity").without_managed_fields().await?;
    ensure!(partial.items.len() == 5);
    for (whole, partial) in one.items.iter().zip(&partial.items) {
        let same = (partial.key(), partial.uid(), partial.resource_version())
            == (whole.key(), whole.uid(), whole.resource_version());
        ensure!(same && partial.kind() == "ConfigMap", "{whole:?} and {partial:?}");
    }
    let (one, two, three) = (typed.get("m3").await?, maps.get("m3").await?, metadata.get("m3").await?);
    ensure!(Unstructured::from_message(&one)? == two && one.metadata == three.metadata);
    ensure!(typed.get_metadata("m3").await?.metadata == three.metadata);
    let mut pages = maps.pages().options(client_rs_machinery::meta::v1::ListOptions {
        limit: 2,
        label_selector: "parity".into(),
        ..client_rs_machinery::meta::v1::ListOptions::EMPTY
    });
    let mut names = Vec::new();
    while let Some(page) = pages.try_next().await? {
        ensure!(page.items.len() <= 2);
        names.extend(page.items.iter().map(|item| item.name().to_owned()));
    }
    ensure!(names == ["m0", "m1", "m2", "m3", "m4"], "{names:?}");
    Ok(())
}

pub(super) async fn life(stage: &Stage) -> Result<()> {
    let (maps, _) = maps(stage).await?;
    let version = maps.list().await?.metadata.resource_version;
    let mut watch = maps.watch().resource_version(version).await?;
    let dry = maps.create(map("one", json!({}))).dry_run().await?;
    ensure!(!dry.uid().is_empty() && maps.get("one").await.is_err_and(|error| error.is_not_found()));
    let created = maps.create(map("one", json!({"a": "1"}))).field_manager("me").await?;
    ensure!(maps.create(map("one", json!({}))).await.is_err_and(|error| error.is_already_exists()));
    let mut changed = created.clone();
    changed.object.insert("data", json!({"a": "2"}));
    let updated = maps.update(changed.clone()).await?;
    ensure!(maps.update(changed).await.is_err_and(|error| error.is_conflict()), "a stale version was taken");
    ensure!(updated.object["data"]["a"].as_str() == Some("2"), "{updated:?}");
    maps.delete("one").await?;
    maps.wait_for("one", conditions::deleted(), Duration::from_secs(30)).await?;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        match watch.next().await.context("the watch ended")?? {
            WatchEvent::Added(object) if object.name() == "one" => seen.push("added"),
            WatchEvent::Modified(object) if object.name() == "one" => seen.push("modified"),
            WatchEvent::Deleted(object) if object.name() == "one" => seen.push("deleted"),
            // The real server's controllers write here too.
            _ => {}
        }
    }
    ensure!(seen == ["added", "modified", "deleted"], "{seen:?}");
    for name in ["x", "y"] {
        let mut object = map(name, json!({}));
        object.set_label("sweep", "me");
        maps.create(object).await?;
    }
    maps.delete_collection().label_selector("sweep=me").await?;
    eventually("the deletion of all", || async {
        ensure!(maps.list().label_selector("sweep=me").await?.items.is_empty());
        Ok(())
    })
    .await
}

pub(super) async fn patches(stage: &Stage) -> Result<()> {
    let (maps, _) = maps(stage).await?;
    maps.create(map("p", json!({"a": "1", "b": "1"}))).await?;
    let edit = JsonPatch::parse(br#"[{"op":"replace","path":"/data/a","value":"json"}]"#)?;
    maps.patch("p", &Patch::Json(edit)).await?;
    maps.patch("p", &Patch::Merge(json!({"data": {"b": null, "c": "merge"}}))).await?;
    maps.patch("p", &Patch::Strategic(json!({"data": {"d": "strategic"}}))).await?;
    let last = maps.get("p").await?;
    let expected = json!({"a": "json", "c": "merge", "d": "strategic"});
    ensure!(last.object["data"] == expected, "{:?}", last.object["data"]);
    Ok(())
}

pub(super) async fn apply_conflict(stage: &Stage) -> Result<()> {
    let (maps, _) = maps(stage).await?;
    let applied = maps.apply(&map("shared", json!({"x": "one"})), "first").await?;
    ensure!(applied.object["data"]["x"].as_str() == Some("one"), "{applied:?}");
    let refused = maps.apply(&map("shared", json!({"x": "two"})), "second").await.map(drop);
    let told = refused.as_ref().err().map(ToString::to_string).unwrap_or_default();
    ensure!(
        refused.as_ref().is_err_and(client_rs_client::Error::is_conflict) && told.contains("first"),
        "{refused:?}"
    );
    let forced = maps.apply(&map("shared", json!({"x": "two"})), "second").force().await?;
    ensure!(forced.object["data"]["x"].as_str() == Some("two"), "{forced:?}");
    Ok(())
}

pub(super) async fn scales(stage: &Stage) -> Result<()> {
    let (namespace, group) = (stage.namespace().await?, custom::group());
    let client = DynamicClient::from_rest(stage.client()?);
    let definitions = [custom::definition(&group, "gadgets", "Gadget", "Namespaced", &json!({}))?];
    custom::install(&client, &definitions).await?;
    eventually("the new kind", || async {
        client.mapper().reset();
        Ok(client.find(&format!("gadgets.{group}")).await.map(drop)?)
    })
    .await?;
    let template = json!({
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "app", "image": "nginx"}]},
    });
    let spec = json!({
        "replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": template, "serviceName": "web",
    });
    let custom_version = format!("{group}/v1");
    for (version, kind, resource) in [
        ("apps/v1", "Deployment", GroupResource::new("apps", "deployments")),
        ("apps/v1", "ReplicaSet", GroupResource::new("apps", "replicasets")),
        ("apps/v1", "StatefulSet", GroupResource::new("apps", "statefulsets")),
        (custom_version.as_str(), "Gadget", GroupResource::new(group.as_str(), "gadgets")),
    ] {
        let mut object = Unstructured::new(version, kind, "web");
        let mut spec = spec.clone();
        if kind != "StatefulSet" {
            spec.remove(&["serviceName"]);
        }
        object.object.insert("spec", spec);
        let api = client.of_object(&object, &namespace).await?;
        api.create(object).await?;
        let scales = ScaleClient::new(client.clone());
        let mut scale = scales.get(&resource, &namespace, "web").await?;
        ensure!(scale.replicas() == 1, "{kind}: {scale:?}");
        // Controllers write to the object too: without its version, the last one wins.
        scale = Scale::new(&namespace, "web", 3);
        ensure!(scales.update(&resource, &scale).await?.replicas() == 3, "{kind}");
        let patch = Patch::Merge(json!({"spec": {"replicas": 4}}));
        ensure!(scales.patch(&resource, &namespace, "web", &patch).await?.replicas() == 4, "{kind}");
        let object = api.get("web").await?;
        ensure!(object.object["spec"]["replicas"].as_i64() == Some(4), "{kind}: {object:?}");
    }
    let error =
        ScaleClient::new(client.clone()).get(&GroupResource::new("", "configmaps"), &namespace, "x").await;
    ensure!(error.is_err_and(|error| error.to_string().contains("have no scale")));
    custom::remove(&client, &definitions).await
}

/// A condition that notifies when it is first evaluated: from then on the wait is under way.
struct Asked<'a, C>(C, &'a Notify);

impl<C: WaitCondition> WaitCondition for Asked<'_, C> {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        self.1.notify_one();
        self.0.holds(object)
    }
}

pub(super) async fn waits(stage: &Stage) -> Result<()> {
    let (maps, namespace) = maps(stage).await?;
    let typed = Api::<ConfigMap>::namespaced(&stage.client()?, namespace.as_str());
    let soon = Duration::from_secs(30);
    let asked = Notify::new();
    let created = Asked(conditions::created(), &asked);
    let (created, made) = tokio::join!(typed.wait_for("late", created, soon), async {
        asked.notified().await;
        maps.create(map("late", json!({"phase": "new"}))).await
    });
    ensure!(created?.context("no object")?.metadata.uid == made?.uid());
    let asked = Notify::new();
    let done = Asked(conditions::jsonpath("{.data.phase}", Some("done"))?, &asked);
    let (waited, changed) = tokio::join!(maps.wait_for("late", done, soon), async {
        asked.notified().await;
        maps.patch("late", &Patch::Merge(json!({"data": {"phase": "done"}}))).await
    });
    ensure!(waited?.context("no object")?.resource_version() == changed?.resource_version());
    let asked = Notify::new();
    let gone = Asked(conditions::deleted(), &asked);
    let (gone, deleted) = tokio::join!(typed.wait_for("late", gone, soon), async {
        asked.notified().await;
        maps.delete("late").await
    });
    ensure!(gone?.is_none() && deleted.is_ok());
    let never = maps.wait_for("never", conditions::created(), Duration::from_millis(500)).await;
    ensure!(matches!(never, Err(WaitError::Timeout { .. })), "{never:?}");
    Ok(())
}

pub(super) async fn races(stage: &Stage) -> Result<()> {
    let (maps, _) = maps(stage).await?;
    let count = |object: &Unstructured| -> i64 {
        object
            .object
            .get("data")
            .and_then(|data| data["n"].as_str())
            .and_then(|n| n.parse().ok())
            .unwrap_or(0)
    };
    let add = || {
        let (maps, new) = (maps.clone(), || map("counter", json!({"n": "0"})));
        async move {
            let change = |object: &mut Unstructured| {
                let n = count(object) + 1;
                object.object.insert("data", json!({"n": n.to_string()}));
            };
            maps.create_or_update("counter", new, change).await
        }
    };
    let outcomes = tokio::join!(add(), add(), add());
    let created = [outcomes.0?.1, outcomes.1?.1, outcomes.2?.1];
    ensure!(created.iter().filter(|created| **created).count() == 1, "{created:?}");
    maps.retry_on_conflict("counter", |object| object.set_label("seen", "yes")).await?;
    let last = maps.get("counter").await?;
    ensure!(count(&last) == 3 && last.label("seen") == Some("yes"), "{last:?}");
    Ok(())
}
