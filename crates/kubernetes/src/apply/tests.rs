use client_rs_api::core::v1 as types;
use client_rs_client::api::ApplyConfiguration;
use client_rs_machinery::managed_fields::FieldSet;
use client_rs_machinery::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use client_rs_machinery::{Blob, FieldsV1, Quantity, json};

use super::core::v1::{
    Container, ContainerPort, EnvVar, Node, Pod, PodSpec, PodStatus, ResourceRequirements, Secret, Volume,
};
use super::*;

#[test]
fn only_what_was_set_is_there() {
    let container = Container::new()
        .name("web")
        .image("nginx")
        .args(["-a"])
        .args(["-b"])
        .ports([ContainerPort::new().container_port(80)])
        .env([EnvVar::new().name("A").value("")])
        .resources(ResourceRequirements::new().limits([("cpu", "500m".parse::<Quantity>().unwrap())]));
    let spec = PodSpec::new()
        .containers([container])
        .volumes([Volume::new().name("tmp").empty_dir(super::core::v1::EmptyDirVolumeSource::new())])
        .termination_grace_period_seconds(0)
        .host_network(false);
    let pod = Pod::new("a", "ns").labels([("app", "a")]).labels([("tier", "b"), ("app", "c")]).spec(spec);
    assert_eq!(
        Json::from(pod),
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "a", "namespace": "ns", "labels": {"app": "c", "tier": "b"}},
            "spec": {
                "containers": [{
                    "name": "web",
                    "image": "nginx",
                    "args": ["-a", "-b"],
                    "ports": [{"containerPort": 80}],
                    "env": [{"name": "A", "value": ""}],
                    "resources": {"limits": {"cpu": "500m"}},
                }],
                "volumes": [{"name": "tmp", "emptyDir": {}}],
                "terminationGracePeriodSeconds": 0,
                "hostNetwork": false,
            },
        })
    );
    let node = Json::from(Node::new("n"));
    assert_eq!(node, json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}));
}

#[test]
fn a_secrets_content_is_base64_and_not_shown() {
    let secret = Secret::new("a", "ns").data([("token", Blob::from(&b"hunter2"[..]))]);
    assert!(!format!("{secret:?}").contains("aHVudGVyMg"), "{secret:?}");
    assert_eq!(
        ApplyConfiguration::<types::Secret>::document(&secret)["data"]["token"],
        json!("aHVudGVyMg==")
    );
}

#[test]
fn what_a_manager_has_applied_can_be_taken_back() {
    let entry = |manager: &str, operation: &str, subresource: &str, fields: &str| ManagedFieldsEntry {
        manager: manager.into(),
        operation: operation.into(),
        api_version: "v1".into(),
        fields_type: "FieldsV1".into(),
        fields_v1: Some(FieldsV1::from(&FieldSet::parse(fields.as_bytes()).unwrap())),
        subresource: subresource.into(),
        ..ManagedFieldsEntry::EMPTY
    };
    let pod = types::Pod {
        metadata: ObjectMeta {
            name: "a".into(),
            namespace: "ns".into(),
            labels: [("app", "a".into()), ("other", "b".into())].into_iter().collect(),
            managed_fields: [
                entry("me", "Apply", "", r#"{"f:metadata":{"f:labels":{"f:app":{}}}}"#),
                entry("me", "Apply", "status", r#"{"f:status":{"f:phase":{}}}"#),
                entry("you", "Update", "", r#"{"f:metadata":{"f:labels":{"f:other":{}}}}"#),
            ]
            .into(),
            ..ObjectMeta::EMPTY
        },
        status: types::PodStatus { phase: "Running".into(), ..types::PodStatus::EMPTY }.into(),
        ..types::Pod::EMPTY
    };
    assert_eq!(Pod::extract(&pod, "me").unwrap(), Pod::new("a", "ns").labels([("app", "a")]));
    let status = Pod::new("a", "ns").status(PodStatus::new().phase("Running"));
    assert_eq!(Pod::extract_status(&pod, "me").unwrap(), status);
    assert_eq!(Pod::extract(&pod, "nobody").unwrap(), Pod::new("a", "ns"));
}
