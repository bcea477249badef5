//! `krs serve`

mod kubeconfig;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_apiserver::{Access, Server, ServerOptions, StorageOptions};
use client_rs_client::manifest::{self, Manifest};
use client_rs_client::wait::conditions;
use client_rs_client::{DynamicClient, RestClient};
use client_rs_workloads::{Selection, Workloads, WorkloadsOptions};

use crate::stages::{Playing, Stages};
use crate::terminal::EndSignal;
use kubeconfig::Kubeconfig;

/// How long a custom resource definition may take to be served.
const ESTABLISHED: Duration = Duration::from_secs(10);
/// How long a pod takes to stop on a simulated node.
const STOPPED: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The loopback port to listen on; 0 for a free port
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Serve plain HTTP without TLS, and allow every request
    #[arg(long)]
    insecure_http: bool,
    /// Enforce RBAC; otherwise every authenticated user may do everything
    #[arg(long)]
    rbac: bool,
    /// Connect to nodes, pods and services on the loopback address, for logs, exec and proxies
    #[arg(long)]
    dial_loopback: bool,
    /// Simulate this many nodes, and run controllers
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    nodes: usize,
    /// The controllers to run, separated by commas: `*` for all, `name` for one, `-name` for all but this one
    /// [default: all with --nodes, otherwise none]
    #[arg(long, value_name = "NAMES", allow_hyphen_values = true)]
    controllers: Option<Selection>,
    /// Stages that pods, nodes and other objects pass through, as KWOK's `Stage` objects: a YAML or JSON file, or a directory. They
    /// replace what played nodes report about pods, or about themselves
    #[arg(long, value_name = "FILE")]
    stages: Vec<PathBuf>,
    /// Custom resource definitions to install: a YAML or JSON file, or a directory
    #[arg(long, value_name = "FILE")]
    crd: Vec<PathBuf>,
    /// Objects to create: a YAML or JSON file, or a directory
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    /// The kubeconfig file to write [default: a file in a new private directory]
    #[arg(long, value_name = "FILE")]
    write_kubeconfig: Option<PathBuf>,
}

impl Args {
    fn options(&self) -> ServerOptions {
        ServerOptions::default()
            .with_listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port))
            .with_tls(!self.insecure_http)
            .with_storage(StorageOptions::default().with_populate(true).with_bootstrap(true).into())
            .with_access(match (self.rbac, self.insecure_http) {
                (true, _) => Access::Rbac,
                (false, true) => Access::Open,
                (false, false) => Access::Authenticated,
            })
            .with_dial_loopback(self.dial_loopback)
    }

    /// How controllers run; `None` if there are none.
    fn workloads(&self, stages: &Stages) -> Option<WorkloadsOptions> {
        if self.nodes == 0 && self.controllers.is_none() {
            return None;
        }
        let controllers = self.controllers.clone().unwrap_or_default();
        let options = WorkloadsOptions::default().with_nodes(self.nodes).with_stop_delay(STOPPED);
        let options = options.with_pod_status(!stages.is_for("Pod")).with_node_status(!stages.is_for("Node"));
        Some(options.with_controllers(controllers))
    }

    fn stages(&self) -> Result<Stages> {
        let mut all = Stages::default();
        for path in &self.stages {
            all.extend(Stages::read(path)?);
        }
        Ok(all)
    }
}

pub(crate) async fn run(
    args: &Args,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> Result<()> {
    // Before anything is said: a signal that follows the first line is not lost.
    let mut signal = EndSignal::any().context("can't listen for signals")?;
    let stages = args.stages()?;
    let options = args.options();
    let at = || format!("can't listen at port {} of the loopback address", args.port);
    let server = Server::start_with(options).await.with_context(at)?;
    let rest = server.rest_client()?;
    for path in &args.crd {
        load(&rest, path, true).await?;
    }
    for path in &args.load {
        load(&rest, path, false).await?;
    }
    let workloads = match args.workloads(&stages) {
        None => None,
        Some(options) => Some(Workloads::start(rest.clone(), options).await?),
    };
    let playing = if args.stages.is_empty() { None } else { Some(Playing::start(rest, stages).await?) };
    let kubeconfig =
        if args.insecure_http { server.kubeconfig() } else { server.kubeconfig_with_certificate()? };
    let kubeconfig = kubeconfig.context("the server does not listen")?;
    let file = Kubeconfig::write(args.write_kubeconfig.as_deref(), &kubeconfig)?;
    writeln!(out, "{}", file.path().display())?;
    out.flush()?;
    if args.insecure_http && !args.rbac {
        writeln!(
            err,
            "warning: every user of this machine may do everything on this server (--insecure-http)"
        )?;
    }
    writeln!(
        err,
        "serving at {}; export KUBECONFIG={}; Ctrl-C ends it",
        server.url().unwrap_or_default(),
        file.path().display()
    )?;
    if let Some(workloads) = &workloads {
        let running = workloads.controllers();
        let names: Vec<&str> = running.iter().map(|state| &*state.name).collect();
        writeln!(err, "controllers: {}", names.join(", "))?;
    }
    signal.heard().await;
    if let Some(playing) = playing {
        playing.shutdown().await?;
    }
    if let Some(workloads) = workloads {
        workloads.shutdown().await?;
    }
    server.shutdown().await;
    Ok(())
}

async fn load(rest: &RestClient, path: &Path, definitions: bool) -> Result<()> {
    let dynamic = DynamicClient::from_rest(rest.clone());
    for Manifest { object, .. } in manifest::read_path(path)? {
        let what = || format!("{}: {} {}", path.display(), object.kind(), object.name());
        let name = object.name().to_owned();
        let api = dynamic.of_object(&object, "default").await.with_context(what)?;
        api.create(object.clone()).await.with_context(what)?;
        if definitions {
            api.wait_for(&name, conditions::crd_established(), ESTABLISHED).await.with_context(what)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn options(flags: &[&str]) -> ServerOptions {
        Cli::parse_from([&["serve"], flags].concat()).args.options()
    }

    #[test]
    fn nobody_is_served_without_tls_and_a_credential_unless_asked_for() {
        let default = options(&[]);
        assert_eq!(
            (default.tls, default.access, default.dial_loopback),
            (true, Access::Authenticated, false)
        );
        let open = options(&["--insecure-http"]);
        assert_eq!((open.tls, open.access), (false, Access::Open));
        assert_eq!(options(&["--rbac"]).access, Access::Rbac);
        assert!(options(&["--dial-loopback"]).dial_loopback);
        assert!(default.listen.unwrap().ip().is_loopback());
    }

    #[test]
    fn controllers_run_with_nodes_or_by_name() {
        let workloads =
            |flags: &[&str]| Cli::parse_from([&["serve"], flags].concat()).args.workloads(&Stages::default());
        assert!(workloads(&[]).is_none());
        assert!(workloads(&["--nodes", "2"]).is_some_and(|options| options.controllers.has("job")));
        let some = workloads(&["--controllers", "-job,*"]).expect("controllers without nodes");
        assert!(some.nodes == 0 && some.controllers.has("deployment") && !some.controllers.has("job"));
        assert!(Cli::try_parse_from(["serve", "--controllers", "jobs"]).is_err());
    }

    #[tokio::test]
    async fn its_kubeconfig_trusts_the_server_and_has_a_token_and_a_certificate() {
        let server = Server::start_with(options(&[])).await.unwrap();
        let text = server.kubeconfig_with_certificate().unwrap().unwrap();
        for key in ["certificate-authority-data", "client-certificate-data", "client-key-data", "token"] {
            assert!(text.contains(&format!("    {key}: ")), "{key}");
        }
        let config = client_rs_transport::Config::from_kubeconfig(text.as_bytes()).unwrap();
        let known = RestClient::from_config(&config).unwrap();
        let pods = client_rs_client::Request::get().abs_path(["/api/v1/pods"]);
        known.send_raw(pods).await.unwrap();
        // Knowing the port is not enough to get access.
        let mut stranger = config.clone();
        stranger.auth = client_rs_transport::Config::new(config.server.clone()).auth;
        (stranger.tls.client_certificate, stranger.tls.client_key) = (None, None);
        let stranger = RestClient::from_config(&stranger).unwrap();
        let refused = stranger.send_raw(client_rs_client::Request::get().abs_path(["/api/v1/pods"])).await;
        assert_eq!(refused.unwrap_err().api().map(client_rs_machinery::ApiError::code), Some(403));
        server.shutdown().await;
    }
}
