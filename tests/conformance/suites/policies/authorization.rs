//! Expressions that ask the authorizer.

use anyhow::Result;
use client_rs_client::RestClient;
use client_rs_tests::{Stage, eventually};
use client_rs_transport::auth::Impersonate;
use serde_json::json;

use crate::requests::post;
use crate::setup::Setup;

pub(crate) async fn asks(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let namespace = setup.namespace.clone();
    // Jane may create config maps, and get secrets; the service account may get pods.
    let rbac = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}");
    let role = |name: &str, rules: serde_json::Value| json!({"metadata": {"name": name}, "rules": rules});
    let jane = role(
        "jane",
        json!([
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"]},
            {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"], "resourceNames": ["s"]},
        ]),
    );
    let robot = role("robot", json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]));
    let bind = |name: &str, subject: serde_json::Value| {
        json!({"metadata": {"name": name}, "subjects": [subject],
               "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name}})
    };
    let user = json!({"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "jane"});
    let account = json!({"kind": "ServiceAccount", "name": "default", "namespace": namespace});
    for (path, object) in [
        ("roles", jane),
        ("roles", robot),
        ("rolebindings", bind("jane", user)),
        ("rolebindings", bind("robot", account)),
    ] {
        post(&setup.client, &format!("{rbac}/{path}"), &object).await?.accepted()?;
    }
    let of = |check: &str| format!("{check}.allowed() ? 'yes' : 'no'");
    let cases = [
        ("own", of("authorizer.requestResource.check('create')"), "yes"),
        ("delete", of("authorizer.requestResource.check('delete')"), "no"),
        (
            "named",
            of(
                "authorizer.group('').resource('secrets').namespace(object.metadata.namespace).name('s').check('get')",
            ),
            "yes",
        ),
        (
            "other",
            of(
                "authorizer.group('').resource('secrets').namespace(object.metadata.namespace).name('t').check('get')",
            ),
            "no",
        ),
        (
            "apps",
            of("authorizer.group('apps').resource('deployments').subresource('scale').check('get')"),
            "no",
        ),
        ("path", of("authorizer.path('/healthz').check('get')"), "yes"),
        ("metrics", of("authorizer.path('/metrics').check('get')"), "no"),
        (
            "account",
            of("authorizer.serviceAccount(object.metadata.namespace, 'default').group('').resource('pods')\
                        .namespace(object.metadata.namespace).check('get')"),
            "yes",
        ),
        ("errored", "authorizer.requestResource.check('create').errored() ? 'yes' : 'no'".to_owned(), "no"),
    ];
    let variables: Vec<_> =
        cases.iter().map(|(name, text, _)| json!({"name": name, "expression": text})).collect();
    let validations: Vec<_> = cases
        .iter()
        .map(|(name, _, wanted)| {
            json!({"expression": format!("!has(object.data) || object.data.x != '{name}' || variables.{name} == '{wanted}'"),
                   "message": format!("wrong {name}")})
        })
        .chain([json!({
            "expression": "!has(object.data) || object.data.x != 'dear' || (authorizer.path('/a').check('get').allowed() == \
                           authorizer.path('/b').check('get').allowed() && \
                           authorizer.path('/c').check('get').allowed())",
            "message": "two questions are enough",
        })])
        .collect();
    setup.validating("p", json!({"variables": variables, "validations": validations}), json!({})).await?;
    let config = stage.config().clone().with_impersonate(Impersonate::new("jane"));
    let client = RestClient::from_config(&config)?;
    let maps = format!("/api/v1/namespaces/{namespace}/configmaps?dryRun=All");
    for (name, _, _) in &cases {
        let map = json!({"metadata": {"name": "a"}, "data": {"x": name}});
        // A real server's authorizer knows new roles a moment later.
        eventually(name, || async { post(&client, &maps, &map).await?.accepted() }).await?;
    }
    let map = json!({"metadata": {"name": "a"}, "data": {"x": "dear"}});
    post(&client, &maps, &map).await?.says(422, &["operation cancelled: actual cost limit exceeded"])?;
    setup.strike().await
}
