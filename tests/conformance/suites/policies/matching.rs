//! The requests that a policy is for.

use anyhow::{Result, ensure};
use client_rs_tests::Stage;
use serde_json::{Value, json};

use crate::requests::{patch, post};
use crate::setup::Setup;

pub(crate) async fn conditions(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({
        "matchConditions": [
            {"name": "a", "expression": "object.data.x != 'skipped'"},
            {"name": "b.example.com/c", "expression": "object.data.x != 'wrong' || object.data.y == '1'"},
        ],
        "validations": [{"expression": "!has(object.data)", "message": "no data"}],
    });
    let marked = json!({"matchConditions": [], "validations": policy["validations"]});
    // The marker has no data: it is for a policy without conditions.
    setup.validating("p", marked, json!({})).await?;
    let path = format!("{}/{}", crate::setup::POLICIES, setup.named("p"));
    patch(&setup.client, &path, &json!({"spec": {"matchConditions": policy["matchConditions"]}}))
        .await?
        .accepted()?;
    client_rs_tests::eventually("the conditions", || async {
        setup.create_with("skipped").await?.accepted()
    })
    .await?;
    setup.create_with("checked").await?.refused(422, &setup.denied("p", "no data"))?;
    let why =
        "expression 'object.data.x != 'wrong' || object.data.y == '1'' resulted in error: no such key: y";
    setup.create_with("wrong").await?.refused(422, &setup.denied("p", why))?;
    setup.strike().await
}

pub(crate) async fn resources(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let rule = |names: Value| {
        json!({"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
               "resourceNames": names})
    };
    let mut constraints = setup.constraints(&json!([rule(json!(["a", "b", "c"]))]));
    constraints["excludeResourceRules"] = json!([rule(json!(["c"]))]);
    constraints["objectSelector"] =
        json!({"matchExpressions": [{"key": "free", "operator": "DoesNotExist"}]});
    let policy =
        json!({"matchConstraints": constraints, "validations": [{"expression": "false", "message": "no"}]});
    let binding = json!({"matchResources": {
        "objectSelector": {"matchLabels": {"bound": "yes"}}, "excludeResourceRules": [rule(json!(["b"]))],
    }});
    setup.validating("p", policy, binding).await?;
    let map = |name: &str, labels: Value| json!({"metadata": {"name": name, "labels": labels}});
    for (name, labels, refused) in [
        ("a", json!({"bound": "yes"}), true),
        ("a", json!({}), false),
        ("a", json!({"bound": "yes", "free": "1"}), false),
        ("b", json!({"bound": "yes"}), false),
        ("c", json!({"bound": "yes"}), false),
        ("d", json!({"bound": "yes"}), false),
    ] {
        let answer = setup.create(&map(name, labels.clone())).await?;
        ensure!((answer.code == 422) == refused, "{name} {labels}: {} {}", answer.code, answer.message);
    }
    setup.strike().await
}

pub(crate) async fn versions(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let rules = json!([{
        "apiGroups": ["autoscaling"], "apiVersions": ["v2"], "operations": ["CREATE"],
        "resources": ["horizontalpodautoscalers"],
    }]);
    let validations = json!([{
        "expression": "object.kind == 'ConfigMap'",
        "messageExpression": "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version + ' ' + \
                              string(has(object.spec.metrics))",
    }]);
    let mut exact = setup.constraints(&rules);
    exact["matchPolicy"] = json!("Exact");
    setup
        .validating("exact", json!({"matchConstraints": exact, "validations": validations}), json!({}))
        .await?;
    let path = |version: &str| {
        format!(
            "/apis/autoscaling/{version}/namespaces/{}/horizontalpodautoscalers?dryRun=All",
            setup.namespace
        )
    };
    let scaler = |version: &str| {
        json!({
            "apiVersion": format!("autoscaling/{version}"), "kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"},
            "spec": {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}},
        })
    };
    post(&setup.client, &path("v1"), &scaler("v1")).await?.accepted()?;
    let denied = |setup: &Setup, policy: &str, message: &str| {
        setup.denied(policy, message).replace("configmaps", "horizontalpodautoscalers.autoscaling")
    };
    let told = denied(&setup, "exact", "autoscaling/v2 v2 v2 true");
    post(&setup.client, &path("v2"), &scaler("v2")).await?.refused(422, &told)?;
    let (v1, v1_object) = (path("v1"), scaler("v1"));
    let policy = json!({"matchConstraints": setup.constraints(&rules), "validations": validations});
    setup.validating("any", policy, json!({})).await?;
    let told = denied(&setup, "any", "autoscaling/v2 v2 v1 true");
    post(&setup.client, &v1, &v1_object).await?.refused(422, &told)?;
    setup.strike().await
}

pub(crate) async fn subresources(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let rules = json!([{
        "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": ["deployments/scale"],
    }]);
    let policy = json!({"matchConstraints": setup.constraints(&rules), "validations": [
        {"expression": "object.kind != 'Scale' || object.spec.replicas < 5",
         "messageExpression": "request.subResource + ' to ' + string(object.spec.replicas)"},
    ]});
    setup.validating("p", policy, json!({})).await?;
    let deployments = format!("/apis/apps/v1/namespaces/{}/deployments", setup.namespace);
    let deployment = json!({"metadata": {"name": "a"}, "spec": {
        "replicas": 0, "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    }});
    post(&setup.client, &deployments, &deployment).await?.accepted()?;
    let one = format!("{deployments}/a");
    patch(&setup.client, &one, &json!({"metadata": {"labels": {"big": "yes"}}})).await?.accepted()?;
    let scale = |replicas: u8| json!({"spec": {"replicas": replicas}});
    let path = format!("{one}/scale?dryRun=All");
    patch(&setup.client, &path, &scale(4)).await?.accepted()?;
    let denied = setup.denied("p", "scale to 5").replace("configmaps", "deployments.apps");
    patch(&setup.client, &path, &scale(5)).await?.refused(422, &denied)?;
    setup.strike().await
}
