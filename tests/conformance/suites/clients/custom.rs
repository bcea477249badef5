//! Custom resources.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_client::DynamicClient;
use client_rs_client::wait::conditions;
use client_rs_machinery::{GroupVersionResource, Json, Unstructured, json};
use client_rs_tests::{Stage, eventually};

/// A group of the scenario's own.
pub(super) fn group() -> String {
    format!("g{:08x}.conformance.example.com", fastrand::u32(..))
}

/// A definition with a status and a scale.
pub(super) fn definition(
    group: &str,
    plural: &str,
    kind: &str,
    scope: &str,
    names: &Json,
) -> Result<Unstructured> {
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let mut all = json!({"kind": kind, "plural": plural, "singular": kind.to_lowercase()});
    for (key, value) in names.as_map().context("names")? {
        all.set(&[key], value.clone()).ok();
    }
    let version = |name: &str, storage: bool| {
        json!({
            "name": name, "served": true, "storage": storage, "schema": schema.clone(),
            "subresources": {
                "status": {},
                "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
            },
        })
    };
    let object = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group, "scope": scope, "names": all,
            "versions": [version("v1", true), version("v1beta1", false)],
        },
    });
    Unstructured::try_from(object).map_err(|_| anyhow::anyhow!("a definition is an object"))
}

/// Installs definitions and waits until they are served.
pub(super) async fn install(client: &DynamicClient, definitions: &[Unstructured]) -> Result<()> {
    let crds = client.find("crd").await?;
    for definition in definitions {
        crds.create(definition.clone()).await?;
    }
    for definition in definitions {
        crds.wait_for(definition.name(), conditions::crd_established(), Duration::from_mins(1)).await?;
    }
    Ok(())
}

/// Removes definitions, and what there is of them.
pub(super) async fn remove(client: &DynamicClient, definitions: &[Unstructured]) -> Result<()> {
    let crds = client.find("crd").await?;
    for definition in definitions {
        crds.delete(definition.name()).await?;
    }
    for definition in definitions {
        crds.wait_for(definition.name(), conditions::deleted(), Duration::from_mins(1)).await?;
    }
    Ok(())
}

pub(super) async fn found_when_installed(stage: &Stage) -> Result<()> {
    let (namespace, group) = (stage.namespace().await?, group());
    let client = DynamicClient::from_rest(stage.client()?);
    let word = format!("Widget.{group}");
    let before = client.find(&word).await.map(drop);
    ensure!(before.as_ref().is_err_and(client_rs_client::discovery::MapError::is_no_match), "{before:?}");
    let definitions = [definition(
        &group,
        "widgets",
        "Widget",
        "Namespaced",
        &json!({"shortNames": ["wdgt"], "categories": ["all"]}),
    )?];
    install(&client, &definitions).await?;
    // After a failed lookup, the next one comes ten seconds later, and discovery itself takes a moment.
    let widgets = eventually("the new kind", || async {
        client.mapper().reset();
        Ok(client.find(&word).await?)
    })
    .await?;
    ensure!(*widgets.resource() == GroupVersionResource::new(group.as_str(), "v1", "widgets"), "{widgets:?}");
    let by_short_name = client.find(&format!("wdgt.{group}")).await?;
    ensure!(by_short_name.resource() == widgets.resource(), "{by_short_name:?}");
    let mapper = client.mapper().mapper().await?;
    ensure!(mapper.category("all").iter().any(|member| member.group == group), "not in its category");

    let widgets = widgets.namespace(&namespace);
    let mut object = Unstructured::new(format!("{group}/v1"), "Widget", "one");
    object.object.insert("spec", json!({"size": 3}));
    let created = widgets.create(object).await?;
    ensure!(created.object["spec"]["size"].as_i64() == Some(3), "{created:?}");
    // The same object in its other version.
    let older = client
        .resource(GroupVersionResource::new(group.as_str(), "v1beta1", "widgets"))
        .namespace(&namespace);
    ensure!(older.get("one").await?.uid() == created.uid(), "another object");
    let mut with_status = created.clone();
    with_status.object.insert("status", json!({"phase": "Done"}));
    widgets.update_status(with_status).await?;
    let done = conditions::jsonpath("{.status.phase}", Some("Done"))?;
    widgets.wait_for("one", done, Duration::from_secs(30)).await?;
    remove(&client, &definitions).await
}
