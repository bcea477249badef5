//! Runs the test program of a package.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::super::results::{self, Results};
use super::super::sandbox::{self, Sandbox};

/// How long the tests of a package may take: Go ends the program and prints its stacks.
const LIMIT: Duration = Duration::from_mins(15);
/// How long the program may take after that.
const GRACE: Duration = Duration::from_mins(1);

/// The programs that are the control plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plane<'a> {
    /// Ours, in this folder.
    Ours(&'a Path),
    /// etcd and kube-apiserver, in this folder.
    Real(&'a Path),
}

/// Runs the tests of a package. Its output is a file next to the module.
pub(super) fn package(
    folder: &Path,
    package: &str,
    binary: &Path,
    plane: Plane<'_>,
    sandbox: Sandbox,
) -> Result<Results> {
    let (assets, start, ending) = match plane {
        Plane::Ours(assets) => (assets, "", ".log"),
        Plane::Real(assets) => (assets, sandbox.default_route(), "-real.log"),
    };
    println!("controller-runtime {package} …");
    let sources = folder.join("pkg").join(package);
    let output = tempfile::tempdir()?;
    let specs = output.path().join("specs.json");
    let suite = results::suite_function(&sources)?;
    let report =
        if suite.is_some() { " -ginkgo.no-color -ginkgo.succinct -ginkgo.json-report=\"$2\"" } else { "" };
    let script = format!("{start}\"$1\" -test.v -test.timeout {}s{report}", LIMIT.as_secs());
    let mut command = sandbox.command(&script, &[std::path::absolute(binary)?, specs.clone()]);
    command.current_dir(&sources);
    command.env("KUBEBUILDER_ASSETS", assets).env_remove("KUBECONFIG").env_remove("USE_EXISTING_CLUSTER");
    let log = folder.join(package.replace('/', "-") + ending);
    let began = Instant::now();
    let ended = sandbox::run(&mut command, &log, LIMIT + GRACE)?;
    let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    let json = std::fs::read(&specs).ok();
    let mut results = results::read(&text, suite.as_deref(), json.as_deref())?;
    results.seconds = began.elapsed().as_secs_f64();
    if !ended.success() && results.counts()[1] == 0 {
        results.broke_off(&format!("{ended}; see {}", log.display()));
    }
    Ok(results)
}
