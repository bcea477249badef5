//! `cargo xtask schema`: refreshes the committed inputs of the code generator.

#[allow(dead_code, reason = "read by the code generator")]
pub(crate) mod model;

use std::process::ExitCode;

use anyhow::Result;

use crate::workspace::{self, command};

pub(crate) use model::load;

/// Refresh the code generator's inputs from the pinned Go modules and a running server
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> Result<ExitCode> {
    let folder = workspace::root().join("xtask/schema");
    println!("== types, by reflection over the pinned Go modules");
    workspace::run(
        command("go")
            .args(["run", ".", "-out"])
            .arg(folder.join("types"))
            .current_dir(workspace::root().join("hack/schema")),
    )?;
    let schema = load(&folder)?;
    let structs: usize = schema.packages.values().map(|package| package.structs.len()).sum();
    println!("schema: {} packages, {structs} structs", schema.packages.len());
    Ok(ExitCode::SUCCESS)
}
