//! What the corpora have in common: the server that is asked, and answers that are kept or compared.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{Cluster, Options, Probe};
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    Options { controller_manager_args: vec![CONTROLLERS.to_owned()], ..Options::default() }
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

/// A corpus, and where it is.
pub(crate) fn read<T: DeserializeOwned>(file: &str) -> Result<(PathBuf, T)> {
    let path = workspace::root().join("tests/corpora").join(file);
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    Ok((path, serde_json::from_str(&text).context("the corpus is none")?))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}
