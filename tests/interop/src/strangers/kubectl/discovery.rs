//! The resources of the server, and their documentation.

use anyhow::{Result, ensure};
use serde_json::Value;

use super::{Check, Kubectl, has};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("version", version),
    ("api-versions", api_versions),
    ("api-resources", api_resources),
    ("api-resources by scope and verb", api_resources_by_scope),
    ("explain", explain),
    ("explain --recursive", explain_recursive),
];

fn version(kubectl: &Kubectl) -> Result<()> {
    let found: Value = serde_json::from_str(&kubectl.run(&["version", "-o", "json"])?)?;
    ensure!(
        found.pointer("/serverVersion/gitVersion") == found.pointer("/clientVersion/gitVersion"),
        "{found}"
    );
    Ok(())
}

fn api_versions(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["api-versions"])?, &["apps/v1\n", "batch/v1\n", "coordination.k8s.io/v1\n", "v1\n"])
}

fn api_resources(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["api-resources", "-o", "wide"])?;
    has(&found, &["deployments", "deploy", "apps/v1", "Deployment", "cm", "create,delete,deletecollection"])
}

fn api_resources_by_scope(kubectl: &Kubectl) -> Result<()> {
    let arguments = ["api-resources", "--namespaced=false", "--verbs=list,watch", "-o", "name"];
    let found = kubectl.run(&arguments)?;
    has(&found, &["namespaces\n", "nodes\n", "clusterroles.rbac.authorization.k8s.io\n"])?;
    ensure!(!found.contains("pods"), "pods are namespaced");
    Ok(())
}

fn explain(kubectl: &Kubectl) -> Result<()> {
    let pod = kubectl.run(&["explain", "pods"])?;
    has(&pod, &["KIND:       Pod", "VERSION:    v1", "spec\t<PodSpec>", "metadata\t<ObjectMeta>"])?;
    let containers = kubectl.run(&["explain", "deployment.spec.template.spec.containers"])?;
    has(
        &containers,
        &[
            "GROUP:      apps",
            "FIELD: containers <[]Container>",
            "image\t<string>",
            "name\t<string> -required-",
        ],
    )?;
    let policy = kubectl.run(&["explain", "pods.spec.restartPolicy"])?;
    has(
        &policy,
        &["FIELD: restartPolicy <string>", "Optional. One of Always, Never, OnFailure. Defaults to Always."],
    )?;
    has(&kubectl.refused(&["explain", "pods.spec.colour"], "")?, &["field \"colour\" does not exist"])
}

fn explain_recursive(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["explain", "cronjob", "--recursive"])?;
    has(
        &found,
        &["schedule\t<string> -required-", "jobTemplate\t<JobTemplateSpec> -required-", "restartPolicy"],
    )
}
