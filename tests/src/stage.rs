//! [`Stage`]: the resources of a scenario.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::{Namespace, ServiceAccount};
use client_rs_apiserver::TestControls;
use client_rs_client::{Request, RestClient};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_testkit::{Binaries, Folders, Progress};
use client_rs_transport::Config;

use crate::{Backend, Cluster};

/// A server, namespaces of the scenario's own, and a scratch folder. The namespaces are removed when it is over.
#[derive(Debug)]
pub struct Stage {
    cluster: Arc<Cluster>,
    namespaces: Mutex<Vec<String>>,
    folder: OnceLock<tempfile::TempDir>,
}

impl Stage {
    /// A stage on this server.
    pub fn new(cluster: Arc<Cluster>) -> Self {
        Self { cluster, namespaces: Mutex::default(), folder: OnceLock::new() }
    }

    /// The server.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The server, for another stage on it.
    pub fn shared(&self) -> Arc<Cluster> {
        Arc::clone(&self.cluster)
    }

    /// Returns the kind of server.
    pub fn backend(&self) -> Backend {
        self.cluster.backend()
    }

    /// The administrator's configuration, without a limit on requests.
    pub fn config(&self) -> &Config {
        self.cluster.config()
    }

    /// A client of the administrator's. Its connections are those of every other administrator's client.
    pub fn client(&self) -> Result<RestClient> {
        Ok(RestClient::from_config(self.config())?)
    }

    /// Faults, time and the requests seen, on the embedded server.
    pub fn embedded(&self) -> Result<TestControls> {
        self.cluster.controls().context("this scenario needs the embedded server")
    }

    /// Folder, processes and kubectl, on the real one.
    pub fn real(&self) -> Result<&Arc<client_rs_testkit::Cluster>> {
        self.cluster.control_plane().context("this scenario needs a real control plane")
    }

    /// A new namespace, in which pods can be created at once.
    pub async fn namespace(&self) -> Result<String> {
        let name = format!("conformance-{:016x}", fastrand::u64(..));
        self.namespace_named(&name).await?;
        let client = self.client()?;
        if self.backend() == Backend::Real {
            // Pods are refused until the controller manager has made the account.
            eventually("the namespace's service account", || async {
                let account = Request::get().of::<ServiceAccount>().namespace(&name).name("default");
                Ok(client.send::<ServiceAccount>(account).await.map(drop)?)
            })
            .await?;
        }
        Ok(name)
    }

    /// A new namespace of this name; pods may be refused in it for a moment.
    pub async fn namespace_named(&self, name: &str) -> Result<()> {
        let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
        let namespace = Namespace { metadata, ..Namespace::EMPTY };
        let _: Namespace = self.client()?.send(Request::post().of::<Namespace>().object(namespace)).await?;
        self.namespaces.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        Ok(())
    }

    /// A file with the administrator's kubeconfig.
    pub fn kubeconfig(&self) -> Result<PathBuf> {
        if let Some(cluster) = self.cluster.control_plane() {
            return Ok(cluster.kubeconfig().to_owned());
        }
        let text = self.cluster.server().and_then(client_rs_apiserver::Server::kubeconfig);
        let path = self.folder()?.join("kubeconfig");
        std::fs::write(&path, text.context("the embedded server does not listen")?)?;
        Ok(path)
    }

    /// The kubectl that comes with the control plane; built if need be, which takes minutes and Go.
    pub fn kubectl(&self) -> Result<PathBuf> {
        if let Some(cluster) = self.cluster.control_plane() {
            return Ok(cluster.kubectl()?.get_program().into());
        }
        Ok(Binaries::ready(&Folders::of_user(), &Progress::stderr())?.path("kubectl"))
    }

    /// Runs kubectl as the administrator, and returns its output.
    pub fn run_kubectl(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(self.kubectl()?);
        command.env_remove("KUBECONFIG").arg("--kubeconfig").arg(self.kubeconfig()?).args(arguments);
        let output = command.output().context("can't start kubectl")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "kubectl {}: {}", arguments.join(" "), complaint.trim());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A folder of the scenario's own, removed at its end.
    pub fn folder(&self) -> Result<&Path> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder.path());
        }
        let folder = tempfile::tempdir().context("can't make a scratch folder")?;
        Ok(self.folder.get_or_init(|| folder).path())
    }

    /// Removes what it has made; the server empties the namespaces in its own time.
    pub async fn strike(&self) {
        let names = std::mem::take(&mut *self.namespaces.lock().unwrap_or_else(PoisonError::into_inner));
        let Ok(client) = self.client() else { return };
        for name in names {
            let delete = Request::delete().of::<Namespace>().name(&name).timeout(Duration::from_secs(10));
            if let Err(error) = client.send_raw(delete).await {
                eprintln!("warning: namespace {name} is left: {error}");
            }
        }
    }
}

/// Builds kubectl and the control plane, unless that was done before. It takes minutes and Go. Called before the first scenario,
/// it does not count as the time of one.
pub fn build_binaries() -> Result<()> {
    Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    Ok(())
}

/// Tries until it holds, or for a minute: for what a server does in its own time.
pub async fn eventually<T, F, Fut>(what: &str, mut holds: F) -> Result<T>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let give_up = tokio::time::Instant::now() + Duration::from_mins(1);
    loop {
        let error = match holds().await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if tokio::time::Instant::now() > give_up {
            bail!("{what}: not within a minute: {error:#}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
