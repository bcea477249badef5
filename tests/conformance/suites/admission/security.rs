//! Pod security.

use anyhow::{Context as _, Result};
use client_rs_client::RestClient;
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{patch, pod, post};

const RESTRICTED: &str = "allowPrivilegeEscalation != false (container \"main\" must set \
    securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container \"main\" must set \
    securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or container \"main\" must set \
    securityContext.runAsNonRoot=true), seccompProfile (pod or container \"main\" must set \
    securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")";

/// The reasons why a plain pod is not restricted.
const REASONS: &str =
    "allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile";

/// Sets labels of pod security. A real server enforces them a moment later.
async fn label(client: &RestClient, namespace: &str, labels: &[(&str, &str)]) -> Result<()> {
    let labels: serde_json::Map<String, Value> = labels
        .iter()
        .map(|(key, value)| (format!("pod-security.kubernetes.io/{key}"), json!(value)))
        .collect();
    let path = format!("/api/v1/namespaces/{namespace}");
    patch(client, &path, &json!({"metadata": {"labels": labels}})).await?.accepted().map(drop)
}

pub(crate) async fn enforced(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    label(&client, &namespace, &[("enforce", "baseline"), ("warn", "privileged")]).await?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let bad = pod(
        "bad",
        json!({"hostNetwork": true, "containers": [
            {"name": "main", "image": "none", "securityContext": {"privileged": true}},
        ]}),
    );
    let why = "pods \"bad\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true), \
               privileged (container \"main\" must not set securityContext.privileged=true)";
    eventually("enforcement", || async { post(&client, &pods, &bad).await?.refused(403, why) }).await?;
    post(&client, &pods, &pod("good", json!({}))).await?.warned(&[])?;
    // An update that changes no image is allowed, also when the level has been raised.
    label(&client, &namespace, &[("enforce", "restricted"), ("enforce-version", "v1.21")]).await?;
    let path = format!("{pods}/good");
    let new_image = json!({"spec": {"containers": [{"name": "main", "image": "other"}]}});
    let why = "pods \"good\" is forbidden: violates PodSecurity \"restricted:v1.21\": allowPrivilegeEscalation != false \
               (container \"main\" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true \
               (pod or container \"main\" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container \
               \"main\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")";
    let dry = format!("{path}?dryRun=All");
    eventually("enforcement", || async { patch(&client, &dry, &new_image).await?.refused(403, why) }).await?;
    patch(&client, &path, &json!({"metadata": {"labels": {"a": "b"}}})).await?.accepted()?;
    // Workloads are not refused: their pods would be.
    let deployments = format!("/apis/apps/v1/namespaces/{namespace}/deployments");
    post(&client, &deployments, &deployment(json!({"hostPID": true}))).await?.warned(&[])
}

fn deployment(mut spec: Value) -> Value {
    spec["containers"] = json!([{"name": "main", "image": "none"}]);
    json!({"metadata": {"name": "d"}, "spec": {
        "replicas": 0, "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": spec},
    }})
}

pub(crate) async fn warned(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    label(&client, &namespace, &[("warn", "restricted"), ("audit", "restricted")]).await?;
    let warning = format!("would violate PodSecurity \"restricted:latest\": {RESTRICTED}");
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    eventually("a warning", || async {
        post(&client, &pods, &pod("p", json!({}))).await?.warned(&[&warning])
    })
    .await?;
    let hosts = format!(
        "would violate PodSecurity \"restricted:latest\": host namespaces (hostPID=true), {RESTRICTED}"
    );
    let template = deployment(json!({"hostPID": true}))["spec"]["template"].clone();
    let mut job = template.clone();
    job["spec"]["restartPolicy"] = json!("Never");
    let spec = deployment(json!({"hostPID": true}))["spec"].clone();
    let mut set = spec.clone();
    set.as_object_mut().context("a set")?.remove("replicas");
    let kinds = [
        ("apis/apps/v1", "deployments", json!({"spec": spec})),
        ("apis/apps/v1", "replicasets", json!({"spec": spec})),
        ("apis/apps/v1", "daemonsets", json!({"spec": set})),
        ("apis/apps/v1", "statefulsets", json!({"spec": spec})),
        ("apis/batch/v1", "jobs", json!({"spec": {"template": job}})),
        (
            "apis/batch/v1",
            "cronjobs",
            json!({"spec": {"schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": job}}}}),
        ),
        ("api/v1", "podtemplates", json!({"template": template})),
        ("api/v1", "replicationcontrollers", json!({"spec": {"selector": {"a": "b"}, "template": template}})),
    ];
    for (version, plural, mut object) in kinds {
        object["metadata"] = json!({"name": "w"});
        let path = format!("/{version}/namespaces/{namespace}/{plural}?dryRun=All");
        post(&client, &path, &object).await?.warned(&[&hosts]).context(plural)?;
    }
    Ok(())
}

pub(crate) async fn labels(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    for name in ["a", "b", "c"] {
        post(&client, &pods, &pod(name, json!({}))).await?.accepted()?;
    }
    let host = json!({"hostIPC": true, "containers": [{"name": "main", "image": "none", "ports": [
        {"containerPort": 1, "hostPort": 2},
    ]}]});
    post(&client, &pods, &pod("d", host)).await?.accepted()?;
    let path = format!("/api/v1/namespaces/{namespace}");
    let set = |labels: Value| {
        let (client, path) = (&client, &path);
        async move { patch(client, path, &json!({"metadata": {"labels": labels}})).await }
    };
    let wrong = json!({
        "pod-security.kubernetes.io/enforce": "bogus", "pod-security.kubernetes.io/warn-version": "v2",
    });
    let why = format!(
        "Namespace \"{namespace}\" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \
         \"bogus\": must be one of privileged, baseline, restricted, \
         metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: \"v2\": must be \"latest\" or \
         \"v1.x\"]"
    );
    set(wrong).await?.refused(422, &why)?;
    let first = |level: &str| {
        format!(
            "existing pods in namespace {namespace:?} violate the new PodSecurity enforce level \"{level}:latest\""
        )
    };
    let baseline = json!({"pod-security.kubernetes.io/enforce": "baseline"});
    // A real server's plugin sees the pods a moment later.
    let dry = format!("{path}?dryRun=All");
    eventually("warnings about pods", || async {
        let answer = patch(&client, &dry, &json!({"metadata": {"labels": baseline}})).await?;
        answer.warned(&[&first("baseline"), "d: host namespaces, hostPort"])
    })
    .await?;
    set(baseline).await?.accepted()?;
    set(json!({"pod-security.kubernetes.io/enforce": "restricted"})).await?.warned(&[
        &first("restricted"),
        &format!("a (and 2 other pods): {REASONS}"),
        &format!("d: host namespaces, hostPort, {REASONS}"),
    ])?;
    // A lower level, and the same level, are not checked.
    set(json!({"pod-security.kubernetes.io/enforce": "baseline"})).await?.warned(&[])?;
    set(json!({"other": "label"})).await?.warned(&[])
}

pub(crate) async fn checks(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    label(&client, &namespace, &[("enforce", "baseline"), ("warn", "privileged")]).await?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let with = |context: Value| json!({"containers": [{"name": "main", "image": "none", "securityContext": context}]});
    let cases = [
        (json!({"hostPID": true, "hostIPC": true}), "host namespaces (hostPID=true, hostIPC=true)"),
        (
            with(json!({"capabilities": {"add": ["NET_RAW", "CHOWN", "BPF"]}})),
            "non-default capabilities (container \"main\" must not include \"BPF\", \"NET_RAW\" in \
             securityContext.capabilities.add)",
        ),
        (
            json!({"volumes": [{"name": "v", "hostPath": {"path": "/"}}, {"name": "w", "hostPath": {"path": "/"}}]}),
            "hostPath volumes (volumes \"v\", \"w\")",
        ),
        (
            json!({"containers": [{"name": "main", "image": "none", "livenessProbe": {
                "httpGet": {"port": 1, "host": "somewhere"},
            }}]}),
            "probe or lifecycle host (container \"main\" uses probe or lifecycle host \"somewhere\")",
        ),
        (
            json!({"securityContext": {"seLinuxOptions": {"type": "t", "role": "r"}}}),
            "seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type \"t\"; role may not be set)",
        ),
        (
            with(json!({"seccompProfile": {"type": "Unconfined"}})),
            "seccompProfile (container \"main\" must not set securityContext.seccompProfile.type to \"Unconfined\")",
        ),
        (
            with(json!({"appArmorProfile": {"type": "Unconfined"}})),
            "forbidden AppArmor profile (container \"main\" must not set AppArmor profile type to \"Unconfined\")",
        ),
        (
            json!({"securityContext": {"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}}),
            "forbidden sysctls (kernel.msgmax)",
        ),
        (
            json!({"hostNetwork": true, "securityContext": {"windowsOptions": {"hostProcess": true}}}),
            "host namespaces (hostNetwork=true), hostProcess (pod must not set \
             securityContext.windowsOptions.hostProcess=true)",
        ),
    ];
    for (spec, why) in &cases {
        let why = format!("pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": {why}");
        eventually("enforcement", || async {
            post(&client, &pods, &pod("p", spec.clone())).await?.refused(403, &why)
        })
        .await?;
    }
    label(&client, &namespace, &[("enforce", "restricted")]).await?;
    let safe = json!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}});
    let secure = |changes: Value| {
        let mut spec = json!({
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
            "containers": [{"name": "main", "image": "none", "securityContext": safe}],
        });
        for (key, value) in changes.as_object().into_iter().flatten() {
            spec[key.as_str()] = value.clone();
        }
        pod("p", spec)
    };
    let cases = [
        (
            json!({"volumes": [{"name": "v", "nfs": {"server": "s", "path": "/"}}]}),
            "restricted volume types (volume \"v\" uses restricted volume type \"nfs\")",
        ),
        (
            json!({"securityContext": {
                "runAsNonRoot": true, "runAsUser": 0, "seccompProfile": {"type": "RuntimeDefault"},
            }}),
            "runAsUser=0 (pod must not set runAsUser=0)",
        ),
        (
            json!({"securityContext": {"runAsNonRoot": false, "seccompProfile": {"type": "RuntimeDefault"}}}),
            "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
        ),
        (
            json!({"hostUsers": false, "containers": [{"name": "main", "image": "none", "securityContext": {
                "procMount": "Unmasked", "allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]},
            }}]}),
            "procMount (container \"main\" must not set securityContext.procMount to \"Unmasked\")",
        ),
    ];
    for (changes, why) in &cases {
        let why = format!("pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\": {why}");
        eventually("enforcement", || async {
            post(&client, &pods, &secure(changes.clone())).await?.refused(403, &why)
        })
        .await?;
    }
    post(&client, &pods, &secure(json!({}))).await?.accepted().map(drop)
}
