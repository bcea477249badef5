use client_rs_api::coordination::v1::Lease;
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions, User};
use client_rs_client::{AllNamespaces, Api};

use super::*;

/// The tests of an operator. They run in a process of their own, which `krs rbac` starts.
#[tokio::test]
async fn operator_under_test() {
    if std::env::var_os(RECORD_PERMISSIONS).is_none() {
        return;
    }
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client_as(User::service_account("system", "operator")).unwrap();
    Api::<ConfigMap, AllNamespaces>::all(&rest).list().await.unwrap();
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    maps.apply(json!({"metadata": {"name": "a"}}), "operator").await.unwrap();
    let lease = Api::<Lease>::namespaced(&rest, "system").get("operator").await;
    assert!(lease.unwrap_err().is_not_found());
    // A user of the test, not of the operator.
    Api::<ConfigMap>::namespaced(&server.rest_client().unwrap(), "default").delete("a").await.unwrap();
}

fn args() -> Args {
    let name = "commands::rbac::tests::operator_under_test";
    let program = std::env::current_exe().unwrap();
    Args {
        account: account("system/operator").unwrap(),
        check: None,
        keep: Vec::new(),
        in_namespace: Vec::new(),
        record: None,
        output: None,
        command: vec![program.into(), "--exact".into(), name.into()],
    }
}

fn printed(args: &Args) -> Result<String> {
    let mut out = Vec::new();
    run(args, &mut out)?;
    Ok(String::from_utf8(out)?)
}

#[test]
fn roles_are_written_from_a_run_of_tests_and_then_fit() {
    let text = printed(&args()).unwrap();
    let roles: Vec<Json> = manifest::read(&text)
        .unwrap()
        .into_iter()
        .map(|found| Json::from(found.object))
        .filter(|object| object.get("rules").is_some())
        .collect();
    assert_eq!(
        roles.iter().map(|role| role["rules"].clone()).collect::<Json>(),
        json!([
            [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "create", "patch"]}],
            [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get"]}],
        ])
    );
    assert_eq!(roles[1]["metadata"], json!({"name": "operator", "namespace": "system"}));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("role.yaml");
    std::fs::write(&file, &text).unwrap();
    let check = || Args { check: Some(folder.path().to_owned()), ..args() };
    assert!(printed(&check()).unwrap().contains("grants exactly the 4 rights"));

    std::fs::write(&file, text.replace("- patch", "- delete")).unwrap();
    let error = printed(&check()).unwrap_err().to_string();
    assert!(error.contains("missing: patch configmaps in the cluster"), "{error}");
    assert!(
        error.contains("unused: ClusterRole operator grants delete configmaps in the cluster"),
        "{error}"
    );
}

#[test]
fn a_run_without_the_account_or_that_fails_is_an_error() {
    let other = Args { account: account("system/other").unwrap(), ..args() };
    let error = printed(&other).unwrap_err().to_string();
    assert!(error.contains("only of admin, system:serviceaccount:system:operator"), "{error}");

    let program = std::env::current_exe().unwrap();
    let failing = Args { command: vec![program.into(), "--no-such-flag".into()], ..args() };
    let error = printed(&failing).unwrap_err().to_string();
    assert!(error.contains("failed"), "{error}");

    let nothing = Args { command: Vec::new(), record: Some(tempfile::tempdir().unwrap().keep()), ..args() };
    let error = printed(&nothing).unwrap_err().to_string();
    std::fs::remove_dir(nothing.record.unwrap()).unwrap();
    assert!(error.contains("no request was recorded"), "{error}");
}

#[test]
fn accounts_and_kept_rights_are_parsed() {
    assert_eq!(account("a/b").unwrap().user(), "system:serviceaccount:a:b");
    for text in ["a", "/b", "a/", "a/b/c"] {
        assert!(account(text).is_err(), "{text}");
    }
    assert_eq!(kept("get:pods").unwrap(), Kept { verb: "get".into(), resource: "pods".into() });
    assert!(kept("get").is_err() && kept(":pods").is_err());
}

#[test]
fn the_guide_shows_the_message() {
    let account = account("labels-system/labels").unwrap();
    let grant = |verb: &str, resource: &str| Grant {
        reach: Reach::Cluster,
        group: String::new(),
        resource: resource.to_owned(),
        verb: verb.to_owned(),
    };
    let subject = json!({"kind": "ServiceAccount", "name": "labels", "namespace": "labels-system"});
    let manifests = [
        json!({"kind": "ClusterRole", "metadata": {"name": "labels"},
            "rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]}),
        json!({"kind": "ClusterRoleBinding", "metadata": {"name": "labels"}, "subjects": [subject],
            "roleRef": {"kind": "ClusterRole", "name": "labels"}}),
    ];
    let needed = BTreeSet::from([grant("patch", "configmaps")]);
    let differences = granted::differences(&manifests, &account, &needed, &[]);
    let message = unfit(Path::new("config/rbac"), &account, &differences);
    let guide = include_str!("../../../../../docs/guide/security.md");
    assert!(guide.contains(&format!("```text\nerror: {message}\n```")), "{message}");
}
