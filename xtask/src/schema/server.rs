//! A running server, read through kubectl.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;

use client_rs_tests_tools::workspace::command;

/// Reads a server's public documents; writes nothing.
pub(crate) struct Server {
    pub(crate) kubectl: PathBuf,
    pub(crate) kubeconfig: PathBuf,
}

impl Server {
    /// The JSON document at a path.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let output = command(&self.kubectl)
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .args(["get", "--raw", path])
            .output()
            .with_context(|| format!("can't start {}", self.kubectl.display()))?;
        ensure!(output.status.success(), "GET {path}: {}", String::from_utf8_lossy(&output.stderr).trim());
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("GET {path}: not the JSON that was expected"))
    }
}
