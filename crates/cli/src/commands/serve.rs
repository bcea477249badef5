//! `krs serve`

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_apiserver::{Access, Server, ServerOptions};
use client_rs_client::manifest::{self, Manifest};
use client_rs_client::wait::conditions;
use client_rs_client::{DynamicClient, RestClient};
use client_rs_workloads::{Workloads, WorkloadsOptions};

/// How long a custom resource definition may take to be served.
const ESTABLISHED: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The port to listen at on loopback; 0 for a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Speak TLS, with a certificate made for this run
    #[arg(long)]
    tls: bool,
    /// Refuse who is not known, and let roles decide; otherwise everyone may do everything
    #[arg(long)]
    rbac: bool,
    /// Play this many nodes, and run the controllers of deployments and replica sets
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    nodes: usize,
    /// Custom resource definitions to install: a file, YAML or JSON, or a folder of them
    #[arg(long, value_name = "FILE")]
    crd: Vec<PathBuf>,
    /// Objects to create: a file, YAML or JSON, or a folder of them
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    /// Where to write the kubeconfig [default: a new file in the folder for temporary files]
    #[arg(long, value_name = "FILE")]
    write_kubeconfig: Option<PathBuf>,
}

pub(crate) async fn run(
    args: &Args,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> Result<()> {
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), args.port);
    let options = ServerOptions {
        listen: Some(address),
        tls: args.tls,
        populate: true,
        access: if args.rbac { Access::Rbac } else { Access::Open },
        ..ServerOptions::default()
    };
    let server = Server::start(options).await.with_context(|| format!("can't listen at {address}"))?;
    let rest = server.rest_client()?;
    for path in &args.crd {
        load(&rest, path, true).await?;
    }
    for path in &args.load {
        load(&rest, path, false).await?;
    }
    let workloads = match args.nodes {
        0 => None,
        nodes => {
            Some(Workloads::start(rest, WorkloadsOptions { nodes, ..WorkloadsOptions::default() }).await?)
        }
    };
    let kubeconfig = server.kubeconfig().context("the server does not listen")?;
    let file = Kubeconfig::write(args.write_kubeconfig.as_deref(), &kubeconfig)?;
    writeln!(out, "{}", file.path.display())?;
    out.flush()?;
    writeln!(
        err,
        "serving at {}; export KUBECONFIG={}; Ctrl-C ends it",
        server.url().unwrap_or_default(),
        file.path.display()
    )?;
    tokio::signal::ctrl_c().await.context("can't listen for Ctrl-C")?;
    if let Some(workloads) = workloads {
        workloads.stop().await?;
    }
    server.shutdown().await;
    Ok(())
}

async fn load(rest: &RestClient, path: &Path, definitions: bool) -> Result<()> {
    let dynamic = DynamicClient::new(rest.clone());
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

/// The kubeconfig of a run; gone with it, unless its place was chosen.
struct Kubeconfig {
    path: PathBuf,
    keep: bool,
}

impl Kubeconfig {
    fn write(chosen: Option<&Path>, text: &str) -> Result<Self> {
        let keep = chosen.is_some();
        let path = chosen.map_or_else(
            || std::env::temp_dir().join(format!("krs-serve-{}.kubeconfig", std::process::id())),
            Path::to_path_buf,
        );
        let can_not = || format!("can't write {}", path.display());
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            // It holds a token that may do everything.
            options.mode(0o600);
        }
        let mut file = options.open(&path).with_context(can_not)?;
        file.write_all(text.as_bytes()).with_context(can_not)?;
        Ok(Self { path, keep })
    }
}

impl Drop for Kubeconfig {
    fn drop(&mut self) {
        if !self.keep {
            // Somebody else may have tidied up.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
