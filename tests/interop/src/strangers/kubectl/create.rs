//! Creating, and what may not be created.

use anyhow::Result;
use serde_json::json;

use super::objects::{deployment, pod};
use super::{Check, Kubectl, NAMESPACE, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("create a namespace", create_namespace),
    ("create with a generator", create_generators),
    ("create -f of several documents", create_file),
    ("create what exists is refused", create_again),
    ("create what is invalid is refused", create_invalid),
    ("create with an unknown field is refused", create_unknown_field),
    ("create --dry-run=server keeps nothing", create_dry_run),
];

fn create_namespace(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["create", "namespace", NAMESPACE])?, &["namespace/third-party created"])?;
    same(&kubectl.at("namespace/third-party", "/status/phase")?, &json!("Active"))
}

fn create_generators(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["create", "configmap", "made", "--from-literal=a=1"])?;
    kubectl.run(&["create", "secret", "generic", "hidden", "--from-literal=key=value"])?;
    kubectl.run(&["create", "serviceaccount", "runner"])?;
    kubectl.run(&["create", "role", "reader", "--verb=get,list", "--resource=pods"])?;
    kubectl.run(&["create", "rolebinding", "readers", "--role=reader", "--user=jane"])?;
    kubectl.run(&["create", "quota", "limits", "--hard=pods=100"])?;
    kubectl.run(&["create", "service", "clusterip", "front", "--tcp=80:8080"])?;
    kubectl.run(&[
        "create",
        "cronjob",
        "nightly",
        "--image=registry.example/app:1",
        "--schedule=0 3 * * *",
    ])?;
    same(&kubectl.at("secret/hidden", "/data/key")?, &json!("dmFsdWU="))
}

fn create_file(kubectl: &Kubectl) -> Result<()> {
    let path = kubectl.folder.path().join("several.yaml");
    let text = format!("{}\n---\n{}\n", pod("one"), deployment("web", 1));
    std::fs::write(&path, text)?;
    let created = kubectl.run(&["create", "-f", &path.to_string_lossy()])?;
    has(&created, &["pod/one created", "deployment.apps/web created"])
}

fn create_again(kubectl: &Kubectl) -> Result<()> {
    let error = kubectl.refused(&["create", "configmap", "made"], "")?;
    has(&error, &["configmaps \"made\" already exists"])
}

fn create_invalid(kubectl: &Kubectl) -> Result<()> {
    let mut invalid = pod("invalid");
    invalid["spec"]["containers"] = json!([]);
    let error = kubectl.refused(&["create", "-f", "-"], &invalid.to_string())?;
    has(&error, &["The Pod \"invalid\" is invalid", "spec.containers: Required value"])
}

fn create_unknown_field(kubectl: &Kubectl) -> Result<()> {
    let mut unknown = pod("unknown");
    unknown["spec"]["colour"] = json!("red");
    let error = kubectl.refused(&["create", "-f", "-"], &unknown.to_string())?;
    has(&error, &["unknown field \"spec.colour\""])
}

fn create_dry_run(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["create", "configmap", "dry", "--dry-run=server"])?, &["created (server dry run)"])?;
    has(&kubectl.refused(&["get", "configmap", "dry"], "")?, &["(NotFound)"])
}
