//! Owners and namespaces.

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Stage, eventually};
use http::Method;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

/// Three objects that own each other in a circle, and block the deletion of their owners.
pub(super) async fn cycles(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let maps = format!("/api/v1/namespaces/{namespace}/configmaps");
    let mut uids = Vec::new();
    for name in ["a", "b", "c"] {
        let made = http.post(&maps, &json!({"metadata": {"name": name}})).await?.ok(201)?;
        uids.push(made["metadata"]["uid"].clone());
    }
    for (name, owner, of) in [("a", 2, "c"), ("b", 0, "a"), ("c", 1, "b")] {
        let owner = json!([{
            "apiVersion": "v1", "kind": "ConfigMap", "name": of, "uid": uids[owner].clone(),
            "blockOwnerDeletion": true, "controller": true,
        }]);
        let patch = json!({"metadata": {"ownerReferences": owner}});
        http.patch(&format!("{maps}/{name}"), MERGE_PATCH, &patch).await?.ok(200)?;
    }
    let options = json!({"propagationPolicy": "Foreground"}).to_string();
    let headers = [(CONTENT_TYPE, "application/json")];
    http.send(Method::DELETE, &format!("{maps}/a"), &headers, options).await?.ok(200)?;
    eventually("all are gone", || async {
        for name in ["a", "b", "c"] {
            http.get(&format!("{maps}/{name}")).await?.ok(404)?;
        }
        Ok(())
    })
    .await
}

/// A job orphans its dependents when somebody deletes it without saying more, but not when it is collected itself.
pub(super) async fn collected_jobs(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let maps = format!("/api/v1/namespaces/{namespace}/configmaps");
    let jobs = format!("/apis/batch/v1/namespaces/{namespace}/jobs");
    let owned = |name: &str, api_version: &str, kind: &str, owner: &Value| {
        let reference =
            json!({"apiVersion": api_version, "kind": kind, "name": owner["name"], "uid": owner["uid"]});
        json!({"name": name, "ownerReferences": [reference]})
    };
    let template = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}});
    for (name, collected) in [("collected", true), ("deleted", false)] {
        let first =
            http.post(&maps, &json!({"metadata": {"name": format!("{name}-owner")}})).await?.ok(201)?;
        let metadata = owned(name, "v1", "ConfigMap", &first["metadata"]);
        let job = json!({"metadata": metadata, "spec": {"suspend": true, "template": template}});
        let job = http.post(&jobs, &job).await?.ok(201)?;
        let last = owned(&format!("{name}-last"), "batch/v1", "Job", &job["metadata"]);
        http.post(&maps, &json!({"metadata": last})).await?.ok(201)?;
        let path = if collected { format!("{maps}/{name}-owner") } else { format!("{jobs}/{name}") };
        http.delete(&path).await?.ok(200)?;
        eventually("the job is gone", || async {
            http.get(&format!("{jobs}/{name}")).await?.ok(404)?;
            let last = http.get(&format!("{maps}/{name}-last")).await?;
            if collected {
                return last.ok(404).map(drop);
            }
            let last = last.ok(200)?;
            ensure!(last["metadata"]["ownerReferences"].is_null(), "{last}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// A namespace in which first a pod stays, and other objects with it, and then another object.
pub(super) async fn namespaces(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let own = format!("/api/v1/namespaces/{namespace}");
    let held = json!(["example.com/hold"]);
    let pod = json!({
        "metadata": {"name": "p", "finalizers": held},
        "spec": {"containers": [{"name": "c", "image": "i"}], "terminationGracePeriodSeconds": 0},
    });
    http.post(&format!("{own}/pods"), &pod).await?.ok(201)?;
    let map = json!({"metadata": {"name": "m", "finalizers": held}});
    http.post(&format!("{own}/configmaps"), &map).await?.ok(201)?;
    http.delete(&own).await?.ok(200)?;
    eventually("the namespace waits for the pod", || async {
        let removed = ("False", "ContentRemoved", "All content successfully removed");
        let finished = ("False", "ContentHasNoFinalizers", "All content-preserving finalizers finished");
        has_conditions(&http, &own, removed, finished).await
    })
    .await?;
    let map = http.get(&format!("{own}/configmaps/m")).await?.ok(200)?;
    ensure!(map["metadata"]["deletionTimestamp"].is_null(), "{map}");
    let freed = json!({"metadata": {"finalizers": null}});
    http.patch(&format!("{own}/pods/p"), MERGE_PATCH, &freed).await?.ok(200)?;
    eventually("the namespace waits for the config map", || async {
        let remaining = "Some resources are remaining: configmaps. has 1 resource instances";
        let finalizers =
            "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances";
        let remaining = ("True", "SomeResourcesRemain", remaining);
        has_conditions(&http, &own, remaining, ("True", "SomeFinalizersRemain", finalizers)).await
    })
    .await?;
    http.patch(&format!("{own}/configmaps/m"), MERGE_PATCH, &freed).await?.ok(200)?;
    eventually("the namespace is gone", || async { http.get(&own).await?.ok(404).map(drop) }).await
}

/// Status, reason and message of a condition.
type Condition = (&'static str, &'static str, &'static str);

/// Checks the conditions of a namespace that is being deleted: the content that remains, and its finalizers.
async fn has_conditions(http: &Http, path: &str, content: Condition, finalizers: Condition) -> Result<()> {
    let status = http.get(path).await?.ok(200)?["status"].clone();
    ensure!(status["phase"] == "Terminating", "{status}");
    let conditions = status["conditions"].as_array().context("no conditions")?;
    let discovered = ("False", "ResourcesDiscovered", "All resources successfully discovered");
    let parsed = ("False", "ParsedGroupVersions", "All legacy kube types successfully parsed");
    for (kind, (value, reason, message)) in [
        ("NamespaceDeletionDiscoveryFailure", discovered),
        ("NamespaceDeletionGroupVersionParsingFailure", parsed),
        ("NamespaceContentRemaining", content),
        ("NamespaceFinalizersRemaining", finalizers),
    ] {
        let is_it = |condition: &&Value| condition["type"] == kind;
        let found = conditions.iter().find(is_it).with_context(|| format!("no {kind}: {status}"))?;
        ensure!(found["status"] == value && found["reason"] == reason, "{found} in {status}");
        ensure!(found["message"] == message, "{found}");
    }
    Ok(())
}

/// The objects that a cluster keeps in each namespace.
pub(super) async fn content(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let account = format!("/api/v1/namespaces/{namespace}/serviceaccounts/default");
    let map = format!("/api/v1/namespaces/{namespace}/configmaps/kube-root-ca.crt");
    for path in [&account, &map] {
        let there = || async { http.get(path).await?.ok(200) };
        eventually("the object is there", || async { there().await.map(drop) }).await?;
        let old = there().await?;
        http.delete(path).await?.ok(200)?;
        eventually("the object is back", || async {
            ensure!(there().await?["metadata"]["uid"] != old["metadata"]["uid"], "it is the old one");
            Ok(())
        })
        .await?;
    }
    let empty = json!({"metadata": {"name": "kube-root-ca.crt"}, "data": {"ca.crt": "", "more": ""}});
    http.put(&map, &empty).await?.ok(200)?;
    eventually("the data is restored", || async {
        let map = http.get(&map).await?.ok(200)?;
        let data = map["data"].as_object().context("no data")?;
        ensure!(data.len() == 1, "{map}");
        ensure!(map["data"]["ca.crt"].as_str().is_some_and(|ca| ca.contains("BEGIN CERTIFICATE")), "{map}");
        let description = &map["metadata"]["annotations"]["kubernetes.io/description"];
        ensure!(description.as_str().is_some_and(|text| !text.is_empty()), "{map}");
        Ok(())
    })
    .await
}
