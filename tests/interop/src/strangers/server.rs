//! The embedded server in a process of its own, as a third-party client meets it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use client_rs_tests_tools::workspace::{self, cargo, command};

/// A running server and the file by which it is reached. Ends when dropped.
pub(crate) struct EmbeddedServer {
    child: Child,
    kubeconfig: PathBuf,
    _folder: TempDir,
}

impl EmbeddedServer {
    /// Builds it if need be and starts it with TLS on a free port; it answers when this returns.
    pub(crate) fn start() -> Result<Self> {
        workspace::run(cargo().args([
            "build",
            "--locked",
            "-p",
            "client-rs-apiserver",
            "--example",
            "serve",
        ]))?;
        let program = workspace::target().join("debug/examples/serve");
        let mut child = command(program)
            .args(["127.0.0.1:0", "tls"])
            .stdout(Stdio::piped())
            .spawn()
            .context("can't start the embedded server")?;
        let folder = tempfile::tempdir()?;
        let kubeconfig = folder.path().join("kubeconfig");
        let printed = child.stdout.take().context("the server has no output")?;
        let server = Self { child, kubeconfig, _folder: folder };
        std::fs::write(&server.kubeconfig, read_kubeconfig(BufReader::new(printed))?)?;
        Ok(server)
    }

    pub(crate) fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }
}

impl Drop for EmbeddedServer {
    fn drop(&mut self) {
        // It keeps nothing: there is nothing to end in good order.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the kubeconfig that it prints once it listens, up to its last line, `current-context`.
fn read_kubeconfig(printed: impl BufRead) -> Result<String> {
    let mut text = String::new();
    for line in printed.lines() {
        let line = line?;
        text.push_str(&line);
        text.push('\n');
        if line.starts_with("current-context:") {
            return Ok(text);
        }
    }
    bail!("the embedded server ended before it listened")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kubeconfig_ends_with_its_context_and_half_of_one_is_an_error() {
        let whole = "kind: Config\ncurrent-context: embedded\n";
        assert_eq!(read_kubeconfig(format!("{whole}more\n").as_bytes()).unwrap(), whole);
        assert!(read_kubeconfig("kind: Config\n".as_bytes()).is_err());
    }
}
