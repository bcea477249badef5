//! A server and the operator; both end with it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use client_rs::apiserver::{Access, Server, ServerOptions, User};
use client_rs::controller::Prometheus;
use client_rs::prelude::{CancellationToken, Config, RestClient};
use gateway_operator::OperatorArgs;
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

pub(crate) struct Cluster {
    pub(crate) rest: RestClient,
    metrics: Prometheus,
    running: JoinHandle<()>,
    stop: CancellationToken,
    server: Server,
}

impl Cluster {
    /// Installs `config` as it is, and runs the operator with the rights that it has there.
    pub(crate) async fn start() -> Self {
        let options = ServerOptions::default().with_access(Access::Rbac).with_tls(true);
        let server = Server::start_with(options).await.unwrap();
        for folder in ["crd", "manager", "rbac"] {
            server.apply_path(config(folder)).await.unwrap();
        }
        server.add_token("operator", User::service_account("gateway-operator-system", "gateway-operator"));
        let mut account = Config::from_kubeconfig(server.kubeconfig().unwrap().as_bytes()).unwrap();
        account.auth.token = Some("operator".into());

        let namespace = "--leader-elect-resource-namespace=gateway-operator-system";
        // A term that a slow machine does not lose.
        let term = ["--leader-elect-lease-duration=2h", "--leader-elect-renew-deadline=1h"];
        let args = args(&["--leader-elect", namespace, term[0], term[1]]);
        let metrics = Prometheus::new();
        let manager = gateway_operator::manager(account, &args, &metrics).unwrap();
        let stop = CancellationToken::new();
        let running = manager.run(stop.clone());
        let running = tokio::spawn(async move { running.await.expect("the operator fails") });
        Self { rest: server.rest_client().unwrap(), metrics, running, stop, server }
    }

    /// Applies a folder of `config`.
    pub(crate) async fn apply(&self, folder: &str) {
        self.server.apply_path(config(folder)).await.unwrap();
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
