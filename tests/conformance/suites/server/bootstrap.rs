//! The objects that a server creates for itself.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Backend, Stage, eventually};
use serde_json::{Value, json};

use super::http::Http;

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";
const API_SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";

pub(super) async fn own_service(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let path = "/api/v1/namespaces/default/services/kubernetes";
    let service = http.get(path).await?.ok(200)?;
    ensure!(service["metadata"]["labels"] == json!({"component": "apiserver", "provider": "kubernetes"}));
    let spec = &service["spec"];
    ensure!(spec["clusterIP"] == "10.0.0.1" && spec["clusterIPs"] == json!(["10.0.0.1"]), "{spec}");
    let port = &spec["ports"][0];
    ensure!(port["name"] == "https" && port["port"] == 443 && port["protocol"] == "TCP", "{port}");
    let address = http.get("/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1").await?.ok(200)?;
    let parent = json!({"resource": "services", "namespace": "default", "name": "kubernetes"});
    ensure!(address["spec"]["parentRef"] == parent, "{address}");
    // The real server of the tests is on the loopback address, which can't be an endpoint.
    if stage.backend() == Backend::Embedded {
        let endpoints = http.get("/api/v1/namespaces/default/endpoints/kubernetes").await?.ok(200)?;
        ensure!(endpoints["subsets"][0]["ports"][0]["port"] == port["targetPort"], "{endpoints}");
        let slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
        let slices =
            http.get(&format!("{slices}?labelSelector=kubernetes.io/service-name=kubernetes")).await?;
        let slices = slices.ok(200)?;
        ensure!(slices["items"][0]["endpoints"][0]["conditions"]["ready"] == true, "{slices}");
    }
    http.delete(path).await?.ok(200)?;
    eventually("the service is back", || async {
        let back = http.get(path).await?.ok(200)?;
        ensure!(back["spec"]["clusterIP"] == "10.0.0.1", "{back}");
        ensure!(back["metadata"]["uid"] != service["metadata"]["uid"], "it is the old one");
        Ok(())
    })
    .await
}

/// The names of a list's objects, with their namespaces.
async fn names(http: &Http, path: &str) -> Result<BTreeSet<String>> {
    let list = http.get(path).await?.ok(200)?;
    let items = list["items"].as_array().context("not a list")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(items
        .iter()
        .map(|item| format!("{}/{}", text(&item["metadata"]["namespace"]), text(&item["metadata"]["name"])))
        .collect())
}

pub(super) async fn roles(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let defaults = "labelSelector=kubernetes.io/bootstrapping=rbac-defaults";
    for (plural, count) in
        [("clusterroles", 73), ("clusterrolebindings", 54), ("roles", 7), ("rolebindings", 7)]
    {
        let found = names(&http, &format!("{RBAC}/{plural}?{defaults}")).await?;
        ensure!(found.len() == count, "{} {plural}: {found:?}", found.len());
    }
    for (path, rule) in [
        (
            "clusterroles/system:auth-delegator",
            json!({"apiGroups": ["authentication.k8s.io"], "resources": ["tokenreviews"], "verbs": ["create"]}),
        ),
        (
            "namespaces/kube-system/roles/extension-apiserver-authentication-reader",
            json!({
                "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch"],
                "resourceNames": ["extension-apiserver-authentication"],
            }),
        ),
        (
            "clusterroles/system:service-account-issuer-discovery",
            json!({
                "nonResourceURLs": [
                    "/.well-known/openid-configuration", "/.well-known/openid-configuration/", "/openid/v1/jwks",
                    "/openid/v1/jwks/",
                ],
                "verbs": ["get"],
            }),
        ),
    ] {
        let role = http.get(&format!("{RBAC}/{path}")).await?.ok(200)?;
        let rules = role["rules"].as_array().context("no rules")?;
        ensure!(rules.contains(&rule), "{path}: {}", role["rules"]);
    }
    let binding = format!("{RBAC}/clusterrolebindings/system:controller:job-controller");
    let binding = http.get(&binding).await?.ok(200)?;
    let account = json!([{"kind": "ServiceAccount", "name": "job-controller", "namespace": "kube-system"}]);
    ensure!(binding["subjects"] == account, "{binding}");
    let aggregated = format!("{RBAC}/clusterroles/admin");
    eventually("the role admin has the rules of its parts", || async {
        let role = http.get(&aggregated).await?.ok(200)?;
        ensure!(role["rules"].as_array().is_some_and(|rules| rules.len() > 20), "{role}");
        Ok(())
    })
    .await
}

pub(super) async fn api_services(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let all = names(
        &http,
        &format!("{API_SERVICES}?labelSelector=kube-aggregator.kubernetes.io/automanaged=onstart"),
    )
    .await?;
    ensure!(all.len() == 22, "{}: {all:?}", all.len());
    for (name, priorities) in
        [("v1.", (18_000, 1)), ("v1.apps", (17_800, 15)), ("v2.autoscaling", (17_500, 30))]
    {
        let object = http.get(&format!("{API_SERVICES}/{name}")).await?.ok(200)?;
        let spec = &object["spec"];
        ensure!(
            spec["groupPriorityMinimum"] == priorities.0 && spec["versionPriority"] == priorities.1,
            "{spec}"
        );
        let condition = &object["status"]["conditions"][0];
        ensure!(condition["type"] == "Available" && condition["reason"] == "Local", "{condition}");
    }
    let group = format!("g{:x}.example.com", std::process::id());
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("things.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}},
            }],
        },
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    http.post(definitions, &definition).await?.ok(201)?;
    let own = format!("{API_SERVICES}/v1.{group}");
    eventually("the group has its API service", || async {
        let object = http.get(&own).await?.ok(200)?;
        ensure!(object["spec"]["groupPriorityMinimum"] == 1000 && object["spec"]["versionPriority"] == 100);
        let label = &object["metadata"]["labels"]["kube-aggregator.kubernetes.io/automanaged"];
        ensure!(label == "true", "{label}");
        Ok(())
    })
    .await?;
    http.delete(&format!("{definitions}/things.{group}")).await?.ok(200)?;
    eventually("the API service is gone", || async { http.get(&own).await?.ok(404).map(drop) }).await
}

pub(super) async fn system_objects(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let maps = "/api/v1/namespaces/kube-system/configmaps";
    let map = http.get(&format!("{maps}/extension-apiserver-authentication")).await?.ok(200)?;
    let certificate = map["data"]["client-ca-file"].as_str().unwrap_or_default();
    ensure!(certificate.starts_with("-----BEGIN CERTIFICATE-----"), "{map}");
    ensure!(map["data"]["requestheader-username-headers"] == "[\"X-Remote-User\"]", "{map}");
    let map =
        http.get(&format!("{maps}/kube-apiserver-legacy-service-account-token-tracking")).await?.ok(200)?;
    ensure!(map["data"]["since"].as_str().is_some_and(|since| since.len() == 10), "{map}");
    let leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    let leases = format!("{leases}?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver");
    let leases = http.get(&leases).await?.ok(200)?;
    let lease = &leases["items"][0];
    ensure!(
        lease["metadata"]["name"].as_str().is_some_and(|name| name.starts_with("apiserver-")),
        "{leases}"
    );
    ensure!(lease["spec"]["leaseDurationSeconds"] == 3600, "{lease}");
    Ok(())
}

pub(super) async fn components(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let path = "/api/v1/componentstatuses";
    let found = names(&http, path).await?;
    let expected = ["/controller-manager", "/etcd-0", "/scheduler"].map(str::to_owned);
    ensure!(found == BTreeSet::from(expected), "{found:?}");
    let one = http.get(&format!("{path}/etcd-0")).await?;
    ensure!(
        one.header("warning").contains("v1 ComponentStatus is deprecated in v1.19+"),
        "{:?}",
        one.headers
    );
    let condition = json!([{"type": "Healthy", "status": "True", "message": "ok"}]);
    ensure!(one.ok(200)?["conditions"] == condition);
    http.get(&format!("{path}/nope")).await?.refuses(404, "componentstatus \"nope\" not found")?;
    let selected = names(&http, &format!("{path}?fieldSelector=metadata.name=etcd-0")).await?;
    ensure!(selected.len() == 1, "{selected:?}");
    ensure!(names(&http, &format!("{path}?labelSelector=a=b")).await?.is_empty());
    let why = "watch is not supported on resources of kind \"componentstatuses\"";
    http.get(&format!("{path}?watch=1")).await?.refuses(405, why)
}
