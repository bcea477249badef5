//! A server and the operator; both end with it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use client_rs::apiserver::{Access, Server, ServerOptions, User};
use client_rs::client::manifest;
use client_rs::controller::Prometheus;
use client_rs::prelude::{Api, CancellationToken, Config, Json, RestClient};
use client_rs::webhook::{WebhookOptions, WebhookServer};
use database_operator::OperatorArgs;
use database_operator::api::v1::{Backup, Database, DatabaseSpec};
use tokio::task::JoinHandle;

/// Longer than anything here takes, on any machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(crate) fn args(more: &[&str]) -> OperatorArgs {
    Cli::parse_from(["test"].iter().chain(more)).operator
}

pub(crate) fn config(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("config").join(path)
}

/// The objects of a folder of `config`.
pub(crate) fn objects(folder: &str) -> Vec<Json> {
    let manifests = manifest::read_path(&config(folder)).unwrap();
    manifests.into_iter().map(|manifest| manifest.object.into()).collect()
}

/// A database with a backup at the default place.
pub(crate) fn database(name: &str, replicas: i32) -> Database {
    let backup = Some(Backup::default());
    let spec = DatabaseSpec { image: "db:17".to_owned(), replicas, storage: "1536Mi".to_owned(), backup };
    Database::new(name, spec)
}

pub(crate) struct Cluster {
    pub(crate) databases: Api<Database>,
    pub(crate) rest: RestClient,
    metrics: Prometheus,
    running: JoinHandle<()>,
    stop: CancellationToken,
    _certificates: tempfile::TempDir,
    _server: Server,
}

impl Cluster {
    /// Installs `config` as it is, and runs the operator with the rights that it has there. Only the address of the webhooks is
    /// another one.
    pub(crate) async fn start() -> Self {
        let options = ServerOptions::default().with_access(Access::Rbac).with_tls(true);
        let server = Server::start_with(options).await.unwrap();
        let certificates = tempfile::tempdir().unwrap();
        server.write_serving_certificate(certificates.path()).unwrap();
        let options = WebhookOptions::in_folder(certificates.path()).with_listen(([127, 0, 0, 1], 0));
        let webhooks = WebhookServer::bind(options).await.unwrap();
        for folder in ["manager", "rbac"] {
            server.apply_path(config(folder)).await.unwrap();
        }
        for object in objects("crd").into_iter().chain(objects("webhook")) {
            let kind = object["kind"].as_str().unwrap();
            if kind == "CustomResourceDefinition" || kind.ends_with("WebhookConfiguration") {
                server.install_webhooks(&object, webhooks.address()).await.unwrap();
            }
        }
        server.add_token("operator", User::service_account("database-operator-system", "database-operator"));
        let mut account = Config::from_kubeconfig(server.kubeconfig().unwrap().as_bytes()).unwrap();
        account.auth.token = Some("operator".into());

        let namespace = "--leader-elect-resource-namespace=database-operator-system";
        // A term that a slow machine does not lose.
        let term = ["--leader-elect-lease-duration=2h", "--leader-elect-renew-deadline=1h"];
        let args = args(&["--leader-elect", namespace, term[0], term[1]]);
        let metrics = Prometheus::new();
        let manager = database_operator::manager(account, &args, &metrics, Some(webhooks)).unwrap();
        let stop = CancellationToken::new();
        let running = manager.run(stop.clone());
        let running = tokio::spawn(async move { running.await.expect("the operator fails") });
        let rest = server.rest_client().unwrap();
        Self {
            databases: Api::namespaced(&rest, "default"),
            rest,
            metrics,
            running,
            stop,
            _certificates: certificates,
            _server: server,
        }
    }

    /// Ends the operator in order: it releases its lease. Returns its metrics, without a 403, which would be a right that
    /// `config/rbac` lacks.
    pub(crate) async fn end(mut self) -> String {
        self.stop.cancel();
        (&mut self.running).await.unwrap();
        let metrics = self.metrics.render();
        let forbidden: Vec<&str> = metrics.lines().filter(|line| line.contains("code=\"403\"")).collect();
        assert!(forbidden.is_empty(), "{forbidden:?}");
        metrics
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
