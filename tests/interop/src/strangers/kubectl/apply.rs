//! Applying on both sides, and replacing.

use anyhow::Result;
use serde_json::json;

use super::objects::config_map;
use super::{Check, Kubectl, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("apply, client side", apply_client_side),
    ("apply prunes a field that was taken out", apply_removes_field),
    ("apply --server-side", apply_server_side),
    ("apply --server-side meets a conflict, and forces it", apply_conflict),
    ("apply of what client-side apply made, server side", apply_migrates),
    ("diff", diff),
    ("replace", replace),
];

fn apply_client_side(kubectl: &Kubectl) -> Result<()> {
    let object = config_map("applied", &json!({"a": "1", "b": "2"}));
    has(&kubectl.apply(&[], &object)?, &["configmap/applied created"])?;
    has(&kubectl.apply(&[], &object)?, &["configmap/applied unchanged"])?;
    has(
        &kubectl.object("configmap/applied")?.to_string(),
        &["kubectl.kubernetes.io/last-applied-configuration"],
    )
}

fn apply_removes_field(kubectl: &Kubectl) -> Result<()> {
    // Someone else's field must stay.
    kubectl.run(&["patch", "configmap", "applied", "-p", r#"{"data":{"c":"3"}}"#])?;
    has(&kubectl.apply(&[], &config_map("applied", &json!({"a": "9"})))?, &["configmap/applied configured"])?;
    same(&kubectl.at("configmap/applied", "/data")?, &json!({"a": "9", "c": "3"}))
}

fn apply_server_side(kubectl: &Kubectl) -> Result<()> {
    let made = kubectl.apply(&["--server-side"], &config_map("owned", &json!({"a": "1", "b": "2"})))?;
    has(&made, &["configmap/owned serverside-applied"])?;
    let fields = kubectl.at("configmap/owned", "/metadata/managedFields/0")?;
    same(&fields["manager"], &json!("kubectl"))?;
    same(&fields["operation"], &json!("Apply"))?;
    same(&fields["fieldsV1"], &json!({"f:data": {"f:a": {}, "f:b": {}}}))?;
    kubectl.apply(&["--server-side"], &config_map("owned", &json!({"a": "1"})))?;
    same(&kubectl.at("configmap/owned", "/data")?, &json!({"a": "1"}))
}

fn apply_conflict(kubectl: &Kubectl) -> Result<()> {
    let other = config_map("owned", &json!({"a": "2"}));
    let arguments = ["apply", "-f", "-", "--server-side", "--field-manager=other"];
    let error = kubectl.refused(&arguments, &other.to_string())?;
    has(&error, &["conflict with \"kubectl\"", ".data.a"])?;
    kubectl.apply(&["--server-side", "--field-manager=other", "--force-conflicts"], &other)?;
    same(&kubectl.at("configmap/owned", "/data/a")?, &json!("2"))
}

fn apply_migrates(kubectl: &Kubectl) -> Result<()> {
    kubectl.apply(&[], &config_map("moved", &json!({"a": "1", "b": "2"})))?;
    kubectl.apply(&["--server-side"], &config_map("moved", &json!({"a": "1"})))?;
    same(&kubectl.at("configmap/moved", "/data")?, &json!({"a": "1"}))
}

fn diff(kubectl: &Kubectl) -> Result<()> {
    let changed = config_map("applied", &json!({"a": "10"}));
    let ended = kubectl.end(kubectl.command(&["diff", "-f", "-"]), &changed.to_string())?;
    has(&ended.out, &["-  a: \"9\"", "+  a: \"10\""])?;
    let same = config_map("applied", &json!({"a": "9"}));
    kubectl.feed(&["diff", "-f", "-"], &same.to_string()).map(|_| ())
}

fn replace(kubectl: &Kubectl) -> Result<()> {
    kubectl.feed(&["replace", "-f", "-"], &config_map("made", &json!({"z": "26"})).to_string())?;
    same(&kubectl.at("configmap/made", "/data")?, &json!({"z": "26"}))?;
    let mut stale = config_map("made", &json!({}));
    stale["metadata"]["resourceVersion"] = json!("1");
    has(&kubectl.refused(&["replace", "-f", "-"], &stale.to_string())?, &["(Conflict)"])
}
