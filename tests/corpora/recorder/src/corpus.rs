//! Helpers that the corpora share: the server to query, and responses to keep or compare.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{Cluster, Options, Probe};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use client_rs_tests_tools::workspace;

/// Whom to ask, and what to do with the answers.
#[derive(clap::Args)]
pub(crate) struct How {
    /// Change nothing; fail where the real server answers otherwise than recorded
    #[arg(long)]
    pub(crate) check: bool,
    /// A server to ask instead of one of its own: without controllers that write, and with none of the corpus' objects
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
}

/// The controllers that must run for requests to be served; the others would write to the objects of the corpus.
const CONTROLLERS: &str = "--controllers=serviceaccount-controller,namespace-controller";

/// A server whose controllers leave the objects of a corpus alone.
pub(crate) fn still() -> Options {
    Options::default().with_controller_manager_args(vec![CONTROLLERS.to_owned()])
}

impl How {
    /// The server, and a way to ask it. It ends when dropped, if it was started here.
    pub(crate) fn server(&self, options: Options) -> Result<(Cluster, Probe)> {
        let cluster = match &self.kubeconfig {
            Some(kubeconfig) => Cluster::existing(kubeconfig, options)?,
            None => Cluster::start(options)?,
        };
        let probe = Probe::new(cluster.access())?;
        Ok((cluster, probe))
    }

    /// Keeps an answer, or holds it against the one that was kept.
    pub(crate) fn keep(&self, what: &str, kept: &mut Option<Value>, answer: Value) -> Result<()> {
        let same = kept.as_ref() == Some(&answer);
        ensure!(!self.check || same, "{what} is answered otherwise: {answer}");
        *kept = Some(answer);
        Ok(())
    }
}

/// Where the corpora are.
pub(crate) fn folder() -> PathBuf {
    workspace::root().join("tests/corpora")
}

/// A corpus that is one document, and where it is.
pub(crate) fn read<T: DeserializeOwned>(name: &str) -> Result<(PathBuf, T)> {
    let path = folder().join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let corpus =
        serde_json::from_str(&text).with_context(|| format!("{} is not a corpus", path.display()))?;
    Ok((path, corpus))
}

/// The lines of a corpus after its head, and where it is.
pub(crate) fn lines(name: &str) -> Result<(PathBuf, Vec<String>)> {
    let path = folder().join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    Ok((path, text.lines().skip(1).map(str::to_owned).collect()))
}

/// Returns the origin of a corpus: its first line, or the first entry of a document.
pub(crate) fn head(name: &str, from: &str, line: Option<&str>) -> String {
    let line = line.map(|line| format!(",\"line\":{}", json!(line))).unwrap_or_default();
    let (by, from) = (json!(format!("cargo xtask record {name}")), json!(from));
    format!("{{\"recorded\":{{\"by\":{by},\"from\":{from}{line}}}}}")
}

/// The beginning of a corpus that is one document.
pub(crate) fn document(name: &str, from: &str) -> String {
    let head = head(name, from, None);
    format!("{},\n", &head[..head.len() - 1])
}

/// Returns the version of a real server.
pub(crate) fn server_version(probe: &Probe) -> Result<String> {
    let version: Value = serde_json::from_str(&probe.get("/version")?.body)?;
    Ok(format!("kube-apiserver {}", version["gitVersion"].as_str().context("no version")?))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corpus_names_its_recorder() {
        let mut found = 0;
        for entry in std::fs::read_dir(folder()).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let Some((name, ending)) = name.split_once('.').filter(|(_, ending)| ending.starts_with("json"))
            else {
                continue;
            };
            found += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            let head: Value = match ending {
                "jsonl" => serde_json::from_str(text.lines().next().unwrap()).unwrap(),
                _ => serde_json::from_str(&text).unwrap(),
            };
            let recorded = &head["recorded"];
            let from = recorded["from"].as_str().unwrap_or_else(|| panic!("{} has no head", path.display()));
            assert_eq!(recorded["by"], format!("cargo xtask record {name}"));
            let first = text.lines().next().unwrap();
            let expected = match ending {
                "jsonl" => head_with(name, from, recorded),
                _ => document(name, from).trim_end().to_owned(),
            };
            assert_eq!(first, expected);
        }
        assert!(found >= 12, "{found}");
    }

    fn head_with(name: &str, from: &str, recorded: &Value) -> String {
        head(name, from, recorded["line"].as_str())
    }
}
