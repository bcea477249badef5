//! Plugins for pods, nodes and namespaces.

use anyhow::{Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{container, delete, get, patch, pod, post, put};

pub(crate) async fn priority(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let cases = [
        (json!({"priorityClassName": "nope"}), "no PriorityClass with name nope was found"),
        (
            json!({"priority": 7}),
            "the integer value of priority (7) must not be provided in pod spec; priority admission controller \
             computed 0 from the given PriorityClass name",
        ),
        (
            json!({"priorityClassName": "system-node-critical", "preemptionPolicy": "Never"}),
            "the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission \
             controller computed PreemptLowerPriority from the given PriorityClass name",
        ),
    ];
    for (spec, why) in cases {
        let why = format!("pods \"p\" is forbidden: {why}");
        post(&client, &pods, &pod("p", spec)).await?.refused(403, &why)?;
    }
    let classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    let class = |name: &str| json!({"metadata": {"name": name}, "value": 5, "globalDefault": true});
    post(&client, classes, &class(&namespace)).await?.accepted()?;
    let made = eventually("the default priority", || async {
        let made = post(&client, &pods, &pod("p", json!({}))).await?.accepted()?.object["spec"].clone();
        ensure!(made["priority"] == 5, "{made}");
        Ok(made)
    })
    .await?;
    ensure!(
        made["priorityClassName"] == namespace && made["preemptionPolicy"] == "PreemptLowerPriority",
        "{made}"
    );
    let why = format!(
        "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass {namespace} is already marked as \
         default. Only one default can exist"
    );
    post(&client, classes, &class("other")).await?.refused(403, &why)?;
    delete(&client, &format!("{classes}/{namespace}")).await
}

pub(crate) async fn accounts(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let dry = format!("{pods}?dryRun=All");
    let missing = pod("p", json!({"serviceAccountName": "nope"}));
    let why = format!(
        "pods \"p\" is forbidden: error looking up service account {namespace}/nope: serviceaccount \"nope\" not found"
    );
    post(&client, &dry, &missing).await?.refused(403, &why)?;
    let accounts = format!("/api/v1/namespaces/{namespace}/serviceaccounts");
    let account = json!({"metadata": {"name": "robot"}, "imagePullSecrets": [{"name": "registry"}]});
    post(&client, &accounts, &account).await?.accepted()?;
    let mut named = pod("p", json!({"serviceAccountName": "robot"}));
    let made = post(&client, &dry, &named).await?.accepted()?.object["spec"].clone();
    ensure!(made["imagePullSecrets"] == json!([{"name": "registry"}]), "{made}");
    named["spec"]["imagePullSecrets"] = json!([{"name": "own"}]);
    let made = post(&client, &dry, &named).await?.accepted()?.object["spec"].clone();
    ensure!(made["imagePullSecrets"] == json!([{"name": "own"}]), "{made}");
    // Tolerations and priority are kept by an update that omits them.
    let made = post(&client, &pods, &pod("p", json!({}))).await?.accepted()?.object;
    let tolerations = json!([
        {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
        {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
    ]);
    ensure!(made["spec"]["tolerations"] == tolerations, "{made}");
    let mut update = made.clone();
    for field in ["tolerations", "priority", "preemptionPolicy"] {
        update["spec"][field] = Value::Null;
    }
    update["metadata"]["resourceVersion"] = Value::Null;
    update["metadata"]["labels"] = json!({"a": "b"});
    let updated = put(&client, &format!("{pods}/p"), &update).await?.accepted()?.object;
    ensure!(updated["spec"] == made["spec"] && updated["metadata"]["labels"]["a"] == "b", "{updated}");
    Ok(())
}

pub(crate) async fn resize(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let node = json!({"metadata": {"name": namespace}});
    let made = post(&client, "/api/v1/nodes", &node).await?.accepted()?.object;
    let taint = json!([{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]);
    ensure!(made["spec"]["taints"] == taint, "{made}");
    let amounts = json!({"cpu": "1", "memory": "1Gi"});
    let status = json!({"status": {"capacity": amounts, "allocatable": amounts}});
    let path = format!("/api/v1/nodes/{namespace}");
    patch(&client, &format!("{path}/status"), &status).await?.accepted()?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let of = |cpu: &str| json!([container("a", &json!({"requests": {"cpu": cpu, "memory": "1Mi"}}))]);
    let bound = pod("p", json!({"nodeName": namespace, "containers": of("500m")}));
    post(&client, &pods, &bound).await?.accepted()?;
    let why = "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu, requested: 2000, \
               allocatable: 1000";
    let larger = json!({"spec": {"containers": of("2")}});
    eventually("the node's capacity", || async {
        patch(&client, &format!("{pods}/p/resize?dryRun=All"), &larger).await?.refused(403, why)
    })
    .await?;
    let fits = json!({"spec": {"containers": of("1")}});
    patch(&client, &format!("{pods}/p/resize"), &fits).await?.accepted()?;
    delete(&client, &path).await
}

pub(crate) async fn namespaces(stage: &Stage) -> Result<()> {
    let client = stage.client()?;
    for name in ["default", "kube-system", "kube-public"] {
        let gone = crate::requests::try_delete(&client, &format!("/api/v1/namespaces/{name}")).await?;
        gone.refused(403, &format!("namespaces {name:?} is forbidden: this namespace may not be deleted"))?;
    }
    let maps = |namespace: &str| format!("/api/v1/namespaces/{namespace}/configmaps");
    let map = json!({"metadata": {"name": "m", "finalizers": ["example.com/hold"]}});
    let missing = post(&client, &maps("no-such-namespace"), &map).await?;
    missing.refused(404, "namespaces \"no-such-namespace\" not found")?;
    let namespace = format!("{}-ending", stage.namespace().await?);
    post(&client, "/api/v1/namespaces", &json!({"metadata": {"name": namespace}})).await?.accepted()?;
    post(&client, &maps(&namespace), &map).await?.accepted()?;
    delete(&client, &format!("/api/v1/namespaces/{namespace}")).await?;
    let path = format!("{}/m", maps(&namespace));
    eventually("the end of the namespace", || async {
        let held = get(&client, &path).await?["metadata"]["deletionTimestamp"].clone();
        ensure!(held.is_string(), "not yet");
        Ok(())
    })
    .await?;
    let why = format!(
        "configmaps \"n\" is forbidden: unable to create new content in namespace {namespace} because it is being \
         terminated"
    );
    post(&client, &maps(&namespace), &json!({"metadata": {"name": "n"}})).await?.refused(403, &why)?;
    patch(&client, &path, &json!({"metadata": {"finalizers": null}})).await?.accepted().map(drop)
}
