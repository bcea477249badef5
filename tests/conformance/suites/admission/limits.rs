//! Limit ranges.

use anyhow::{Result, ensure};
use client_rs_client::RestClient;
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{container, pod, post};

async fn range(client: &RestClient, namespace: &str, limits: Value) -> Result<()> {
    let path = format!("/api/v1/namespaces/{namespace}/limitranges");
    let range = json!({"metadata": {"name": "range"}, "spec": {"limits": limits}});
    post(client, &path, &range).await?.accepted().map(drop)
}

pub(crate) async fn defaults(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let limit = json!({
        "type": "Container", "default": {"cpu": "500m", "memory": "64Mi"}, "defaultRequest": {"cpu": "200m"},
    });
    range(&client, &namespace, json!([limit])).await?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let given = json!({"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}});
    let spec = json!({
        "containers": [container("a", &json!({})), container("b", &given)],
        "initContainers": [container("i", &json!({"requests": {"memory": "1Mi"}}))],
    });
    // A real server's plugins notice new objects a moment later.
    let made = eventually("defaults", || async {
        let made = post(&client, &pods, &pod("p", spec.clone())).await?.accepted()?.object;
        ensure!(made["metadata"]["annotations"].is_object(), "no annotation");
        Ok(made)
    })
    .await?;
    let annotation = &made["metadata"]["annotations"]["kubernetes.io/limit-ranger"];
    let expected = "LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for container a; cpu \
                    request for init container i; cpu, memory limit for init container i";
    ensure!(annotation == expected, "{annotation}");
    let resources = |kind: &str, index: usize| made["spec"][kind][index]["resources"].clone();
    let full =
        json!({"limits": {"cpu": "500m", "memory": "64Mi"}, "requests": {"cpu": "200m", "memory": "64Mi"}});
    ensure!(resources("containers", 0) == full, "{made}");
    let kept = json!({"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1", "memory": "1Gi"}});
    ensure!(resources("containers", 1) == kept, "{made}");
    let mixed =
        json!({"limits": {"cpu": "500m", "memory": "64Mi"}, "requests": {"cpu": "200m", "memory": "1Mi"}});
    ensure!(resources("initContainers", 0) == mixed, "{made}");
    ensure!(made["status"]["qosClass"] == "Burstable", "{made}");
    Ok(())
}

pub(crate) async fn bounds(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let limits = json!([
        {"type": "Container", "min": {"cpu": "100m"}, "max": {"cpu": "1"}, "default": {"cpu": "500m"},
         "defaultRequest": {"cpu": "200m"}, "maxLimitRequestRatio": {"cpu": "4"}},
        {"type": "Pod", "max": {"memory": "100Mi"}},
        {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2Gi"}},
    ]);
    range(&client, &namespace, limits).await?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let of = |resources: Value| pod("p", json!({"containers": [container("a", &resources)]}));
    let refusal = "pods \"p\" is forbidden: maximum memory usage per Pod is 100Mi.  No limit is specified";
    eventually("limits", || async { post(&client, &pods, &of(json!({}))).await?.refused(403, refusal) })
        .await?;
    let cases = [
        (
            json!({"limits": {"cpu": "2", "memory": "1Mi"}, "requests": {"cpu": "50m"}}),
            "[minimum cpu usage per Container is 100m, but request is 50m, maximum cpu usage per Container is 1, but \
             limit is 2, cpu max limit to request ratio per Container is 4, but provided ratio is 40.000000]",
        ),
        (
            json!({"limits": {"cpu": "1", "memory": "200Mi"}, "requests": {"cpu": "200m"}}),
            "[cpu max limit to request ratio per Container is 4, but provided ratio is 5.000000, maximum memory usage \
             per Pod is 100Mi, but limit is 200Mi]",
        ),
    ];
    for (resources, why) in cases {
        let why = format!("pods \"p\" is forbidden: {why}");
        post(&client, &pods, &of(resources)).await?.refused(403, &why)?;
    }
    post(&client, &pods, &of(json!({"limits": {"memory": "50Mi"}}))).await?.accepted()?;
    let claims = format!("/api/v1/namespaces/{namespace}/persistentvolumeclaims?dryRun=All");
    for (size, why) in [
        ("500Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi"),
        ("3Gi", "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"),
    ] {
        let claim = json!({"metadata": {"name": "c"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}},
        }});
        let why = format!("persistentvolumeclaims \"c\" is forbidden: {why}");
        post(&client, &claims, &claim).await?.refused(403, &why)?;
    }
    Ok(())
}
