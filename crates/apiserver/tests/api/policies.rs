//! Admission policies: when they are in effect, and who may write them. The suite `policies` of the conformance
//! scenarios has what they decide.

use client_rs_apiserver::{Access, Server, ServerOptions, User};
use client_rs_machinery::{Json, json};

use super::common::{Answer, Client, server};

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const BINDINGS: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
const MUTATING: &str = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
const MUTATING_BINDINGS: &str = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn constraints() -> Json {
    json!({"resourceRules": [{
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"],
    }]})
}

fn policy(expression: &str) -> Json {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "p"},
        "spec": {"matchConstraints": constraints(), "validations": [{"expression": expression, "message": "no"}]},
    })
}

fn binding(kind: &str) -> Json {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": "b"},
        "spec": {"policyName": "p"},
    })
}

fn denying() -> Json {
    let mut binding = binding("ValidatingAdmissionPolicyBinding");
    binding.set(&["spec", "validationActions"], vec!["Deny"]).unwrap();
    binding
}

fn map(name: &str) -> Json {
    json!({"metadata": {"name": name}})
}

#[tokio::test]
async fn a_policy_is_in_effect_at_once() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    assert_eq!(client.post(POLICIES, &policy("object.metadata.name != 'a'")).await.code, 201);
    assert_eq!(client.post(MAPS, &map("a")).await.code, 201, "a policy without a binding has no effect");
    assert_eq!(client.delete(&format!("{MAPS}/a")).await.code, 200);
    assert_eq!(client.post(BINDINGS, &denying()).await.code, 201);
    let refused = client.post(MAPS, &map("a")).await;
    let why =
        "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no";
    assert_eq!((refused.code, refused.message().as_str()), (422, why));
    let status = refused.json();
    assert_eq!(status["reason"], json!("Invalid"));
    let cause = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no";
    assert_eq!(status["details"], json!({"name": "a", "kind": "configmaps", "causes": [{"message": cause}]}));
    assert_eq!(client.post(MAPS, &map("c")).await.code, 201);
    // Policies do not review policies.
    let change =
        br#"{"spec": {"validations": [{"expression": "false"}], "matchConstraints": {"resourceRules": [{
        "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}]}}}"#;
    let path = format!("{POLICIES}/p");
    assert_eq!(client.patch(&path, "merge-patch+json", change).await.code, 200);
    assert_eq!(client.post(MAPS, &map("d")).await.code, 422);
    assert_eq!(client.delete(&format!("{BINDINGS}/b")).await.code, 200);
    assert_eq!(client.post(MAPS, &map("d")).await.code, 201);
    server.shutdown().await;
}

#[tokio::test]
async fn a_mutation_is_in_effect_at_once() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "p"},
        "spec": {"matchConstraints": constraints(), "reinvocationPolicy": "Never", "mutations": [{
            "patchType": "ApplyConfiguration",
            "applyConfiguration": {"expression": "Object{data: {'x': object.metadata.name}}"},
        }]},
    });
    assert_eq!(client.post(MUTATING, &policy).await.code, 201);
    assert_eq!(client.post(MUTATING_BINDINGS, &binding("MutatingAdmissionPolicyBinding")).await.code, 201);
    let made = client.post(MAPS, &map("a")).await.json();
    assert_eq!(made["data"], json!({"x": "a"}), "{made}");
    server.shutdown().await;
}

async fn ask(client: &mut Client, token: &str, uri: &str, object: &Json) -> Answer {
    let authorization = format!("Bearer {token}");
    let headers = [("content-type", "application/json"), ("authorization", authorization.as_str())];
    client.send("POST", uri, &headers, &object.to_vec()).await
}

#[tokio::test]
async fn a_user_must_be_able_to_read_the_parameters_of_a_policy() {
    let options = ServerOptions::default().with_listen(None).with_access(Access::Rbac);
    let server = Server::start_with(options).await.unwrap();
    server.add_token("jane-token", User::new("jane", ["builders"]));
    let mut client = Client::new(&server).await;
    let admin = server.admin_token().to_owned();
    let role = |name: &str, groups: &str, resources: &str, verbs: &str| {
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name},
            "rules": [{"apiGroups": [groups], "resources": [resources], "verbs": [verbs]}],
        })
    };
    let bound = |name: &str| {
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
            "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "jane"}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
        })
    };
    let rbac = "/apis/rbac.authorization.k8s.io/v1";
    let give = async |client: &mut Client, role: Json| {
        let name = role["metadata"]["name"].as_str().unwrap().to_owned();
        assert_eq!(ask(client, &admin, &format!("{rbac}/clusterroles"), &role).await.code, 201);
        assert_eq!(
            ask(client, &admin, &format!("{rbac}/clusterrolebindings"), &bound(&name)).await.code,
            201
        );
    };
    give(&mut client, role("policies", "admissionregistration.k8s.io", "*", "*")).await;
    let mut with_params = policy("true");
    with_params.set(&["spec", "paramKind"], json!({"apiVersion": "v1", "kind": "Secret"})).unwrap();
    let refused = ask(&mut client, "jane-token", POLICIES, &with_params).await;
    let why = "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: spec.paramKind: Forbidden: user \
               &{jane  [builders system:authenticated] map[]} must have \"get\" permission on all objects of the \
               referenced paramKind (kind=Secret, apiVersion=v1)";
    assert_eq!((refused.code, refused.message().as_str()), (422, why));
    assert_eq!(ask(&mut client, &admin, POLICIES, &with_params).await.code, 201);
    let mut refers = denying();
    refers.set(&["spec", "paramRef"], json!({"name": "s", "parameterNotFoundAction": "Deny"})).unwrap();
    let refused = ask(&mut client, "jane-token", BINDINGS, &refers).await;
    assert_eq!(refused.code, 422, "{}", refused.message());
    let why = "does not have \"get\" permission on the object referenced by paramRef";
    assert!(refused.message().ends_with(why), "{}", refused.message());
    give(&mut client, role("secrets", "", "secrets", "get")).await;
    assert_eq!(ask(&mut client, "jane-token", BINDINGS, &refers).await.code, 201);
    server.shutdown().await;
}
