//! Who asks, and whether they may.

use client_rs_apiserver::{Access, Server, ServerOptions, User};
use client_rs_machinery::{Json, json};

use super::common::Client;

async fn closed() -> (Server, Client) {
    let options = ServerOptions { listen: None, access: Access::Rbac, ..ServerOptions::default() };
    let server = Server::start(options).await.unwrap();
    server.add_token("jane-token", User::new("jane", ["builders"]));
    let client = Client::new(&server).await;
    (server, client)
}

async fn ask(
    client: &mut Client,
    token: &str,
    method: &str,
    uri: &str,
    body: Option<&Json>,
) -> super::common::Answer {
    let authorization = format!("Bearer {token}");
    let mut headers = vec![("content-type", "application/json")];
    if !token.is_empty() {
        headers.push(("authorization", &authorization));
    }
    client.send(method, uri, &headers, &body.map(Json::to_vec).unwrap_or_default()).await
}

const PODS: &str = "/api/v1/namespaces/default/pods";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";

fn reader() -> Json {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "reader"},
        "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}],
    })
}

fn binding(name: &str, kind: &str, role: &str, subject: &Json) -> Json {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": name},
        "subjects": [subject.clone()],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
    })
}

#[tokio::test]
async fn roles_decide_who_may_do_what() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let refused = ask(&mut client, "jane-token", "GET", PODS, None).await;
    assert_eq!(refused.code, 403);
    let why = r#"pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default""#;
    assert_eq!(refused.message(), why);
    assert_eq!(refused.json()["details"], json!({"kind": "pods"}));

    assert_eq!(ask(&mut client, &admin, "POST", ROLES, Some(&reader())).await.code, 201);
    let jane = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"});
    let created =
        ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "Role", "reader", &jane))).await;
    assert_eq!(created.code, 201, "{}", created.message());
    assert_eq!(ask(&mut client, "jane-token", "GET", PODS, None).await.code, 200);
    // Another verb, another namespace and another resource are not hers.
    assert_eq!(ask(&mut client, "jane-token", "GET", &format!("{PODS}?watch=true"), None).await.code, 403);
    assert_eq!(
        ask(&mut client, "jane-token", "GET", "/api/v1/namespaces/kube-system/pods", None).await.code,
        403
    );
    assert_eq!(ask(&mut client, "jane-token", "GET", "/api/v1/pods", None).await.code, 403);
    assert_eq!(ask(&mut client, "jane-token", "GET", "/api/v1/nodes", None).await.code, 403);
    // The roles of every cluster: discovery for who is known.
    assert_eq!(ask(&mut client, "jane-token", "GET", "/apis", None).await.code, 200);
}

#[tokio::test]
async fn who_is_not_known_is_refused_and_who_says_nothing_is_anonymous() {
    let (server, mut client) = closed().await;
    let unknown = ask(&mut client, "nonsense", "GET", PODS, None).await;
    assert_eq!((unknown.code, unknown.message().as_str()), (401, "Unauthorized"));
    assert_eq!(unknown.json()["reason"], json!("Unauthorized"));
    let anonymous = ask(&mut client, "", "GET", "/api/v1/nodes", None).await;
    assert_eq!(anonymous.code, 403);
    let why = r#"nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope"#;
    assert_eq!(anonymous.message(), why);
    assert_eq!(ask(&mut client, "", "GET", "/version", None).await.code, 200);
    let path = ask(&mut client, "", "GET", "/apis", None).await;
    assert_eq!(path.message(), r#"forbidden: User "system:anonymous" cannot get path "/apis""#);
    assert!(server.remove_token("jane-token"));
    assert_eq!(ask(&mut client, "jane-token", "GET", "/version", None).await.code, 401);
}

#[tokio::test]
async fn rights_can_not_be_given_that_are_not_held() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let manager = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "manager"},
        "rules": [
            {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles", "rolebindings"], "verbs": ["create"]},
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
        ],
    });
    let jane = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "builders"});
    ask(&mut client, &admin, "POST", ROLES, Some(&manager)).await;
    ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "Role", "manager", &jane))).await;
    let refused = ask(&mut client, "jane-token", "POST", ROLES, Some(&reader())).await;
    assert_eq!(refused.code, 403);
    let why = "roles.rbac.authorization.k8s.io \"reader\" is forbidden: user \"jane\" (groups=[\"builders\" \
               \"system:authenticated\"]) is attempting to grant RBAC permissions not currently held:\n\
               {APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\"]}";
    assert_eq!(refused.message(), why);
    let more = binding("c", "ClusterRole", "edit", &jane);
    assert_eq!(ask(&mut client, "jane-token", "POST", BINDINGS, Some(&more)).await.code, 403);
    let mut less = reader();
    let _ = less.set(&["rules"], json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]));
    assert_eq!(ask(&mut client, "jane-token", "POST", ROLES, Some(&less)).await.code, 201);
}

#[tokio::test]
async fn roles_are_made_of_roles() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let jane = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"});
    ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "ClusterRole", "admin", &jane))).await;
    // `admin` has what `edit` has, and `edit` what `view` has.
    assert_eq!(ask(&mut client, "jane-token", "GET", PODS, None).await.code, 200);
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    assert_eq!(
        ask(&mut client, "jane-token", "POST", "/api/v1/namespaces/default/configmaps", Some(&map))
            .await
            .code,
        201
    );
    assert_eq!(ask(&mut client, "jane-token", "POST", ROLES, Some(&reader())).await.code, 201);
}

#[tokio::test]
async fn a_service_account_is_known_by_its_token_for_as_long_as_both_live() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "robot"}});
    assert_eq!(ask(&mut client, &admin, "POST", accounts, Some(&account)).await.code, 201);
    let request =
        json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": []}});
    let given = ask(&mut client, &admin, "POST", &format!("{accounts}/robot/token"), Some(&request)).await;
    assert_eq!(given.code, 201, "{}", given.message());
    let token = given.json()["status"]["token"].as_str().unwrap().to_owned();
    assert_eq!(given.json()["spec"]["expirationSeconds"], json!(3600));
    let who = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
    let reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    let told = ask(&mut client, &token, "POST", reviews, Some(&who)).await.json();
    let user = &told["status"]["userInfo"];
    assert_eq!(user["username"], json!("system:serviceaccount:default:robot"));
    let groups = json!(["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"]);
    assert_eq!(user["groups"], groups);
    let robot = json!({"kind": "ServiceAccount", "name": "robot", "namespace": "default"});
    ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "ClusterRole", "view", &robot))).await;
    assert_eq!(ask(&mut client, &token, "GET", PODS, None).await.code, 200);

    let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token.as_str()}});
    let reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    let told = ask(&mut client, &admin, "POST", reviews, Some(&review)).await.json();
    assert_eq!(told["status"]["authenticated"], json!(true));

    let short = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 60}});
    let refused = ask(&mut client, &admin, "POST", &format!("{accounts}/robot/token"), Some(&short)).await;
    assert_eq!(refused.code, 422);

    server.controls().advance_clock(std::time::Duration::from_secs(3601));
    assert_eq!(ask(&mut client, &token, "GET", PODS, None).await.code, 401);
    let given = ask(&mut client, &admin, "POST", &format!("{accounts}/robot/token"), Some(&request)).await;
    let token = given.json()["status"]["token"].as_str().unwrap().to_owned();
    assert_eq!(ask(&mut client, &token, "GET", PODS, None).await.code, 200);
    ask(&mut client, &admin, "DELETE", &format!("{accounts}/robot"), None).await;
    assert_eq!(ask(&mut client, &token, "GET", PODS, None).await.code, 401);
}

#[tokio::test]
async fn one_may_ask_what_one_may() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {"verb": "list", "resource": "pods", "namespace": "default"}},
    });
    let told = ask(&mut client, "jane-token", "POST", reviews, Some(&review)).await;
    assert_eq!(told.json()["status"], json!({"allowed": false}));
    let jane = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"});
    ask(&mut client, &admin, "POST", ROLES, Some(&reader())).await;
    ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "Role", "reader", &jane))).await;
    let told = ask(&mut client, "jane-token", "POST", reviews, Some(&review)).await.json();
    let reason = r#"RBAC: allowed by RoleBinding "b/default" of Role "reader" to User "jane""#;
    assert_eq!(told["status"], json!({"allowed": true, "reason": reason}));
    let of_others = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    assert_eq!(ask(&mut client, "jane-token", "POST", of_others, Some(&review)).await.code, 403);
    let rules = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    let review = json!({"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": {"namespace": "default"}});
    let told = ask(&mut client, "jane-token", "POST", rules, Some(&review)).await.json();
    let own = json!({"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods"]});
    assert!(told["status"]["resourceRules"].as_list().unwrap().contains(&own), "{told}");
}

#[tokio::test]
async fn who_may_can_act_as_another() {
    let (server, mut client) = closed().await;
    let admin = format!("Bearer {}", server.admin_token());
    let who = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}).to_vec();
    let uri = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    let json = ("content-type", "application/json");
    let headers = [
        json,
        ("authorization", &*admin),
        ("impersonate-user", "bob"),
        ("impersonate-extra-team%2Fname", "red"),
    ];
    let told = client.send("POST", uri, &headers, &who).await.json();
    let expected =
        json!({"username": "bob", "groups": ["system:authenticated"], "extra": {"team/name": ["red"]}});
    assert_eq!(told["status"]["userInfo"], expected);
    let headers = [json, ("authorization", "Bearer jane-token"), ("impersonate-user", "bob")];
    let refused = client.send("POST", uri, &headers, &who).await;
    let why = r#"users "bob" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope"#;
    assert_eq!((refused.code, refused.message().as_str()), (403, why));
}
