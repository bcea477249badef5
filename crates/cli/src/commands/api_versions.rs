//! `krs api-versions`

use std::io::Write;

use anyhow::{Context, Result};

use crate::GlobalArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) async fn run(global: &GlobalArgs, _: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let discovery = global.discovery()?;
    // Always the current response of the server, not a cache.
    discovery.invalidate();
    let groups = discovery.groups().await.context("couldn't get available api versions from server")?;
    let mut versions: Vec<&str> = groups.versions().map(client_rs_machinery::Str::as_str).collect();
    versions.sort_unstable();
    for version in versions {
        writeln!(out, "{version}")?;
    }
    Ok(())
}
