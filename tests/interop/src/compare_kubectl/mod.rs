//! `cargo xtask compare-kubectl`: krs compared with kubectl, command line by command line.

mod commands;
mod mask;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::{Binaries, Folders, Progress};
use tempfile::TempDir;

use crate::strangers::server::EmbeddedServer;
use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, cargo};

/// How often two answers may differ before they count as different: an age may have become a digit longer in between.
const TRIES: usize = 3;

/// Run krs and kubectl side by side and compare their output and exit codes, byte for byte except ages.
///
/// Both run in processes of their own, against the embedded server.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Against the server of this kubeconfig instead
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
    /// Only command lines that contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    workspace::run(cargo().args(["build", "--locked", "-p", "client-rs-cli"]))?;
    let server = match &args.kubeconfig {
        Some(_) => None,
        None => Some(EmbeddedServer::start()?),
    };
    let kubeconfig = match (&args.kubeconfig, &server) {
        (Some(given), _) => std::path::absolute(given)?,
        (None, Some(server)) => server.kubeconfig().to_owned(),
        (None, None) => unreachable!("a server is started unless one is given"),
    };
    let binaries = Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let pair = Pair {
        kubectl: binaries.path("kubectl"),
        krs: workspace::target().join("debug/krs"),
        kubeconfig,
        folder: tempfile::tempdir()?,
    };
    pair.prepare()?;
    let mut report = Report::new("compare-kubectl");
    let wanted = |line: &str| args.only.as_ref().is_none_or(|text| line.contains(text.as_str()));
    for line in commands::READS.iter().filter(|line| wanted(line)) {
        report.record(&format!("krs {line}"), pair.compare_read(line));
    }
    if commands::HOSTILE.iter().any(|line| wanted(line)) {
        pair.prepare_hostile()?;
    }
    for line in commands::HOSTILE.iter().filter(|line| wanted(line)) {
        report.record(&format!("krs {line}, of texts that steer terminals"), pair.compare_hostile(line));
    }
    for steps in commands::WRITES.iter().filter(|steps| steps.iter().any(|line| wanted(line))) {
        for line in *steps {
            report.record(&format!("krs {line}"), pair.compare_write(line));
        }
    }
    for line in commands::CONFIGS.iter().filter(|line| wanted(line)) {
        report.record(&format!("krs {line}"), pair.compare_config(line));
    }
    pair.tidy()?;
    Ok(report.finish())
}

/// Both tools, at one server.
struct Pair {
    kubectl: PathBuf,
    krs: PathBuf,
    kubeconfig: PathBuf,
    /// Their caches and files.
    folder: TempDir,
}

/// The result of a command.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Pair {
    fn command(&self, program: &Path, name: &str, kubeconfig: &Path, words: &[String]) -> Command {
        let mut command = Command::new(program);
        command.env("HOME", self.folder.path()).env_remove("KUBECONFIG").env("TZ", "UTC");
        command.arg("--kubeconfig").arg(kubeconfig);
        command.arg("--cache-dir").arg(self.folder.path().join(format!("cache-{name}")));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    fn end(mut command: Command) -> Result<Ended> {
        let output = command.output().with_context(|| format!("can't start {command:?}"))?;
        Ok(Ended {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    fn kubectl(&self, words: &[&str]) -> Result<String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let ended = Self::end(self.command(&self.kubectl, "kubectl", &self.kubeconfig, &words))?;
        ensure!(ended.code == Some(0), "kubectl {}: {}", words.join(" "), ended.err);
        Ok(ended.out)
    }

    /// Creates objects to read, and copies to change.
    fn prepare(&self) -> Result<()> {
        for namespace in ["compare", "twin-kubectl", "twin-krs"] {
            if self.kubectl(&["get", "namespace", namespace]).is_err() {
                self.kubectl(&["create", "namespace", namespace])?;
            }
        }
        for (name, text) in commands::FILES {
            std::fs::write(self.folder.path().join(name), text)?;
        }
        let wait = ["wait", "--for=condition=Established", "--timeout=30s", "crd/widgets.compare.example"];
        self.kubectl(&["apply", "--server-side", "-f", "definition.yaml", "-f", "cluster.yaml"])?;
        self.kubectl(&wait)?;
        let all = ["apply", "--server-side", "--force-conflicts", "-n", "compare", "-f", "objects.yaml"];
        self.patiently(&all)?;
        for (name, patch) in commands::STATUSES {
            let words = ["patch", name, "-n", "compare", "--subresource=status", "--type=merge", "-p", patch];
            self.kubectl(&words)?;
        }
        Ok(())
    }

    /// A definition that was just installed may take a moment to be served.
    fn patiently(&self, words: &[&str]) -> Result<()> {
        for _ in 0..20 {
            if self.kubectl(words).is_ok() {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        self.kubectl(words).map(drop)
    }

    /// Objects whose texts would steer a terminal; after all else was read, so that they are in nothing else's way.
    fn prepare_hostile(&self) -> Result<()> {
        // Created and not applied: an apply reads YAML, which has no such characters.
        let create = |file| ["create", "-n", "compare", "-f", file];
        self.kubectl(&create("hostile-definition.yaml"))?;
        self.kubectl(&[
            "wait",
            "--for=condition=Established",
            "--timeout=30s",
            "crd/gadgets.compare.example",
        ])?;
        self.kubectl(&create("hostile.yaml"))?;
        self.patiently(&create("hostile-gadget.yaml"))?;
        // An event belongs to the object of its UID.
        let uid =
            self.kubectl(&["get", "cm", "hostile", "-n", "compare", "-o", "jsonpath={.metadata.uid}"])?;
        let event = self.folder.path().join("hostile-event.yaml");
        let text = std::fs::read_to_string(&event)?.replace("uid: UID", &format!("uid: {uid}"));
        std::fs::write(&event, text)?;
        self.kubectl(&create("hostile-event.yaml"))?;
        // The discovery caches of both are older than the gadgets.
        for name in ["kubectl", "krs"] {
            let _ = std::fs::remove_dir_all(self.folder.path().join(format!("cache-{name}")));
        }
        Ok(())
    }

    fn tidy(&self) -> Result<()> {
        self.kubectl(&["delete", "--wait=false", "namespace", "compare", "twin-kubectl", "twin-krs"])?;
        self.kubectl(&[
            "delete",
            "--wait=false",
            "-f",
            "definition.yaml",
            "-f",
            "hostile-definition.yaml",
            "-f",
            "cluster.yaml",
            "--ignore-not-found",
        ])?;
        Ok(())
    }

    /// Both read the same objects.
    fn compare_read(&self, line: &str) -> Result<()> {
        let words = [vec!["--namespace".to_owned(), "compare".to_owned()], commands::words(line)].concat();
        self.compare(&words, &words, |text, _| text)
    }

    /// Both read objects whose texts contain control characters: krs escapes those that kubectl prints, and nothing
    /// else.
    fn compare_hostile(&self, line: &str) -> Result<()> {
        let words = [vec!["--namespace".to_owned(), "compare".to_owned()], commands::words(line)].concat();
        self.compare(&words, &words, |text, tool| if tool == "kubectl" { spelled_out(&text) } else { text })
    }

    /// Each changes objects of its own.
    fn compare_write(&self, line: &str) -> Result<()> {
        let of = |name: &str| {
            [vec!["--namespace".to_owned(), format!("twin-{name}")], commands::words(line)].concat()
        };
        let neutral = |text: String, name: &str| text.replace(&format!("twin-{name}"), "twin");
        let (kubectl, krs) = (self.one(true, &of("kubectl"))?, self.one(false, &of("krs"))?);
        same(kubectl, krs, neutral)
    }

    /// Each changes a kubeconfig of its own.
    fn compare_config(&self, line: &str) -> Result<()> {
        let mut ends = Vec::new();
        for (program, name) in [(&self.kubectl, "kubectl"), (&self.krs, "krs")] {
            let file = self.folder.path().join(format!("config-{name}"));
            if !file.exists() {
                std::fs::write(&file, commands::KUBECONFIG)?;
            }
            ends.push(Self::end(self.command(program, name, &file, &commands::words(line)))?);
        }
        let (Some(krs), Some(kubectl)) = (ends.pop(), ends.pop()) else {
            bail!("two commands have two ends")
        };
        // kubectl iterates over a Go map here: its order changes from run to run.
        let unordered = line == "config get-clusters";
        same(kubectl, krs, |text, name| {
            let text = text.replace(&format!("config-{name}"), "config");
            if !unordered {
                return text;
            }
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.join("\n")
        })
    }

    fn one(&self, kubectl: bool, words: &[String]) -> Result<Ended> {
        let (program, name) = if kubectl { (&self.kubectl, "kubectl") } else { (&self.krs, "krs") };
        Self::end(self.command(program, name, &self.kubeconfig, words))
    }

    fn compare(&self, kubectl: &[String], krs: &[String], neutral: fn(String, &str) -> String) -> Result<()> {
        let mut last = Ok(());
        for _ in 0..TRIES {
            last = same(self.one(true, kubectl)?, self.one(false, krs)?, neutral);
            if last.is_ok() {
                break;
            }
        }
        last
    }
}

/// Control characters as krs shows them.
fn spelled_out(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\r' => out.push_str("\\r"),
            '\n' | '\t' => out.push(c),
            '\0'..='\x1f' => {
                out.push('^');
                out.extend(char::from_u32(u32::from(c) + 0x40));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn same(kubectl: Ended, krs: Ended, neutral: impl Fn(String, &str) -> String) -> Result<()> {
    let (one, other) = (mask::ages(&neutral(kubectl.out, "kubectl")), mask::ages(&neutral(krs.out, "krs")));
    if one != other {
        let (mut lines, mut others) = (one.lines(), other.lines());
        loop {
            match (lines.next(), others.next()) {
                (None, None) => bail!("they differ in their ends"),
                (one, other) if one != other => {
                    bail!("kubectl: {one:?}\nkrs:     {other:?}\n{}", krs.err.trim())
                }
                _ => {}
            }
        }
    }
    ensure!(
        kubectl.code == krs.code,
        "kubectl ends with {:?} ({}), krs with {:?} ({})",
        kubectl.code,
        kubectl.err.trim(),
        krs.code,
        krs.err.trim()
    );
    Ok(())
}
