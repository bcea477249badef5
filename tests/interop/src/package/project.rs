//! A new project that depends on the packages.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::workspace::{self, cargo};
use client_rs_tests_tools::{Readme, Source};

use super::archives::Published;
use crate::running::{PATIENCE, Running};

const NAME: &str = "hello";
/// A pod that the server has when the program starts.
const POD: &str = r#"{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "web", "namespace": "default" },
    "spec": { "containers": [{ "name": "app", "image": "app" }] } }"#;

pub(super) struct Project<'a> {
    within: &'a Path,
    published: &'a [Published],
}

impl<'a> Project<'a> {
    pub(super) fn new(within: &'a Path, published: &'a [Published]) -> Self {
        Self { within, published }
    }

    fn folder(&self) -> PathBuf {
        self.within.join(NAME)
    }

    /// Puts every crate of the workspace's lock file and every package into one folder. Cargo copies the former, so that
    /// they need no server; the latter are unpacked.
    pub(super) fn registry(&self) -> Result<()> {
        let registry = self.within.join("registry");
        let mut vendor = cargo();
        vendor.args(["vendor", "--quiet", "--locked", "--versioned-dirs"]).arg(&registry);
        workspace::run(vendor.stdout(Stdio::null()))?;
        for published in self.published {
            let mut tar = Command::new("tar");
            tar.arg("-xzf").arg(published.archive()).arg("-C").arg(&registry);
            workspace::run(&mut tar)?;
            let sums = registry.join(published.full_name()).join(".cargo-checksum.json");
            std::fs::write(sums, r#"{ "files": {}, "package": null }"#)?;
        }
        let config = format!(
            "[source.crates-io]\nreplace-with = \"packages\"\n\n[source.packages]\ndirectory = {:?}\n",
            registry.display().to_string()
        );
        std::fs::create_dir(self.within.join(".cargo"))?;
        std::fs::write(self.within.join(".cargo/config.toml"), config)?;
        Ok(())
    }

    pub(super) fn write(&self) -> Result<()> {
        let mut new = cargo();
        new.current_dir(self.within).args(["new", "--quiet", "--vcs", "none", NAME]);
        workspace::run(&mut new)?;
        let facade = self.published.iter().find(|published| published.name == "client-rs");
        let version = &facade.context("client-rs is not published")?.version;
        let version = version.rsplit_once('.').map_or(version.as_str(), |(version, _)| version);
        let readme = Readme::here()?;
        std::fs::write(self.folder().join("Cargo.toml"), readme.manifest(NAME, Source::Version(version))?)?;
        std::fs::write(self.folder().join("src/main.rs"), readme.controller()?)?;
        Ok(())
    }

    pub(super) fn build(&self) -> Result<()> {
        let mut build = cargo();
        build.current_dir(self.folder()).args(["build", "--quiet", "--offline"]);
        build.env("CARGO_TARGET_DIR", self.target()).env("CARGO_PROFILE_DEV_DEBUG", "0");
        workspace::run(&mut build)?;
        // No package may come from this checkout.
        let lock = std::fs::read_to_string(self.folder().join("Cargo.lock"))?;
        let ours = lock.split("[[package]]").filter(|package| package.contains("name = \"client-rs"));
        let from_elsewhere = ours.filter(|package| !package.contains("source = \"registry+")).count();
        ensure!(from_elsewhere == 0, "{from_elsewhere} crates of ours came from elsewhere: {lock}");
        Ok(())
    }

    fn target(&self) -> PathBuf {
        self.within.join("target")
    }

    /// Runs it as README describes, with a server of our own.
    pub(super) fn operate(&self) -> Result<()> {
        workspace::run(cargo().args(["build", "--quiet", "--locked", "--package", "client-rs-cli"]))?;
        let (pod, kubeconfig) = (self.within.join("pod.json"), self.within.join("kubeconfig"));
        std::fs::write(&pod, POD)?;
        let mut serve = Command::new(workspace::target().join("debug/krs"));
        serve.arg("serve").arg("--load").arg(&pod).arg("--write-kubeconfig").arg(&kubeconfig);
        serve.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut server = Running::start("krs serve", &mut serve)?;
        // It prints where the file is when it is ready.
        lines(server.child().stdout.take().context("no output")?).expect("kubeconfig", &mut server)?;

        let mut program = Command::new(self.target().join("debug").join(NAME));
        program.env("KUBECONFIG", &kubeconfig).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut program = Running::start("the program", &mut program)?;
        let said = lines(program.child().stdout.take().context("no output")?);
        said.expect("default/web is ", &mut program)?;
        program.end()?;
        server.end()
    }
}

/// The output of a program, line by line.
struct Lines(Receiver<String>);

fn lines(output: impl Read + Send + 'static) -> Lines {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Lines(receiver)
}

impl Lines {
    /// Waits for a line with this text.
    fn expect(&self, text: &str, program: &mut Running) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.0.recv_timeout(Duration::from_millis(200)) {
                Ok(line) if line.contains(text) => return Ok(()),
                Ok(_) => (),
                Err(_) => program.check()?,
            }
        }
        bail!("no line with {text:?} within {} s", PATIENCE.as_secs())
    }
}
