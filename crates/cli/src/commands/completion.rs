//! `krs completion`

use std::io::Write;

use anyhow::Result;
use clap_complete::Shell;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell; for example: source <(krs completion bash)
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut command: clap::Command, out: &mut (dyn Write + Send)) -> Result<()> {
    // It does not report write errors; writing to memory never fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "krs", &mut script);
    Ok(out.write_all(&script)?)
}
