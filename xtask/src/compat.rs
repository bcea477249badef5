//! `cargo xtask compat`: every fixture that Kubernetes publishes, read and written back.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace::{self, delegate, program};

/// Reads every published API fixture as JSON, protobuf and YAML, compares, and writes it back.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The release whose fixtures to use; `HEAD` is the pinned release
    #[arg(long, default_values_t = ["HEAD".to_owned()], value_name = "RELEASE")]
    release: Vec<String>,
    /// A folder of fixtures, instead of those of the pinned Go module
    #[arg(long, value_name = "FOLDER")]
    folder: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folders = if args.folder.is_empty() {
        let testdata = api_module()?.join("testdata");
        args.release.iter().map(|release| testdata.join(release)).collect()
    } else {
        args.folder.clone()
    };
    delegate(program("client-rs-compat", "compat").args(folders))
}

/// The folder of the pinned `k8s.io/api` module, which Go fetches where it is not there yet.
fn api_module() -> Result<PathBuf> {
    let output = workspace::command("go")
        .current_dir(workspace::root().join("hack/schema"))
        .args(["list", "-mod=mod", "-m", "-f", "{{.Version}}", "k8s.io/api"])
        .output()
        .context("can't start `go`: install Go, which brings the fixtures")?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() || version.is_empty() {
        bail!("`go list` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let output = workspace::command("go")
        .current_dir(workspace::root().join("hack/schema"))
        .args(["mod", "download", "-json", &format!("k8s.io/api@{version}")])
        .output()
        .context("can't start `go`")?;
    let module: serde_json::Value = serde_json::from_slice(&output.stdout).with_context(|| {
        format!("`go mod download` failed: {}", String::from_utf8_lossy(&output.stderr).trim())
    })?;
    match (module["Dir"].as_str(), module["Error"].as_str()) {
        (Some(folder), _) => Ok(folder.into()),
        (None, error) => bail!("can't fetch k8s.io/api: {}", error.unwrap_or("no folder")),
    }
}
