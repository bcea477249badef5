//! Runs the test program of a package.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use super::results::{self, Results};

/// How long the tests of a package may take.
const LIMIT: &str = "20m";

/// Runs the tests of a package. Root runs them in a network namespace that has only the loopback interface.
pub(super) fn package(folder: &Path, package: &str, binary: &Path, assets: &Path) -> Result<Results> {
    println!("controller-runtime {package} …");
    let place = folder.join("pkg").join(package);
    let output = tempfile::tempdir()?;
    let specs = output.path().join("specs.json");
    let mut command = isolated(binary)?;
    command.current_dir(&place).stdin(Stdio::null());
    command.args(["-test.v", "-test.timeout", LIMIT]);
    let suite = results::suite_function(&place)?;
    if suite.is_some() {
        command
            .args(["-ginkgo.no-color", "-ginkgo.succinct"])
            .arg(format!("-ginkgo.json-report={}", specs.display()));
    }
    command.env("KUBEBUILDER_ASSETS", assets).env_remove("KUBECONFIG").env_remove("USE_EXISTING_CLUSTER");
    let start = Instant::now();
    let printed = command.output().with_context(|| format!("can't start {}", binary.display()))?;
    let text = [printed.stdout, printed.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let json = std::fs::read(&specs).ok();
    let mut results = results::read(&text, suite.as_deref(), json.as_deref())?;
    results.seconds = start.elapsed().as_secs_f64();
    let log = folder.join(format!("{}.log", package.replace('/', "-")));
    std::fs::write(&log, text.as_bytes()).with_context(|| format!("can't write {}", log.display()))?;
    if !printed.status.success() && results.counts()[1] == 0 {
        results.broke_off(&format!("the program ended with {}; see {}", printed.status, log.display()));
    }
    Ok(results)
}

/// A command that reaches no other machine, if this process may create network namespaces.
fn isolated(binary: &Path) -> Result<Command> {
    let root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !root {
        println!("not root: the tests run with the network of this machine");
        return Ok(Command::new(binary));
    }
    let mut command = Command::new("unshare");
    command
        .args(["--net", "sh", "-c", "ip link set lo up && exec \"$0\" \"$@\""])
        .arg(std::path::absolute(binary)?);
    Ok(command)
}
