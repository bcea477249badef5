//! Objects and what is done to them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{
    ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams, Preconditions,
    ValidationDirective,
};
use kube::core::GroupVersionKind;
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;

use crate::{NAMESPACE, api, config_map, labelled, refused};

fn value(map: &ConfigMap) -> &str {
    map.data.as_ref().and_then(|data| data.get("key")).map_or("", String::as_str)
}

pub(crate) async fn life(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let mut made = maps.create(&PostParams::default(), &config_map("life", "1")).await?;
    ensure!(made.uid().is_some() && made.creation_timestamp().is_some(), "no uid or time: {made:?}");
    made.data = Some(BTreeMap::from([("key".to_owned(), "2".to_owned())]));
    let replaced = maps.replace("life", &PostParams::default(), &made).await?;
    let found = maps.get("life").await?;
    ensure!(value(&found) == "2" && found.resource_version() == replaced.resource_version(), "{found:?}");
    let other = Preconditions { uid: Some("other".to_owned()), ..Preconditions::default() };
    let wrong = maps.delete("life", &DeleteParams::default().preconditions(other)).await;
    ensure!(refused(wrong)?.is_conflict(), "a delete of another uid");
    let deleted = maps.delete("life", &DeleteParams::default()).await?;
    ensure!(deleted.right().is_some_and(|status| status.is_success()), "it is still there");
    ensure!(maps.get_opt("life").await?.is_none(), "it is there after the delete");
    Ok(())
}

pub(crate) async fn conflict(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let stale = maps.create(&PostParams::default(), &config_map("contended", "1")).await?;
    let mut fresh = stale.clone();
    fresh.annotations_mut().insert("by".to_owned(), "another".to_owned());
    maps.replace("contended", &PostParams::default(), &fresh).await?;
    let status = refused(maps.replace("contended", &PostParams::default(), &stale).await)?;
    ensure!(status.is_conflict() && status.code == 409, "{status:?}");
    ensure!(status.message.contains("the object has been modified"), "{status:?}");
    Ok(())
}

pub(crate) async fn reasons(client: &Client) -> Result<()> {
    let (maps, post) = (api::<ConfigMap>(client), PostParams::default());
    let missing = refused(maps.get("missing").await)?;
    ensure!(missing.is_not_found() && missing.code == 404, "{missing:?}");
    let details = missing.details.context("no details")?;
    ensure!(details.name == "missing" && details.kind == "configmaps", "{details:?}");
    let exists = refused(maps.create(&post, &config_map("contended", "1")).await)?;
    ensure!(exists.is_already_exists() && exists.code == 409, "{exists:?}");
    let invalid = refused(maps.create(&post, &config_map("Not A Name", "1")).await)?;
    ensure!(invalid.is_invalid() && invalid.code == 422, "{invalid:?}");
    let causes = invalid.details.context("no details")?.causes;
    ensure!(causes.iter().any(|cause| cause.field == "metadata.name"), "{causes:?}");
    let bad = refused(maps.list(&ListParams::default().labels("a in")).await)?;
    ensure!(bad.code == 400, "{bad:?}");
    let elsewhere = Api::<ConfigMap>::namespaced(client.clone(), "no-such");
    let nowhere = refused(elsewhere.create(&post, &config_map("x", "1")).await)?;
    ensure!(nowhere.is_not_found(), "{nowhere:?}");
    Ok(())
}

pub(crate) async fn pages(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    for number in 0..25 {
        let mut map = config_map("", "page");
        map.metadata = labelled(&format!("page-{number:02}"), &[("page", "yes")]);
        maps.create(&PostParams::default(), &map).await?;
    }
    let (mut seen, mut token, mut version) = (Vec::new(), None::<String>, None);
    loop {
        let mut asked = ListParams::default().labels("page=yes").limit(10);
        asked.continue_token = token;
        let page = maps.list(&asked).await?;
        ensure!(page.items.len() <= 10, "{} at once", page.items.len());
        let this = page.metadata.resource_version.clone();
        ensure!(version.is_none() || version == this, "pages of {version:?} and {this:?}");
        version = this;
        let left = page.metadata.remaining_item_count;
        seen.extend(page.items.iter().map(kube::ResourceExt::name_any));
        token = page.metadata.continue_.filter(|token| !token.is_empty());
        if token.is_none() {
            ensure!(left.is_none(), "{left:?} are left at the end");
            break;
        }
    }
    let expected: Vec<String> = (0..25).map(|number| format!("page-{number:02}")).collect();
    ensure!(seen == expected, "{seen:?}");
    Ok(())
}

pub(crate) async fn selectors(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let by_field = maps.list(&ListParams::default().fields("metadata.name=page-03")).await?;
    ensure!(by_field.items.len() == 1 && by_field.items[0].name_any() == "page-03", "{:?}", by_field.items);
    for (selector, count) in [("page in (yes,no)", 25), ("page!=yes,page", 0), ("!page,page=yes", 0)] {
        let found = maps.list(&ListParams::default().labels(selector)).await?.items.len();
        ensure!(found == count, "{selector}: {found}");
    }
    Ok(())
}

pub(crate) async fn patches(client: &Client) -> Result<()> {
    let (maps, with) = (api::<ConfigMap>(client), PatchParams::default());
    maps.create(&PostParams::default(), &config_map("patched", "0")).await?;
    let merged =
        maps.patch("patched", &with, &Patch::Merge(json!({"data": {"key": null, "more": "1"}}))).await?;
    ensure!(merged.data == Some(BTreeMap::from([("more".into(), "1".into())])), "{:?}", merged.data);
    let strategic = json!({"metadata": {"labels": {"by": "strategic"}}});
    let patched = maps.patch("patched", &with, &Patch::Strategic(strategic)).await?;
    ensure!(patched.labels().get("by").is_some_and(|by| by == "strategic"), "{patched:?}");
    let steps = json!([
        {"op": "test", "path": "/data/more", "value": "1"}, {"op": "replace", "path": "/data/more", "value": "2"},
    ]);
    let steps: Patch<()> = Patch::Json(serde_json::from_value(steps)?);
    let patched = maps.patch("patched", &with, &steps).await?;
    ensure!(patched.data == Some(BTreeMap::from([("more".into(), "2".into())])), "{:?}", patched.data);
    // The test no longer holds.
    let status = refused(maps.patch("patched", &with, &steps).await)?;
    ensure!(status.code == 422 || status.code == 500, "{status:?}");
    let strict = PatchParams { field_validation: Some(ValidationDirective::Strict), ..with };
    let unknown = refused(maps.patch("patched", &strict, &Patch::Merge(json!({"dada": {}}))).await)?;
    ensure!(unknown.code == 422 && unknown.message.contains("unknown field \"dada\""), "{unknown:?}");
    Ok(())
}

pub(crate) async fn apply(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let wish = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"key": value}});
    let made = maps.patch("applied", &PatchParams::apply("one"), &Patch::Apply(wish("1"))).await?;
    ensure!(value(&made) == "1", "{made:?}");
    let other = PatchParams::apply("two");
    let status = refused(maps.patch("applied", &other, &Patch::Apply(wish("2"))).await)?;
    ensure!(status.is_conflict() && status.message.contains("conflict with \"one\""), "{status:?}");
    let forced = maps.patch("applied", &other.force(), &Patch::Apply(wish("2"))).await?;
    let managers: Vec<String> =
        forced.managed_fields().iter().filter_map(|entry| entry.manager.clone()).collect();
    ensure!(value(&forced) == "2" && managers == ["two"], "{managers:?}: {forced:?}");
    let nothing = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}});
    let emptied = maps.patch("applied", &PatchParams::apply("two"), &Patch::Apply(nothing)).await?;
    ensure!(emptied.data.is_none_or(|data| data.is_empty()), "what is no longer wished for stays");
    Ok(())
}

pub(crate) async fn entry(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    for expected in ["first", "second"] {
        let entry = maps.entry("entry").await?.or_insert(|| config_map("entry", ""));
        let mut entry = entry.and_modify(|map| {
            map.data.get_or_insert_default().insert("key".to_owned(), expected.to_owned());
        });
        entry.commit(&PostParams::default()).await?;
        ensure!(value(entry.get()) == expected, "{:?}", entry.get());
        ensure!(value(&maps.get("entry").await?) == expected, "it was not written");
    }
    Ok(())
}

pub(crate) async fn metadata(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let whole = maps.get("entry").await?;
    let part = maps.get_metadata("entry").await?;
    ensure!(part.metadata == whole.metadata, "{part:?}");
    let list = maps.list_metadata(&ListParams::default().labels("page=yes")).await?;
    ensure!(list.items.len() == 25 && list.items.iter().all(|one| one.uid().is_some()), "{list:?}");
    let merge = Patch::Merge(json!({"metadata": {"annotations": {"seen": "yes"}}}));
    let patched = maps.patch_metadata("entry", &PatchParams::default(), &merge).await?;
    ensure!(patched.annotations().get("seen").is_some_and(|seen| seen == "yes"), "{patched:?}");
    Ok(())
}

pub(crate) async fn dry_run(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    let made = maps.create(&dry, &config_map("dry", "1")).await?;
    ensure!(made.uid().is_some(), "{made:?}");
    ensure!(maps.get_opt("dry").await?.is_none(), "it was made");
    maps.delete("entry", &DeleteParams::default().dry_run()).await?;
    ensure!(maps.get_opt("entry").await?.is_some(), "it was deleted");
    Ok(())
}

pub(crate) async fn dynamic(client: &Client) -> Result<()> {
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("apps", "v1", "Deployment"));
    let all = Api::<DynamicObject>::namespaced_with(client.clone(), NAMESPACE, &kind);
    let spec = json!({"spec": {
        "replicas": 0, "selector": {"matchLabels": {"app": "dynamic"}},
        "template": {
            "metadata": {"labels": {"app": "dynamic"}},
            "spec": {"containers": [{"name": "main", "image": "none"}]},
        },
    }});
    let made = DynamicObject::new("dynamic", &kind).data(spec);
    let made = all.create(&PostParams::default(), &made).await?;
    ensure!(made.data["spec"]["strategy"]["type"] == "RollingUpdate", "no defaults: {}", made.data);
    ensure!(made.metadata.generation == Some(1), "generation {:?}", made.metadata.generation);
    let patch = Patch::Merge(json!({"spec": {"paused": true}}));
    let paused = all.patch("dynamic", &PatchParams::default(), &patch).await?;
    ensure!(paused.metadata.generation == Some(2), "generation {:?}", paused.metadata.generation);
    let listed = all.list(&ListParams::default()).await?;
    ensure!(listed.items.iter().any(|one| one.name_any() == "dynamic"), "it is not listed");
    all.delete("dynamic", &DeleteParams::foreground()).await?;
    Ok(())
}

pub(crate) async fn delete_collection(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let pages = ListParams::default().labels("page=yes");
    let deleted = maps.delete_collection(&DeleteParams::default(), &pages).await?;
    ensure!(deleted.left().is_none_or(|list| list.items.len() == 25), "not all");
    ensure!(maps.list(&pages).await?.items.is_empty(), "some are left");
    ensure!(maps.get_opt("entry").await?.is_some(), "one too many");
    Ok(())
}
