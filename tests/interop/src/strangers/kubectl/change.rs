//! Changes of existing objects, and waiting for a change.

use std::process::Stdio;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::{Check, Kubectl, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("label", label),
    ("annotate", annotate),
    ("patch --type=strategic", patch_strategic),
    ("patch --type=merge", patch_merge),
    ("patch --type=json", patch_json),
    ("patch --subresource=status", patch_status),
    ("edit", edit),
    ("set image", set_image),
    ("scale", scale),
    ("scale with a precondition", scale_precondition),
    ("wait for a condition", wait_condition),
    ("wait for a field", wait_jsonpath),
    ("cordon and taint a node", nodes),
];

fn label(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["label", "pod", "one", "tier=front"])?;
    has(&kubectl.refused(&["label", "pod", "one", "tier=back"], "")?, &["--overwrite is false"])?;
    kubectl.run(&["label", "pod", "one", "tier=back", "--overwrite"])?;
    same(&kubectl.at("pod/one", "/metadata/labels/tier")?, &json!("back"))?;
    kubectl.run(&["label", "pod", "one", "tier-"])?;
    same(&kubectl.at("pod/one", "/metadata/labels")?, &json!({"app": "one"}))
}

fn annotate(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["annotate", "deployments", "--all", "example.org/note=said"])?;
    same(&kubectl.at("deployment/web", "/metadata/annotations/example.org~1note")?, &json!("said"))?;
    kubectl.run(&["annotate", "deployment", "web", "example.org/note-"])?;
    same(&kubectl.at("deployment/web", "/metadata/annotations/example.org~1note")?, &Value::Null)
}

fn patch_strategic(kubectl: &Kubectl) -> Result<()> {
    // A container is merged by its name, not appended.
    let patch =
        r#"{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]}]}}}}"#;
    kubectl.run(&["patch", "deployment", "web", "--type=strategic", "-p", patch])?;
    let containers = kubectl.at("deployment/web", "/spec/template/spec/containers")?;
    same(&containers[0]["image"], &json!("registry.example/app:1"))?;
    same(&containers[0]["env"], &json!([{"name": "A", "value": "1"}]))
}

fn patch_merge(kubectl: &Kubectl) -> Result<()> {
    let patch = r#"{"data":{"z":null,"y":"25"}}"#;
    kubectl.run(&["patch", "configmap", "made", "--type=merge", "-p", patch])?;
    same(&kubectl.at("configmap/made", "/data")?, &json!({"y": "25"}))
}

fn patch_json(kubectl: &Kubectl) -> Result<()> {
    let patch =
        r#"[{"op":"test","path":"/data/y","value":"25"},{"op":"replace","path":"/data/y","value":"five"}]"#;
    kubectl.run(&["patch", "configmap", "made", "--type=json", "-p", patch])?;
    same(&kubectl.at("configmap/made", "/data/y")?, &json!("five"))?;
    // The test no longer holds.
    kubectl.refused(&["patch", "configmap", "made", "--type=json", "-p", patch], "").map(|_| ())
}

fn patch_status(kubectl: &Kubectl) -> Result<()> {
    let patch = r#"{"status":{"phase":"Running"},"spec":{"activeDeadlineSeconds":9}}"#;
    kubectl.run(&["patch", "pod", "one", "--subresource=status", "--type=merge", "-p", patch])?;
    same(&kubectl.at("pod/one", "/status/phase")?, &json!("Running"))?;
    same(&kubectl.at("pod/one", "/spec/activeDeadlineSeconds")?, &Value::Null)
}

fn edit(kubectl: &Kubectl) -> Result<()> {
    let mut command = kubectl.command(&["edit", "configmap", "made"]);
    command.env("KUBE_EDITOR", "sed -i s/five/six/");
    let ended = kubectl.end(command, "")?;
    ensure!(ended.ok && ended.out.contains("configmap/made edited"), "{}{}", ended.out, ended.err);
    same(&kubectl.at("configmap/made", "/data/y")?, &json!("six"))
}

fn set_image(kubectl: &Kubectl) -> Result<()> {
    let before = kubectl.at("deployment/web", "/metadata/generation")?;
    kubectl.run(&["set", "image", "deployment/web", "main=registry.example/app:2"])?;
    let image = kubectl.at("deployment/web", "/spec/template/spec/containers/0/image")?;
    same(&image, &json!("registry.example/app:2"))?;
    let after = kubectl.at("deployment/web", "/metadata/generation")?;
    ensure!(after.as_i64() > before.as_i64(), "the generation went from {before} to {after}");
    Ok(())
}

fn scale(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["scale", "deployment", "web", "--replicas=3"])?, &["deployment.apps/web scaled"])?;
    same(&kubectl.at("deployment/web", "/spec/replicas")?, &json!(3))
}

fn scale_precondition(kubectl: &Kubectl) -> Result<()> {
    let arguments = ["scale", "deployment", "web", "--current-replicas=1", "--replicas=5"];
    has(&kubectl.refused(&arguments, "")?, &["Expected replicas to be 1, was 3"])?;
    kubectl.run(&["scale", "deployment", "web", "--current-replicas=3", "--replicas=0"])?;
    same(&kubectl.at("deployment/web", "/spec/replicas")?, &json!(0))
}

fn wait_condition(kubectl: &Kubectl) -> Result<()> {
    let mut command = kubectl.command(&["wait", "pod/one", "--for=condition=Ready", "--timeout=60s"]);
    let waiting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let patch = r#"{"status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;
    let patched = kubectl.run(&["patch", "pod", "one", "--subresource=status", "-p", patch]);
    let output = waiting.wait_with_output()?;
    patched?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    has(&String::from_utf8_lossy(&output.stdout), &["pod/one condition met"])
}

fn wait_jsonpath(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["wait", "pod/one", "--for=jsonpath={.status.phase}=Running", "--timeout=60s"])?;
    let arguments = ["wait", "pod/one", "--for=condition=Never", "--timeout=1s"];
    has(&kubectl.refused(&arguments, "")?, &["timed out waiting for the condition"])
}

fn nodes(kubectl: &Kubectl) -> Result<()> {
    kubectl.create(&json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "stranger"}}))?;
    kubectl.run(&["cordon", "stranger"])?;
    kubectl.run(&["taint", "node", "stranger", "kind=test:NoSchedule"])?;
    same(&kubectl.at("node/stranger", "/spec/unschedulable")?, &json!(true))?;
    has(&kubectl.run(&["get", "nodes"])?, &["ROLES", "VERSION", "stranger", "SchedulingDisabled"])?;
    has(
        &kubectl.run(&["describe", "node", "stranger"])?,
        &["kind=test:NoSchedule", "Unschedulable:      true"],
    )?;
    kubectl.run(&["uncordon", "stranger"])?;
    kubectl.run(&["delete", "node", "stranger"]).map(|_| ())
}
