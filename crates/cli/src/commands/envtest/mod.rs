//! `krs envtest`, and the programs of envtest: this program under other names.

mod assets;
pub(crate) mod etcd;
mod feature_gates;
mod flags;
pub(crate) mod kube_apiserver;
mod static_tokens;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Command {
    /// Print the shell command that sets `KUBEBUILDER_ASSETS`: eval "$(krs envtest env)"
    Env,
    /// Print the folder with etcd, kube-apiserver and kubectl
    Path,
}

pub(crate) fn run(args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let folder = assets::create()?;
    match args.command {
        Command::Env => writeln!(out, "export KUBEBUILDER_ASSETS={}", quoted(&folder)?)?,
        Command::Path => writeln!(out, "{}", folder.display())?,
    }
    Ok(())
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().context("the path of the cache folder is not UTF-8")?;
    Ok(format!("'{}'", text.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        assert_eq!(quoted(Path::new("/home/it's me")).unwrap(), "'/home/it'\\''s me'");
    }
}
