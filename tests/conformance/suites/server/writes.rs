//! Creates, patches and selections.

use anyhow::{Result, ensure};
use client_rs_tests::Stage;
use serde_json::json;

use super::http::{Http, JSON_PATCH};

pub(super) async fn versioned_create(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let maps = format!("/api/v1/namespaces/{namespace}/configmaps");
    let map = |name: &str, version: &str| json!({"metadata": {"name": name, "resourceVersion": version}});
    let why = "resourceVersion should not be set on objects to be created";
    http.post(&maps, &map("a", "5")).await?.refuses(500, why)?;
    let dry = http.post(&format!("{maps}?dryRun=All"), &map("a", "5")).await?.ok(201)?;
    ensure!(dry["metadata"]["resourceVersion"] == "5", "{dry}");
    // A version that is not a number counts as unset.
    for (name, version) in [("a", "0"), ("b", "bogus")] {
        http.post(&maps, &map(name, version)).await?.ok(201)?;
    }
    http.post(&maps, &map("a", "5")).await?.refuses(500, why)?;
    let exists = "configmaps \"a\" already exists";
    http.post(&format!("{maps}?dryRun=All"), &map("a", "5")).await?.refuses(409, exists)?;
    ensure!(http.post(&maps, &map("A_", "5")).await?.code == 422);
    let elsewhere = http.post("/api/v1/namespaces/nope/configmaps", &map("a", "5")).await?;
    elsewhere.refuses(404, "namespaces \"nope\" not found")?;
    let generated = json!({"metadata": {"generateName": "a", "resourceVersion": "5"}});
    http.post(&maps, &generated).await?.refuses(500, why)?;
    // An update that creates does not check it.
    let lease = format!("/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/l");
    http.put(&lease, &map("l", "5")).await?.ok(201)?;
    Ok(())
}

pub(super) async fn json_patches(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let services = format!("/api/v1/namespaces/{namespace}/services");
    http.post(&services, &json!({"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}}))
        .await?
        .ok(201)?;
    let tests = json!([
        {"op": "test", "path": "/status", "value": {"loadBalancer": {}}},
        {"op": "test", "path": "/kind", "value": "Service"},
        {"op": "test", "path": "/spec/ports/0/targetPort", "value": 80},
    ]);
    http.patch(&format!("{services}/s"), JSON_PATCH, &tests).await?.ok(200)?;
    // The status of a claim is an empty object, to which fields can be added.
    let claims = format!("/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims");
    let claim = http.post(&claims, &json!({"metadata": {"name": "c"}})).await?.ok(201)?;
    ensure!(claim["status"] == json!({}), "{claim}");
    let tests = json!([{"op": "test", "path": "/status", "value": {}}]);
    http.patch(&format!("{claims}/c"), JSON_PATCH, &tests).await?.ok(200)?;
    // A map that is not served can't be added to.
    let maps = format!("/api/v1/namespaces/{namespace}/configmaps");
    http.post(&maps, &json!({"metadata": {"name": "m"}})).await?.ok(201)?;
    for path in ["/data/x", "/metadata/labels/x"] {
        let patch = json!([{"op": "add", "path": path, "value": "1"}]);
        let why = "the server rejected our request due to an error in our request";
        http.patch(&format!("{maps}/m"), JSON_PATCH, &patch).await?.refuses(422, why)?;
    }
    let migrations = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    let name = format!("m-{}", namespace.trim_start_matches("conformance-"));
    let migration =
        json!({"metadata": {"name": name}, "spec": {"resource": {"group": "", "resource": "pods"}}});
    http.post(migrations, &migration).await?.ok(201)?;
    let condition = json!({
        "type": "Running", "status": "True", "reason": "r", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    let patch = json!([{"op": "add", "path": "/status/conditions", "value": [condition]}]);
    let patched = http.patch(&format!("{migrations}/{name}/status"), JSON_PATCH, &patch).await?.ok(200)?;
    ensure!(patched["status"]["conditions"][0]["type"] == "Running", "{patched}");
    http.delete(&format!("{migrations}/{name}")).await?.ok(200)?;
    Ok(())
}

pub(super) async fn event_sources(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let about = json!({"kind": "Pod", "namespace": namespace, "name": "p"});
    let core = format!("/api/v1/namespaces/{namespace}/events");
    let new = format!("/apis/events.k8s.io/v1/namespaces/{namespace}/events");
    for event in [
        json!({"metadata": {"name": "reported"}, "involvedObject": about, "reportingComponent": "ctl", "reportingInstance": "i"}),
        json!({"metadata": {"name": "sourced"}, "involvedObject": about, "source": {"component": "ctl"}}),
        json!({
            "metadata": {"name": "both"}, "involvedObject": about, "source": {"component": "other"},
            "reportingComponent": "ctl", "reportingInstance": "i",
        }),
    ] {
        http.post(&core, &event).await?.ok(201)?;
    }
    let event = json!({
        "metadata": {"name": "new"}, "regarding": about, "reportingController": "ctl", "reportingInstance": "i",
        "action": "a", "reason": "r", "type": "Normal", "eventTime": "2026-01-01T00:00:00.000000Z",
    });
    http.post(&new, &event).await?.ok(201)?;
    for (path, expected) in [
        (format!("{core}?fieldSelector=source=ctl"), vec!["new", "reported", "sourced"]),
        (format!("{core}?fieldSelector=source=other"), vec!["both"]),
        (format!("{core}?fieldSelector=reportingComponent=ctl"), vec!["both", "new", "reported"]),
        (format!("{new}?fieldSelector=reportingController=ctl"), vec!["both", "new", "reported"]),
    ] {
        let list = http.get(&path).await?.ok(200)?;
        let items = list["items"].as_array().cloned().unwrap_or_default();
        let mut names: Vec<_> = items.iter().filter_map(|item| item["metadata"]["name"].as_str()).collect();
        names.sort_unstable();
        ensure!(names == expected, "{path}: {names:?}");
    }
    let refused = http.get(&format!("{new}?fieldSelector=source=ctl")).await?;
    refused.refuses(400, "field label not supported: source")
}
