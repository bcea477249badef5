//! The errors that new users meet first name the cause and the remedy.

use std::net::TcpListener;
use std::time::Duration;

use client_rs::api::apps::v1::Deployment;
use client_rs::api::core::v1::Pod;
use client_rs::client::{Api, RestClient};
use client_rs::controller::{Manager, ManagerOptions};
use client_rs::informers::SharedInformerFactory;
use client_rs::machinery::json;
use client_rs::transport::Config;
use client_rs::transport::kubeconfig::{DeferredConfig, Kubeconfig, LoadingRules, Overrides};
use client_rs::{CustomResource, Schema};
use client_rs_apiserver::{Access, Server, ServerOptions, User};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

/// A kind whose definition is not installed.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Shop", namespaced)]
struct ShopSpec {
    size: i32,
}

fn says(error: &str, texts: &[&str]) {
    for text in texts {
        assert!(error.contains(text), "no {text:?} in: {error}");
    }
}

/// Returns the error of a program whose informer gets no list.
async fn unsynced(rest: RestClient, ask: impl FnOnce(&SharedInformerFactory)) -> String {
    let factory = SharedInformerFactory::new(rest);
    ask(&factory);
    let mut options = ManagerOptions::default();
    options.sync_timeout = Duration::from_secs(2);
    let manager = Manager::with_options(&factory, options);
    manager.run(CancellationToken::new()).await.expect_err("it has its list").to_string()
}

#[test]
fn without_a_kubeconfig_the_places_to_put_one_are_named() {
    let rules = LoadingRules::default().with_precedence(["/nonexistent/config"]);
    let error = DeferredConfig::new(rules, Overrides::default()).client_config().unwrap_err().to_string();
    says(&error, &["no configuration has been provided", "KUBECONFIG", "~/.kube/config"]);
}

#[test]
fn a_context_that_does_not_exist_is_named_with_those_that_do() {
    let kubeconfig = "{apiVersion: v1, kind: Config, contexts: [{name: dev, context: {cluster: c, user: u}}], \
                      clusters: [{name: c, cluster: {server: 'https://k8s.example'}}], users: [{name: u, user: {}}]}";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    std::fs::write(&path, kubeconfig).unwrap();
    assert!(Kubeconfig::parse(kubeconfig.as_bytes()).is_ok());
    let rules = LoadingRules::default().with_explicit_path(path);
    let mut overrides = Overrides::default();
    overrides.current_context = "prod".to_owned();
    let error = DeferredConfig::new(rules, overrides).client_config().unwrap_err().to_string();
    says(&error, &["context \"prod\" does not exist", "there are: dev"]);
}

#[tokio::test]
async fn an_error_names_an_unreachable_server_and_what_to_check() {
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = Config::new(format!("http://{address}").parse().unwrap());
    let rest = RestClient::from_config(&config).unwrap();
    let error = Api::<Pod>::namespaced(&rest, "default").list().await.unwrap_err().to_string();
    let address = address.to_string();
    says(&error, &[&address, "is the API server running, and is this its address?", "kubeconfig"]);
    assert_eq!(error.matches("refused").count(), 1, "the cause is said once: {error}");
}

#[tokio::test]
async fn an_informer_of_a_missing_kind_names_the_definition_to_install() {
    let server = Server::start().await.unwrap();
    let error =
        unsynced(server.rest_client().unwrap(), |factory| drop(factory.of::<Shop>().informer())).await;
    let missing = "the server could not find the requested resource";
    says(
        &error,
        &[
            "informers without their first list after 2s",
            "shops.v1.example.com",
            missing,
            "CustomResourceDefinition",
        ],
    );
    let one = Api::<Shop>::namespaced(&server.rest_client().unwrap(), "default").get("a").await.unwrap_err();
    says(&one.to_string(), &[missing, "install its CustomResourceDefinition"]);
}

#[tokio::test]
async fn an_informer_that_may_not_list_names_the_rule_that_is_missing() {
    let mut options = ServerOptions::default();
    options.access = Access::Rbac;
    let server = Server::start_with(options).await.unwrap();
    let account = User::service_account("default", "op");
    let error =
        unsynced(server.rest_client_as(account).unwrap(), |factory| drop(factory.of::<Pod>().informer()))
            .await;
    let rule =
        r#"bind a ClusterRole with the rule {apiGroups: [""], resources: ["pods"], verbs: [list, watch]}"#;
    says(&error, &["pods is forbidden", rule, "to \"system:serviceaccount:default:op\""]);
}

#[tokio::test]
async fn a_typo_in_an_apply_is_named_with_where_to_look() {
    let server = Server::start().await.unwrap();
    let api = Api::<Deployment>::namespaced(&server.rest_client().unwrap(), "default");
    let document = json!({"metadata": {"name": "web"}, "spec": {"replcas": 1}});
    let error = api.apply(document, "test").await.unwrap_err().to_string();
    says(
        &error,
        &[".spec.replcas: field not declared in schema", "`kubectl explain deployment --recursive`"],
    );
}

#[tokio::test]
async fn a_port_that_is_taken_is_named_with_the_option_to_change() {
    let server = Server::start().await.unwrap();
    let factory = SharedInformerFactory::new(server.rest_client().unwrap());
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let mut options = ManagerOptions::default();
    options.metrics_listen = Some(address);
    let manager = Manager::with_options(&factory, options);
    let error = manager.run(CancellationToken::new()).await.unwrap_err().to_string();
    let listen = format!("can't listen at {address} for metrics: ");
    says(&error, &[&listen, "in use", "--metrics-listen", "ManagerOptions::metrics_listen"]);
}
