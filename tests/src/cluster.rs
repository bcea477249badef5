//! The server that a test talks to, whichever it is.

use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result};
use client_rs_apiserver::{Access, Server, ServerOptions, StorageOptions, TestControls};
use client_rs_transport::Config;

/// The kind of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Backend {
    /// The embedded API server, in this process
    Embedded,
    /// etcd, kube-apiserver and kube-controller-manager, started as `cargo xtask cluster up` does
    Real,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedded => "embedded",
            Self::Real => "real",
        })
    }
}

/// A server that serves requests, and its administrator's configuration.
///
/// Both use TLS and HTTP/2. An embedded one ends when it is dropped; a real one that was started here ends with the
/// process, however that ends.
#[derive(Debug)]
pub struct Cluster {
    config: Config,
    server: Kind,
}

#[derive(Debug)]
enum Kind {
    Embedded(Server),
    Real(Arc<client_rs_testkit::Cluster>),
}

impl Cluster {
    /// Starts a new embedded server for this caller alone, in milliseconds.
    pub async fn embedded() -> Result<Self> {
        Self::embedded_with(Self::like_real()).await
    }

    /// Returns the options that make an embedded server most like a control plane: TLS, users and their rights, and
    /// namespaces with accounts. The kubelets and backends of the tests are on the loopback address.
    pub fn like_real() -> ServerOptions {
        ServerOptions::default()
            .with_tls(true)
            .with_access(Access::Rbac)
            .with_storage(StorageOptions::default().with_populate(true).with_bootstrap(true).into())
            .with_dial_loopback(true)
    }

    /// A new embedded server with options of the caller's. It must listen.
    pub async fn embedded_with(options: ServerOptions) -> Result<Self> {
        let server = Server::start_with(options).await.context("can't start the embedded server")?;
        let kubeconfig = server.kubeconfig().context("the embedded server does not listen")?;
        Ok(Self { config: admin(kubeconfig.as_bytes())?, server: Kind::Embedded(server) })
    }

    /// The real control plane of this process: the one that `CLIENT_RS_KUBECONFIG` names, else one that the first
    /// call starts, in some ten seconds.
    pub async fn real() -> Result<Self> {
        let started = tokio::task::spawn_blocking(client_rs_testkit::Cluster::real).await?;
        Self::of(started.context("can't start the real control plane")?)
    }

    /// A real control plane for this caller alone, such as one with other flags. It ends when the last handle on it
    /// is dropped.
    pub async fn real_with(options: client_rs_testkit::Options) -> Result<Self> {
        let started = tokio::task::spawn_blocking(|| client_rs_testkit::Cluster::start(options)).await?;
        Self::of(Arc::new(started.context("can't start a real control plane")?))
    }

    fn of(cluster: Arc<client_rs_testkit::Cluster>) -> Result<Self> {
        let path = cluster.kubeconfig();
        let text = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Self { config: admin(&text)?, server: Kind::Real(cluster) })
    }

    /// Returns the kind of server.
    pub fn backend(&self) -> Backend {
        match self.server {
            Kind::Embedded(_) => Backend::Embedded,
            Kind::Real(_) => Backend::Real,
        }
    }

    /// The administrator's configuration, without a limit on requests.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the test controls of an embedded server.
    pub fn controls(&self) -> Option<TestControls> {
        match &self.server {
            Kind::Embedded(server) => Some(server.controls()),
            Kind::Real(_) => None,
        }
    }

    /// The embedded server, if it is one.
    pub fn server(&self) -> Option<&Server> {
        match &self.server {
            Kind::Embedded(server) => Some(server),
            Kind::Real(_) => None,
        }
    }

    /// The real control plane, if it is one: its folder with keys and logs, its kubectl.
    pub fn control_plane(&self) -> Option<&Arc<client_rs_testkit::Cluster>> {
        match &self.server {
            Kind::Embedded(_) => None,
            Kind::Real(cluster) => Some(cluster),
        }
    }
}

fn admin(kubeconfig: &[u8]) -> Result<Config> {
    let config = Config::from_kubeconfig(kubeconfig).context("the server's own kubeconfig")?;
    Ok(config.with_qps(-1.0))
}
