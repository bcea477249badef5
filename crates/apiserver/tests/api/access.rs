//! Authentication and authorization.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_apiserver::{Access, Server, ServerOptions, User};
use client_rs_machinery::{Json, json};

use super::common::Client;

async fn closed() -> (Server, Client) {
    let options = ServerOptions::default().with_listen(None).with_access(Access::Rbac);
    let server = Server::start_with(options).await.unwrap();
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
    // She may not use other verbs, namespaces and resources.
    assert_eq!(ask(&mut client, "jane-token", "GET", &format!("{PODS}?watch=true"), None).await.code, 403);
    assert_eq!(
        ask(&mut client, "jane-token", "GET", "/api/v1/namespaces/kube-system/pods", None).await.code,
        403
    );
    assert_eq!(ask(&mut client, "jane-token", "GET", "/api/v1/pods", None).await.code, 403);
    assert_eq!(ask(&mut client, "jane-token", "GET", "/api/v1/nodes", None).await.code, 403);
    // The default roles allow discovery to all authenticated users.
    assert_eq!(ask(&mut client, "jane-token", "GET", "/apis", None).await.code, 200);
}

#[tokio::test]
async fn unknown_credentials_are_refused_and_requests_without_one_are_anonymous() {
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
async fn rights_that_the_author_does_not_hold_can_not_be_granted() {
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
async fn roles_aggregate_other_roles() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let jane = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"});
    ask(&mut client, &admin, "POST", BINDINGS, Some(&binding("b", "ClusterRole", "admin", &jane))).await;
    // `admin` includes `edit`, and `edit` includes `view`.
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
async fn the_token_of_a_service_account_is_valid_until_it_expires_or_the_account_is_deleted() {
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
async fn users_can_review_their_own_access() {
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
async fn users_with_the_right_can_impersonate() {
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

const CLUSTER_ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const CLUSTER_BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

/// Grants these rules to jane, cluster-wide.
async fn give(client: &mut Client, admin: &str, name: &str, rules: Json) {
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules,
    });
    assert_eq!(ask(client, admin, "POST", CLUSTER_ROLES, Some(&role)).await.code, 201);
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
    });
    assert_eq!(ask(client, admin, "POST", CLUSTER_BINDINGS, Some(&binding)).await.code, 201);
}

#[tokio::test]
async fn aggregation_rules_need_all_rights() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let own = json!([{
        "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["create", "update", "patch", "get"],
    }]);
    give(&mut client, &admin, "own", own).await;
    // Jane could label any role so and gain its rights: a user with few rights must not be able to create such a
    // role.
    let gathers =
        json!({"clusterRoleSelectors": [{"matchLabels": {"kubernetes.io/bootstrapping": "rbac-defaults"}}]});
    let mut role = ask(&mut client, "jane-token", "GET", &format!("{CLUSTER_ROLES}/own"), None).await.json();
    role.set(&["aggregationRule"], gathers.clone()).unwrap();
    let why = |name: &str| {
        format!(
            "clusterroles.rbac.authorization.k8s.io {name:?} is forbidden: must have cluster-admin privileges to use an \
             aggregationRule"
        )
    };
    let refused = ask(&mut client, "jane-token", "PUT", &format!("{CLUSTER_ROLES}/own"), Some(&role)).await;
    assert_eq!((refused.code, refused.message()), (403, why("own")));
    let new = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "new"},
        "aggregationRule": gathers.clone(),
    });
    let refused = ask(&mut client, "jane-token", "POST", CLUSTER_ROLES, Some(&new)).await;
    assert_eq!((refused.code, refused.message()), (403, why("new")));
    assert_eq!(ask(&mut client, &admin, "POST", CLUSTER_ROLES, Some(&new)).await.code, 201);
    // A user with few rights can't remove the aggregation rule of such a role either.
    let mut old = ask(&mut client, &admin, "GET", &format!("{CLUSTER_ROLES}/new"), None).await.json();
    old.set(&["aggregationRule"], Json::Null).unwrap();
    old.set(&["rules"], json!([])).unwrap();
    let refused = ask(&mut client, "jane-token", "PUT", &format!("{CLUSTER_ROLES}/new"), Some(&old)).await;
    assert_eq!((refused.code, refused.message()), (403, why("new")));
    give(
        &mut client,
        &admin,
        "escalator",
        json!([{
            "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["escalate"],
        }]),
    )
    .await;
    let allowed = ask(&mut client, "jane-token", "PUT", &format!("{CLUSTER_ROLES}/own"), Some(&role)).await;
    assert_eq!(allowed.code, 200, "{}", allowed.message());
}

fn signing_request(name: &str, signer: &str, group: &str) -> Json {
    let mut params = rcgen::CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(rcgen::DnType::CommonName, "jane");
    params.distinguished_name.push(rcgen::DnType::OrganizationName, group);
    let request = params.serialize_request(&rcgen::KeyPair::generate().unwrap()).unwrap().pem().unwrap();
    json!({
        "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": name},
        "spec": {"request": STANDARD.encode(request), "signerName": signer, "usages": ["client auth"]},
    })
}

const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const API_CLIENT: &str = "kubernetes.io/kube-apiserver-client";

#[tokio::test]
async fn approving_and_signing_need_a_right_on_the_signer() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    give(&mut client, &admin, "requests", json!([{
        "apiGroups": ["certificates.k8s.io"], "verbs": ["*"],
        "resources": ["certificatesigningrequests", "certificatesigningrequests/approval", "certificatesigningrequests/status"],
    }]))
    .await;
    for (name, signer) in [("a", API_CLIENT), ("b", "example.com/own")] {
        let request = signing_request(name, signer, "builders");
        assert_eq!(ask(&mut client, "jane-token", "POST", REQUESTS, Some(&request)).await.code, 201);
    }
    let approved = json!([{"type": "Approved", "status": "True", "reason": "Test", "message": "yes"}]);
    let approval = format!("{REQUESTS}/a/approval");
    let mut request = ask(&mut client, "jane-token", "GET", &format!("{REQUESTS}/a"), None).await.json();
    request.set(&["status", "conditions"], approved).unwrap();
    let refused = ask(&mut client, "jane-token", "PUT", &approval, Some(&request)).await;
    let why = format!(
        "certificatesigningrequests.certificates.k8s.io \"a\" is forbidden: user not permitted to approve requests with \
         signerName \"{API_CLIENT}\""
    );
    assert_eq!((refused.code, refused.message()), (403, why));
    let status = format!("{REQUESTS}/b/status");
    let mut own = ask(&mut client, "jane-token", "GET", &format!("{REQUESTS}/b"), None).await.json();
    own.set(&["status", "certificate"], STANDARD.encode("nothing")).unwrap();
    let refused = ask(&mut client, "jane-token", "PUT", &status, Some(&own)).await;
    assert_eq!(refused.code, 403, "{}", refused.message());
    assert!(
        refused.message().ends_with("to sign requests with signerName \"example.com/own\""),
        "{}",
        refused.message()
    );
    // A right on all signers of a domain includes each of them.
    give(&mut client, &admin, "signers", json!([{
        "apiGroups": ["certificates.k8s.io"], "resources": ["signers"], "resourceNames": ["kubernetes.io/*"], "verbs": ["approve"],
    }]))
    .await;
    let done = ask(&mut client, "jane-token", "PUT", &approval, Some(&request)).await;
    assert_eq!(done.code, 200, "{}", done.message());
    let signed = ask(&mut client, "jane-token", "GET", &format!("{REQUESTS}/a"), None).await.json();
    assert!(signed["status"]["certificate"].as_str().is_some(), "{signed}");
}

#[tokio::test]
async fn the_client_signer_refuses_system_masters() {
    let (server, mut client) = closed().await;
    let admin = server.admin_token().to_owned();
    let request = signing_request("a", API_CLIENT, "system:masters");
    let refused = ask(&mut client, &admin, "POST", REQUESTS, Some(&request)).await;
    let why = format!(
        "certificatesigningrequests.certificates.k8s.io \"a\" is forbidden: use of {API_CLIENT} signer with system:masters \
         group is not allowed"
    );
    assert_eq!((refused.code, refused.message()), (403, why));
    let other = signing_request("b", "example.com/own", "system:masters");
    assert_eq!(ask(&mut client, &admin, "POST", REQUESTS, Some(&other)).await.code, 201);
}
