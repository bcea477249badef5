//! Deleting: with what is owned, without it, by label; the namespace last.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::objects::config_map;
use super::{Check, Kubectl, NAMESPACE, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("delete --cascade=background", delete_background),
    ("delete --cascade=foreground", delete_foreground),
    ("delete --cascade=orphan", delete_orphan),
    ("delete by label", delete_selected),
    ("delete what is missing", delete_missing),
    ("delete the namespace", delete_namespace),
];

fn delete_background(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-b", "child-b")?;
    has(&kubectl.run(&["delete", "configmap", "parent-b", "--cascade=background"])?, &["deleted"])?;
    kubectl.run(&["wait", "configmap/child-b", "--for=delete", "--timeout=60s"]).map(|_| ())
}

fn delete_foreground(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-f", "child-f")?;
    kubectl.run(&["delete", "configmap", "parent-f", "--cascade=foreground", "--timeout=60s"])?;
    // kubectl has waited for the owner, which is deleted last.
    has(&kubectl.refused(&["get", "configmap", "child-f"], "")?, &["(NotFound)"])
}

fn delete_orphan(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-o", "child-o")?;
    kubectl.run(&["delete", "configmap", "parent-o", "--cascade=orphan", "--timeout=60s"])?;
    same(&kubectl.at("configmap/child-o", "/metadata/ownerReferences")?, &Value::Null)
}

fn delete_selected(kubectl: &Kubectl) -> Result<()> {
    for name in ["gone-1", "gone-2"] {
        let mut object = config_map(name, &json!({}));
        object["metadata"]["labels"] = json!({"gone": "yes"});
        kubectl.create(&object)?;
    }
    let found = kubectl.run(&["delete", "configmaps", "-l", "gone=yes"])?;
    has(&found, &["\"gone-1\"", "\"gone-2\""])?;
    has(&kubectl.refused(&["get", "configmap", "gone-1"], "")?, &["(NotFound)"])
}

fn delete_missing(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.refused(&["delete", "pod", "nobody"], "")?, &["(NotFound)"])?;
    kubectl.run(&["delete", "pod", "nobody", "--ignore-not-found"]).map(|_| ())
}

fn delete_namespace(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["delete", "namespace", NAMESPACE, "--timeout=60s"])?;
    let left = kubectl.run(&["get", "configmaps,pods,deployments", "-o", "name"])?;
    if !left.is_empty() {
        bail!("left behind: {left}");
    }
    Ok(())
}

/// An owner and what it owns, by which the propagations differ.
fn family(kubectl: &Kubectl, owner: &str, dependent: &str) -> Result<()> {
    let made = kubectl.create(&config_map(owner, &json!({})))?;
    let mut object = config_map(dependent, &json!({}));
    object["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": made["metadata"]["uid"],
        "blockOwnerDeletion": true,
    }]);
    kubectl.create(&object).map(|_| ())
}
