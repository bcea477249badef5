//! Parameters of policies.

use anyhow::Result;
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{delete, post};
use crate::setup::Setup;

/// A policy for config maps other than parameters.
fn policy(setup: &Setup, kind: &Value) -> Value {
    let mut constraints = setup.config_maps();
    constraints["objectSelector"] =
        json!({"matchExpressions": [{"key": "param", "operator": "DoesNotExist"}]});
    json!({
        "matchConstraints": constraints, "paramKind": kind,
        "validations": [{
            "expression": "params == null || object.data.x != params.data.refused",
            "messageExpression": "params.kind + ' ' + params.metadata.name + ' refuses ' + object.data.x",
        }],
    })
}

async fn param(setup: &Setup, name: &str, refused: &str) -> Result<()> {
    let maps = format!("/api/v1/namespaces/{}/configmaps", setup.namespace);
    let map = json!({
        "metadata": {"name": name, "labels": {"param": "yes"}}, "data": {"refused": refused},
    });
    post(&setup.client, &maps, &map).await?.accepted().map(drop)
}

pub(crate) async fn named(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let kind = json!({"apiVersion": "v1", "kind": "ConfigMap"});
    let refers = |action: &str| json!({"paramRef": {"name": "p", "parameterNotFoundAction": action}});
    setup.validating("allow", policy(&setup, &kind), refers("Allow")).await?;
    setup.create_with("bad").await?.accepted()?;
    setup.validating("deny", policy(&setup, &kind), refers("Deny")).await?;
    let why =
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    setup.create_with("bad").await?.refused(422, &setup.denied("deny", why))?;
    param(&setup, "p", "bad").await?;
    // Both refuse now, and the server names either: it has its policies in no order.
    let refusals = ["allow", "deny"].map(|name| setup.denied(name, "ConfigMap p refuses bad"));
    eventually("the parameter", || async {
        let answer = setup.create_with("bad").await?;
        let refusal = refusals.iter().find(|refusal| answer.message == **refusal).unwrap_or(&refusals[0]);
        answer.refused(422, refusal)
    })
    .await?;
    eventually("the other", || async { setup.create_with("good").await?.accepted() }).await?;
    setup.remove("deny").await?;
    eventually("the first alone", || async { setup.create_with("bad").await?.refused(422, &refusals[0]) })
        .await?;
    setup.strike().await
}

pub(crate) async fn selected(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let kind = json!({"apiVersion": "v1", "kind": "ConfigMap"});
    for (name, refused) in [("p", "one"), ("q", "two")] {
        param(&setup, name, refused).await?;
    }
    let selector = json!({"paramRef": {
        "selector": {"matchLabels": {"param": "yes"}}, "parameterNotFoundAction": "Deny", "namespace": setup.namespace,
    }});
    setup.validating("p", policy(&setup, &kind), selector).await?;
    let refused = |message: &str| setup.denied("p", message);
    for (x, message) in [("one", "ConfigMap p refuses one"), ("two", "ConfigMap q refuses two")] {
        eventually("the parameter", || async { setup.create_with(x).await?.refused(422, &refused(message)) })
            .await?;
    }
    setup.create_with("three").await?.accepted()?;
    let none = json!({"paramRef": {"selector": {"matchLabels": {"param": "no"}}, "parameterNotFoundAction": "Deny"}});
    setup.validating("none", policy(&setup, &kind), none).await?;
    let why =
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    setup.create_with("three").await?.refused(422, &setup.denied("none", why))?;
    setup.strike().await
}

pub(crate) async fn kinds(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let group = format!("{}.example.com", setup.namespace);
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("limits.{group}")},
        "spec": {"group": group, "scope": "Cluster", "names": {"plural": "limits", "kind": "Limit"}, "versions": [{
            "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"data": {"type": "object", "properties": {"refused": {"type": "string"}}}},
            }},
        }]},
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    post(&setup.client, definitions, &definition).await?.accepted()?;
    let limits = format!("/apis/{group}/v1/limits");
    let limit = json!({
        "apiVersion": format!("{group}/v1"), "kind": "Limit", "metadata": {"name": "l"}, "data": {"refused": "bad"},
    });
    eventually("a limit", || async { post(&setup.client, &limits, &limit).await?.accepted() }).await?;
    let kind = json!({"apiVersion": format!("{group}/v1"), "kind": "Limit"});
    let binding = json!({"paramRef": {"name": "l", "parameterNotFoundAction": "Deny"}});
    setup.validating("custom", policy(&setup, &kind), binding).await?;
    let refused = setup.denied("custom", "Limit l refuses bad");
    eventually("the limit", || async { setup.create_with("bad").await?.refused(422, &refused) }).await?;
    setup.create_with("good").await?.accepted()?;
    let placed =
        json!({"paramRef": {"name": "l", "namespace": "default", "parameterNotFoundAction": "Deny"}});
    setup.validating("placed", policy(&setup, &kind), placed).await?;
    let why = "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
    setup.create_with("good").await?.refused(422, &setup.denied("placed", why))?;
    delete(&setup.client, &format!("{definitions}/limits.{group}")).await?.accepted()?;
    setup.strike().await?;

    let mut setup = Setup::new(stage).await?;
    let kind = json!({"apiVersion": "none.example.com/v1", "kind": "Nothing"});
    setup.validating("unknown", policy(&setup, &kind), json!({})).await?;
    let message = format!(
        "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy '{}' denied request: failed to configure policy: failed to \
         find resource referenced by paramKind: 'none.example.com/v1, Kind=Nothing'",
        setup.named("unknown")
    );
    setup.create_with("good").await?.refused(422, &message)?;
    setup.strike().await
}
