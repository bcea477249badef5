//! Classes that an object names, or gets by default.

use anyhow::{Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_tests::{Stage, eventually};
use rcgen::{CertificateParams, DnType, KeyPair};
use serde_json::{Value, json};

use crate::requests::{delete, get, patch, pod, post};

pub(crate) async fn runtime(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let classes = "/apis/node.k8s.io/v1/runtimeclasses";
    let class = json!({
        "metadata": {"name": namespace}, "handler": "handler", "overhead": {"podFixed": {"cpu": "10m"}},
        "scheduling": {"nodeSelector": {"a": "b"}, "tolerations": [{"key": "k", "operator": "Exists"}]},
    });
    post(&client, classes, &class).await?.accepted()?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let cases = [
        (json!({"runtimeClassName": "nope"}), "pod rejected: RuntimeClass \"nope\" not found"),
        (
            json!({"runtimeClassName": namespace, "nodeSelector": {"a": "c"}}),
            "conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c",
        ),
        (
            json!({"runtimeClassName": namespace, "overhead": {"cpu": "1"}}),
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        ),
        (
            json!({"overhead": {"cpu": "1"}}),
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        ),
    ];
    for (spec, why) in cases {
        let why = format!("pods \"p\" is forbidden: {why}");
        post(&client, &pods, &pod("p", spec)).await?.refused(403, &why)?;
    }
    let spec = json!({"runtimeClassName": namespace, "nodeSelector": {"x": "y"}});
    let made = post(&client, &pods, &pod("p", spec)).await?.accepted()?.object["spec"].clone();
    ensure!(made["overhead"] == json!({"cpu": "10m"}), "{made}");
    ensure!(made["nodeSelector"] == json!({"a": "b", "x": "y"}), "{made}");
    let keys: Vec<&str> =
        made["tolerations"].as_array().unwrap().iter().filter_map(|one| one["key"].as_str()).collect();
    ensure!(keys == ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "k"], "{keys:?}");
    delete(&client, &format!("{classes}/{namespace}")).await
}

pub(crate) async fn defaults(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let storage = "/apis/storage.k8s.io/v1/storageclasses";
    let ingress = "/apis/networking.k8s.io/v1/ingressclasses";
    // Both are created within a second, or one after the other: the name decides as well as the time.
    for name in ["b", "a"] {
        let name = format!("{namespace}-{name}");
        let storage_class = json!({
            "metadata": {"name": name, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
            "provisioner": "none",
        });
        post(&client, storage, &storage_class).await?.accepted()?;
        let ingress_class = json!({
            "metadata": {"name": name, "annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}},
            "spec": {"controller": "example.com/none"},
        });
        post(&client, ingress, &ingress_class).await?.accepted()?;
    }
    let newest = format!("{namespace}-a");
    let claims = format!("/api/v1/namespaces/{namespace}/persistentvolumeclaims?dryRun=All");
    let claim = |class: Value| {
        let mut spec =
            json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}});
        if !class.is_null() {
            spec["storageClassName"] = class;
        }
        json!({"metadata": {"name": "c"}, "spec": spec})
    };
    eventually("the default storage class", || async {
        let made = post(&client, &claims, &claim(Value::Null)).await?.accepted()?.object;
        ensure!(made["spec"]["storageClassName"] == newest, "{made}");
        Ok(())
    })
    .await?;
    let made = post(&client, &claims, &claim(json!(""))).await?.accepted()?.object;
    ensure!(made["spec"]["storageClassName"] == "", "{made}");
    let ingresses = format!("/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses?dryRun=All");
    let backend = json!({"service": {"name": "s", "port": {"number": 80}}});
    let plain = json!({"metadata": {"name": "i"}, "spec": {"defaultBackend": backend}});
    eventually("the default ingress class", || async {
        let made = post(&client, &ingresses, &plain).await?.accepted()?.object;
        ensure!(made["spec"]["ingressClassName"] == newest, "{made}");
        Ok(())
    })
    .await?;
    let mut annotated = plain.clone();
    annotated["metadata"]["annotations"] = json!({"kubernetes.io/ingress.class": "other"});
    let made = post(&client, &ingresses, &annotated).await?.accepted()?.object;
    ensure!(made["spec"]["ingressClassName"].is_null(), "{made}");
    for name in ["a", "b"] {
        delete(&client, &format!("{storage}/{namespace}-{name}")).await?;
        delete(&client, &format!("{ingress}/{namespace}-{name}")).await?;
    }
    Ok(())
}

pub(crate) async fn expansion(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let classes = "/apis/storage.k8s.io/v1/storageclasses";
    for (name, allows) in [("fixed", false), ("grows", true)] {
        let class = json!({
            "metadata": {"name": format!("{namespace}-{name}")}, "provisioner": "none",
            "allowVolumeExpansion": allows,
        });
        post(&client, classes, &class).await?.accepted()?;
    }
    let claims = format!("/api/v1/namespaces/{namespace}/persistentvolumeclaims");
    let larger = json!({"spec": {"resources": {"requests": {"storage": "2Gi"}}}});
    for name in ["fixed", "grows"] {
        let claim = json!({"metadata": {"name": name}, "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
            "storageClassName": format!("{namespace}-{name}"), "volumeName": "none",
        }});
        post(&client, &claims, &claim).await?.accepted()?;
        // The controller of a real cluster marks a claim of a missing volume as lost; a conflict is tried again.
        let path = format!("{claims}/{name}");
        let status = json!({"status": {"phase": "Bound"}});
        eventually("the outcome of an expansion", || async {
            patch(&client, &format!("{path}/status"), &status).await?.accepted()?;
            let answer = patch(&client, &path, &larger).await?;
            if name == "grows" {
                return answer.accepted().map(drop);
            }
            answer.refused(
                403,
                "persistentvolumeclaims \"fixed\" is forbidden: only dynamically provisioned pvc can be resized and \
                 the storageclass that provisions the pvc must support resize",
            )
        })
        .await?;
    }
    for name in ["fixed", "grows"] {
        delete(&client, &format!("{classes}/{namespace}-{name}")).await?;
    }
    Ok(())
}

pub(crate) async fn topology(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let labels = json!({
        "topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r", "kubernetes.io/os": "linux",
    });
    let node = json!({"metadata": {"name": namespace, "labels": labels}});
    post(&client, "/api/v1/nodes", &node).await?.accepted()?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let expected = json!({"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r"});
    let dry = format!("{pods}?dryRun=All");
    eventually("labels of a pod that names its node", || async {
        let made = post(&client, &dry, &pod("p", json!({"nodeName": namespace}))).await?.accepted()?.object;
        ensure!(made["metadata"]["labels"] == expected, "{made}");
        Ok(())
    })
    .await?;
    post(&client, &pods, &pod("q", json!({}))).await?.accepted()?;
    let binding = json!({
        "metadata": {"name": "q", "labels": {"own": "label"}, "annotations": {"own": "annotation"}},
        "target": {"kind": "Node", "name": namespace},
    });
    post(&client, &format!("{pods}/q/binding"), &binding).await?.accepted()?;
    let bound = get(&client, &format!("{pods}/q")).await?["metadata"].clone();
    let mut all = expected.clone();
    all["own"] = json!("label");
    ensure!(bound["labels"] == all && bound["annotations"]["own"] == "annotation", "{bound}");
    delete(&client, &format!("/api/v1/nodes/{namespace}")).await
}

pub(crate) async fn certificates(stage: &Stage) -> Result<()> {
    let (client, name) = (stage.client()?, stage.namespace().await?);
    let requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    let request = |group: &str, signer: &str| -> Result<Value> {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "someone");
        params.distinguished_name.push(DnType::OrganizationName, group);
        let pem = params.serialize_request(&KeyPair::generate()?)?.pem()?;
        Ok(json!({"metadata": {"name": name}, "spec": {
            "request": STANDARD.encode(pem), "signerName": signer, "usages": ["client auth"],
        }}))
    };
    let signer = "kubernetes.io/kube-apiserver-client";
    let why = format!(
        "certificatesigningrequests.certificates.k8s.io \"{name}\" is forbidden: use of {signer} signer with \
         system:masters group is not allowed"
    );
    post(&client, requests, &request("system:masters", signer)?).await?.refused(403, &why)?;
    let other = format!("{requests}?dryRun=All");
    post(&client, &other, &request("system:masters", "example.com/signer")?).await?.accepted()?;
    post(&client, &other, &request("others", signer)?).await?.accepted().map(drop)
}
