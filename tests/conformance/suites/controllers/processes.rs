//! The processes of a scenario.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result};
use client_rs_tests::Stage;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use super::child;
use super::proxy::Proxy;
use super::sink::Sink;

/// A process, its way to the server, and its name. It is killed when this is dropped.
pub(super) struct Process {
    pub(super) identity: String,
    pub(super) network: Proxy,
    child: Child,
}

impl Process {
    /// Starts one, with a way of its own to the server.
    pub(super) async fn start(
        stage: &Stage,
        sink: &Sink,
        namespace: &str,
        role: &str,
        identity: &str,
    ) -> Result<Self> {
        let server = stage.config().server.authority().context("the server has no address")?.to_string();
        let network = Proxy::start(server.clone()).await?;
        let kubeconfig = kubeconfig(stage, &server, &network.address.to_string(), identity)?;
        let child = Command::new(std::env::current_exe()?)
            .env(child::ROLE, role)
            .env(child::KUBECONFIG, kubeconfig)
            .env(child::NAMESPACE, namespace)
            .env(child::IDENTITY, identity)
            .env(child::SINK, sink.address.to_string())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("can't start a process")?;
        Ok(Self { identity: identity.to_owned(), network, child })
    }

    /// Stops it in its tracks.
    pub(super) fn stop(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets it go on as if nothing had happened.
    pub(super) fn go_on(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// Ends it without a chance to do anything.
    pub(super) async fn kill(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Waits for its requested end.
    pub(super) async fn ended(mut self) -> Result<bool> {
        Ok(self.child.wait().await?.success())
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let id = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(kill_process(id.context("the process has ended")?, signal)?)
    }
}

/// The administrator's, by way of the proxy.
fn kubeconfig(stage: &Stage, server: &str, proxy: &str, identity: &str) -> Result<PathBuf> {
    let text = match stage.cluster().server() {
        Some(embedded) => embedded.kubeconfig().context("the embedded server does not listen")?,
        None => std::fs::read_to_string(stage.real()?.kubeconfig())?,
    };
    let path = stage.folder()?.join(format!("{identity}.kubeconfig"));
    std::fs::write(&path, text.replace(server, proxy))?;
    Ok(path)
}
