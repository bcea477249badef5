//! `krs`, as a library: what its commands do, and write.

mod commands;
mod global;
mod table;
mod yaml;

use std::ffi::OsString;
use std::io::Write;

use clap::{Parser, Subcommand};

pub use global::GlobalArgs;

/// A Kubernetes command-line tool.
///
/// Without a command: the demo.
#[derive(Debug, Parser)]
#[command(name = "krs", version)]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the API resources that the server supports
    ApiResources(commands::api_resources::Args),
    /// Print the API versions that the server supports, as group/version
    ApiVersions(commands::api_versions::Args),
    /// Show the control loop: a deployment, its pods, and what informers, queues and reconcilers do about them
    Demo(commands::demo::Args),
    /// Write readable Rust types from custom resource definitions
    Generate(commands::generate::Args),
    /// Begin a project
    New(commands::new::Args),
    /// Run an API server in memory, and print the path of a kubeconfig for it
    Serve(commands::serve::Args),
}

/// Runs `krs` with these arguments, the program's name first, and gives its exit code: 0, 1 for what failed, 2 for
/// arguments that make no sense.
///
/// What a command failed of is the last line on `err`; what it had found by then is on `out`.
pub async fn run<A>(
    arguments: impl IntoIterator<Item = A>,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> u8
where
    A: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render();
            // If that fails, nobody is left to tell.
            let _ = if error.use_stderr() { write!(err, "{text}") } else { write!(out, "{text}") };
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let outcome = match &cli.command {
        None => commands::demo::run(&cli.global, &commands::demo::Args::default(), out).await,
        Some(Command::ApiResources(args)) => commands::api_resources::run(&cli.global, args, out).await,
        Some(Command::ApiVersions(args)) => commands::api_versions::run(&cli.global, args, out).await,
        Some(Command::Demo(args)) => commands::demo::run(&cli.global, args, out).await,
        Some(Command::Generate(args)) => commands::generate::run(&cli.global, args, out).await,
        Some(Command::New(args)) => commands::new::run(args, out),
        Some(Command::Serve(args)) => commands::serve::run(args, out, err).await,
    };
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            let _ = writeln!(err, "error: {error:#}");
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
