//! Mutating policies.

use anyhow::{Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{Answer, post};
use crate::setup::Setup;

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
const BINDINGS: &str = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";

fn apply(expression: &str) -> Value {
    json!({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}})
}

fn patch(expression: &str) -> Value {
    json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
}

/// Creates a policy with its binding, and waits until it is in effect: it adds a label to an object of the name
/// `marker`.
async fn mutating(setup: &mut Setup, name: &str, mut policy: Value, mut binding: Value) -> Result<()> {
    let full = setup.named(name);
    if policy["matchConstraints"].is_null() {
        policy["matchConstraints"] = setup.constraints(&json!([{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"],
            "resources": ["configmaps", "pods"],
        }]));
    }
    if policy["reinvocationPolicy"].is_null() {
        policy["reinvocationPolicy"] = json!("Never");
    }
    let marks = apply(&format!(
        "object.metadata.name == 'marker' ? Object{{metadata: Object.metadata{{labels: {{'{name}': 'yes'}}}}}} : Object{{}}"
    ));
    let mutations = policy["mutations"].as_array().cloned().unwrap_or_default();
    policy["mutations"] = std::iter::once(marks).chain(mutations).collect();
    binding["policyName"] = json!(full);
    setup.put(POLICIES, &full, "MutatingAdmissionPolicy", policy).await?;
    setup.put(BINDINGS, &full, "MutatingAdmissionPolicyBinding", binding).await?;
    let setup = &*setup;
    eventually("the policy is in effect", || async {
        let made = setup.create(&json!({"metadata": {"name": "marker"}})).await?;
        ensure!(made.code >= 400 || made.object["metadata"]["labels"][name] == "yes", "{made:?}");
        Ok(())
    })
    .await
}

async fn pod(setup: &Setup, labels: Value) -> Result<Answer> {
    let path = format!("/api/v1/namespaces/{}/pods?dryRun=All", setup.namespace);
    let pod = json!({"metadata": {"name": "a", "labels": labels}, "spec": {
        "automountServiceAccountToken": false,
        "containers": [{"name": "own", "image": "i", "env": [{"name": "A", "value": "1"}]}],
    }});
    post(&setup.client, &path, &pod).await
}

pub(crate) async fn applies(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({
        "variables": [{"name": "team", "expression": "object.metadata.?labels.?team.orValue('none')"}],
        "matchConditions": [{"name": "pods", "expression": "object.kind == 'Pod' || object.metadata.name == 'marker'"}],
        "mutations": [
            apply("object.kind != 'Pod' ? Object{} : Object{metadata: Object.metadata{annotations: {'team': variables.team}}, \
                   spec: Object.spec{?priority: optional.none(), terminationGracePeriodSeconds: 7, \
                   containers: [Object.spec.containers{name: 'own', image: object.spec.containers[0].image + ':v1', \
                   env: [Object.spec.containers.env{name: 'B', value: '2'}]}, \
                   Object.spec.containers{name: 'sidecar', image: 's'}]}}"),
            apply("object.kind != 'Pod' ? Object{} : Object{metadata: Object.metadata{annotations: \
                   {'count': string(object.spec.containers.size())}}}"),
        ],
    });
    mutating(&mut setup, "p", policy, json!({})).await?;
    let made = pod(&setup, json!({"team": "a"})).await?.accepted()?.object;
    let annotations = json!({"team": "a", "count": "2"});
    ensure!(made["metadata"]["annotations"] == annotations, "{made}");
    ensure!(made["spec"]["terminationGracePeriodSeconds"] == 7, "{made}");
    let containers = &made["spec"]["containers"];
    ensure!(containers[0]["name"] == "own" && containers[0]["image"] == "i:v1", "{made}");
    let env = json!([{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]);
    ensure!(containers[0]["env"] == env, "{made}");
    // The second container got its defaults.
    ensure!(containers[1]["name"] == "sidecar" && containers[1]["imagePullPolicy"] == "Always", "{made}");
    ensure!(setup.create_with("x").await?.accepted()?.object["metadata"]["annotations"].is_null());
    setup.strike().await
}

pub(crate) async fn patches(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({"mutations": [
        patch("!has(object.data) ? [] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {'a/b': 'c'}}, \
               JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('d/e~f'), value: 'g'}]"),
        patch("!has(object.data) ? [] : [JSONPatch{op: 'test', path: '/data/x', value: 'remove'}, \
               JSONPatch{op: 'remove', path: '/data/x'}, JSONPatch{op: 'copy', from: '/data/y', path: '/data/z'}]"),
        patch("!has(object.data) ? [] : [JSONPatch{op: 'add', path: '/data', value: Object.data{k: 'v', y: object.data.y}}]"),
    ]});
    mutating(&mut setup, "p", policy, json!({})).await?;
    let map = |x: &str| json!({"metadata": {"name": "a"}, "data": {"x": x, "y": "1"}});
    let kept = setup.create(&map("keep")).await?.says(422, &["d/e~f"]);
    // A label can't have that name: the patch was applied as it is.
    kept?;
    setup.strike().await?;

    let mut setup = Setup::new(stage).await?;
    let policy = json!({"mutations": [
        patch("!has(object.data) ? [] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {'a/b': 'c'}}, \
               JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('d/e'), value: 'g'}]"),
        patch("!has(object.data) ? [] : [JSONPatch{op: 'test', path: '/data/x', value: 'remove'}, \
               JSONPatch{op: 'remove', path: '/data/x'}, JSONPatch{op: 'copy', from: '/data/y', path: '/data/z'}]"),
    ]});
    mutating(&mut setup, "p", policy, json!({})).await?;
    let made = setup.create(&map("keep")).await?.accepted()?.object;
    ensure!(made["metadata"]["labels"] == json!({"a/b": "c", "d/e": "g"}), "{made}");
    ensure!(made["data"] == json!({"x": "keep", "y": "1"}), "{made}");
    let made = setup.create(&map("remove")).await?.accepted()?.object;
    ensure!(made["data"] == json!({"y": "1", "z": "1"}), "{made}");
    setup.strike().await
}

pub(crate) async fn failures(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let when = |x: &str, then: &str| format!("object.?data.?x.orValue('') == '{x}' ? {then} : Object{{}}");
    let operations = |x: &str, then: &str| format!("object.?data.?x.orValue('') == '{x}' ? {then} : []");
    let names = when("names", "Object{data: Object.other{a: 'b'}}");
    let unknown = when("unknown", "Object{nothing: 'b'}");
    let broken = when("broken", "Object{data: {'y': object.data.none}}");
    let place = operations("place", "[JSONPatch{op: 'remove', path: '/data/none'}]");
    let mutations = json!([apply(&names), apply(&unknown), apply(&broken), patch(&place)]);
    let lenient = json!({"mutations": mutations, "failurePolicy": "Ignore"});
    mutating(&mut setup, "ignore", lenient, json!({})).await?;
    for x in ["names", "unknown", "broken", "place"] {
        setup.create_with(x).await?.accepted()?;
    }
    mutating(&mut setup, "fail", json!({"mutations": mutations}), json!({})).await?;
    let name = setup.named("fail");
    for (x, why) in [
        (
            "names",
            "type mismatch: unexpected type name \"Object.other\", expected \"Object.data\", which matches field name path \
             from root Object type"
                .to_owned(),
        ),
        (
            "unknown",
            "error applying patch: failed to convert patch object to typed object: .nothing: field not declared in schema"
                .to_owned(),
        ),
        ("broken", format!("expression '{broken}' resulted in error: no such key: none")),
        ("place", "JSON Patch: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value".to_owned()),
    ] {
        let message = format!("policy '{name}' with binding '{name}' denied request: {why}");
        let answer = setup.create_with(x).await?.refused(403, &message)?;
        ensure!(answer.reason == "Invalid" && answer.causes == [message], "{answer:?}");
    }
    setup.strike().await?;

    // Parts that are merged as a whole can't be applied.
    let mut setup = Setup::new(stage).await?;
    let atomic = "object.kind == 'Pod' ? Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: 'a'}]}} : \
                  Object{}";
    mutating(&mut setup, "atomic", json!({"mutations": [apply(atomic)]}), json!({})).await?;
    let name = setup.named("atomic");
    let message = format!(
        "policy '{name}' with binding '{name}' denied request: error applying patch: invalid ApplyConfiguration: may not \
         mutate atomic arrays, maps or structs: .spec.tolerations"
    );
    pod(&setup, json!({})).await?.refused(403, &message)?;
    setup.strike().await
}

pub(crate) async fn reinvocation(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    // Each adds its letter to what it finds. The first is invoked again, because the second changes the object.
    let appends = |letter: &str, most: usize| {
        apply(&format!(
            "has(object.data) && object.data.x.size() < {most} ? Object{{data: {{'x': object.data.x + '{letter}'}}}} : \
             Object{{}}"
        ))
    };
    let again = json!({"reinvocationPolicy": "IfNeeded", "mutations": [appends("a", 9)]});
    mutating(&mut setup, "a", again, json!({})).await?;
    mutating(&mut setup, "b", json!({"mutations": [appends("b", 9)]}), json!({})).await?;
    let made = setup.create_with("").await?.accepted()?.object;
    // The order of policies is not defined.
    ensure!(made["data"]["x"] == "aba" || made["data"]["x"] == "baa", "{made}");
    setup.strike().await
}

pub(crate) async fn validation(stage: &Stage) -> Result<()> {
    let setup = Setup::new(stage).await?;
    let refused = async |spec: Value, errors: &str| {
        let object = json!({"metadata": {"name": "p"}, "spec": spec});
        let message =
            format!("MutatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: {errors}");
        post(&setup.client, &format!("{POLICIES}?dryRun=All"), &object)
            .await?
            .refused(422, &message)
            .map(drop)
    };
    let constraints = setup.constraints(&json!([{
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
    }]));
    let of = |mutation: Value| json!({"matchConstraints": constraints, "reinvocationPolicy": "Never", "mutations": [mutation]});
    refused(
        json!({"matchConstraints": constraints, "reinvocationPolicy": "Never"}),
        "spec.mutations: Required value: mutations must contain at least one item",
    )
    .await?;
    refused(
        of(apply("{'a': 'b'}")),
        "spec.mutations[0].applyConfiguration.expression: Invalid value: \"{'a': 'b'}\": must evaluate to Object but got \
         map(string, string)",
    )
    .await?;
    refused(
        of(patch("[1]")),
        "spec.mutations[0].jsonPatch.expression: Invalid value: \"[1]\": must evaluate to list(JSONPatch) but got list(int)",
    )
    .await?;
    refused(
        of(json!({"patchType": "JSONPatch", "applyConfiguration": {"expression": "Object{}"}})),
        "[spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch, \
         spec.mutations[0].applyConfiguration: Invalid value: \"{applyConfiguration}\": must not be specified when patchType \
         is JSONPatch]",
    )
    .await?;
    let mut deletes = of(apply("Object{}"));
    deletes["matchConstraints"]["resourceRules"][0]["operations"] = json!(["DELETE"]);
    refused(
        deletes,
        "spec.matchConstraints.resourceRules.operations: Unsupported value: \"DELETE\": supported values: \"*\", \
         \"CONNECT\", \"CREATE\", \"UPDATE\"",
    )
    .await
}
