//! `krs` as a library: its commands and their output.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod commands;
mod containers;
mod conversation;
mod detach;
mod dry_run;
mod failure;
mod files;
mod global;
mod output;
mod pods;
mod selection;
mod session;
mod stages;
mod streams;
mod terminal;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

pub use global::GlobalArgs;
pub use output::{Output, Printable};
pub use streams::Streams;

/// A Kubernetes command-line tool.
///
/// Runs the demo if no command is given.
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
    /// Apply files to the server with server-side apply
    Apply(commands::apply::Args),
    /// Attach to the main process of a running container
    Attach(commands::attach::Args),
    /// Benchmark an embedded server, an informer and a work queue on this machine
    Bench(commands::bench::Args),
    /// Print a shell completion script
    Completion(commands::completion::Args),
    /// View and modify kubeconfig files
    Config(commands::config::Args),
    /// Copy files and directories to and from containers
    Cp(commands::cp::Args),
    /// Serve the debug page of an operator, with all of its replicas
    Debug(commands::debug::Args),
    /// Delete objects by name, by label selector, or from files
    Delete(commands::delete::Args),
    /// Run a demo of the control loop: a deployment, its pods, informers, work queues and reconcilers
    Demo(commands::demo::Args),
    /// Show details of objects, with related objects and events
    Describe(commands::describe::Args),
    /// Serve the tests of Go projects that use envtest, instead of etcd and kube-apiserver
    Envtest(commands::envtest::Args),
    /// Run a command in a container
    Exec(commands::exec::Args),
    /// Show the fields of a resource with their types and descriptions
    Explain(commands::explain::Args),
    /// Generate Rust types from custom resource definitions
    Generate(commands::generate::Args),
    /// List objects as a table, or in another output format
    Get(commands::get::Args),
    /// Print the logs of containers
    Logs(commands::logs::Args),
    /// Create a new project
    New(commands::new::Args),
    /// Forward one or more local ports to a pod
    PortForward(commands::port_forward::Args),
    /// Write the roles that an operator needs from a run of its tests, or compare them with its manifests
    Rbac(commands::rbac::Args),
    /// Record what the controllers of an operator see and write, into a file
    ///
    /// The file has JSON lines: the objects that the caches have, then each list, event, run, request and response. With --values a test can
    /// replay it (`client_rs::simulation::Replay`). Without, it has keys and versions alone, and can't be replayed.
    ///
    /// The program must permit it: it makes its clients with `Recording::on_request` and serves `/debug/record`. It also decides whether
    /// values may be recorded. Values of Secrets, tokens and the fields that it names are hashes.
    Record(commands::record::Args),
    /// Set the number of replicas of a workload
    Scale(commands::scale::Args),
    /// Run an in-memory API server, and print the path of its kubeconfig
    Serve(commands::serve::Args),
    /// Show a live table of objects, kept up to date by an informer
    Watch(commands::watch::Args),
    /// Explain why a controller reconciled a key, or why it did not
    Why(commands::why::Args),
}

/// Runs the program with its own arguments and standard streams.
pub async fn main() -> ExitCode {
    // Locked for a line each: a pipe that closes early ends the command, as with other tools.
    let (mut out, mut err) = (std::io::BufWriter::new(std::io::stdout()), std::io::stderr());
    let streams = Streams {
        input: Box::new(std::io::stdin()),
        out: Printable::new(&mut out),
        err: Printable::new(&mut err),
        in_is_terminal: std::io::stdin().is_terminal(),
        out_is_terminal: std::io::stdout().is_terminal(),
        err_is_terminal: std::io::stderr().is_terminal(),
    };
    let code = run(std::env::args_os(), streams).await;
    match out.flush() {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Runs `krs` with these arguments, beginning with the program's name, and returns its exit code: 0 on success, 1 on
/// failure, 2 for invalid arguments, or the exit code of the process that it ran in a container.
///
/// A command writes its error to `err` last. Output from before the error is on `out`.
pub async fn run<A>(arguments: impl IntoIterator<Item = A>, mut streams: Streams<'_>) -> u8
where
    A: Into<OsString> + Clone,
{
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let program: Pin<Box<dyn Future<Output = Option<u8>> + '_>> =
        Box::pin(run_program(&arguments, &mut streams));
    if let Some(code) = program.await {
        return code;
    }
    let cli = match Cli::parsed(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render();
            // A failure to print the error cannot be reported anywhere.
            let _ = if error.use_stderr() {
                write!(streams.err, "{text}")
            } else {
                write!(streams.out, "{text}")
            };
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    match cli.boxed(&mut streams).await {
        Ok(()) => 0,
        Err(error) => {
            let _ = failure::tell(&error, &mut streams.err);
            failure::code(&error)
        }
    }
}

/// Runs the program of envtest whose name this one was started with; `None` for `krs` itself and for `kubectl`, whose
/// commands are those of `krs`.
async fn run_program(arguments: &[OsString], streams: &mut Streams<'_>) -> Option<u8> {
    let (program, arguments) = arguments.split_first()?;
    let program = Path::new(program).file_stem()?.to_str()?;
    // Flags that are not UTF-8 are refused by their name.
    let arguments: Vec<String> =
        arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let outcome = match program {
        "etcd" => commands::envtest::etcd::run(&arguments, streams).await,
        "kube-apiserver" => commands::envtest::kube_apiserver::run(&arguments, streams).await,
        _ => return None,
    };
    Some(match outcome {
        Ok(()) => 0,
        Err(error) => {
            let _ = failure::tell(&error, &mut streams.err);
            failure::code(&error)
        }
    })
}

/// Commands that do not use a cluster: their help has no connection arguments.
const WITHOUT_CLUSTER: [&str; 6] = ["bench", "completion", "envtest", "new", "rbac", "serve"];

/// Commands that use a cluster only on request: `--help` has the arguments about one, `-h` has not.
const SELDOM_CLUSTER: [&str; 2] = ["demo", "generate"];

impl Cli {
    /// As `Cli::try_parse_from`, with help that fits each command.
    fn parsed<A>(arguments: impl IntoIterator<Item = A>) -> Result<Self, clap::Error>
    where
        A: Into<OsString> + Clone,
    {
        let mut matches = Self::fitted().try_get_matches_from(arguments)?;
        <Self as clap::FromArgMatches>::from_arg_matches_mut(&mut matches)
    }

    /// The commands, in which those that ask no cluster hide the arguments about one. They still take them, since
    /// `krs --context c serve` takes them too.
    fn fitted() -> clap::Command {
        let all = Self::command();
        let global: Vec<clap::Arg> = all.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
        let hide = |all: clap::Command, name: &&str| {
            all.mut_subcommand(name, |one| one.args(global.iter().map(|arg| arg.clone().hide(true))))
        };
        let all = WITHOUT_CLUSTER.iter().fold(all, hide);
        SELDOM_CLUSTER.iter().fold(all, |all, name| {
            all.mut_subcommand(name, |one| {
                one.args(global.iter().map(|arg| arg.clone().hide_short_help(true)))
            })
        })
    }

    /// The command as a future of no particular type: a future whose type is known is compiled again in every program that
    /// awaits it, and this one is all of the commands.
    fn boxed<'a>(
        &'a self,
        streams: &'a mut Streams<'_>,
    ) -> Pin<Box<dyn Future<Output = anyhow::Result<()>> + 'a>> {
        Box::pin(self.run(streams))
    }

    async fn run(&self, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let global = &self.global;
        match &self.command {
            None => commands::demo::run(global, &commands::demo::Args::default(), streams).await,
            Some(Command::ApiResources(args)) => {
                commands::api_resources::run(global, args, &mut streams.out).await
            }
            Some(Command::ApiVersions(args)) => {
                commands::api_versions::run(global, args, &mut streams.out).await
            }
            Some(Command::Apply(args)) => commands::apply::run(global, args, streams).await,
            Some(Command::Attach(args)) => commands::attach::run(global, args, streams).await,
            Some(Command::Bench(args)) => commands::bench::run(args, streams).await,
            Some(Command::Completion(args)) => {
                commands::completion::run(args, Self::fitted(), streams.out.raw())
            }
            Some(Command::Config(args)) => commands::config::run(global, args, streams),
            Some(Command::Cp(args)) => commands::cp::run(global, args, streams).await,
            Some(Command::Debug(args)) => commands::debug::run(global, args, streams).await,
            Some(Command::Delete(args)) => commands::delete::run(global, args, streams).await,
            Some(Command::Describe(args)) => commands::describe::run(global, args, streams).await,
            Some(Command::Demo(args)) => commands::demo::run(global, args, streams).await,
            Some(Command::Envtest(args)) => commands::envtest::run(args, &mut streams.out),
            Some(Command::Exec(args)) => commands::exec::run(global, args, streams).await,
            Some(Command::Explain(args)) => commands::explain::run(global, args, &mut streams.out).await,
            Some(Command::Generate(args)) => commands::generate::run(global, args, streams.out.raw()).await,
            Some(Command::Get(args)) => commands::get::run(global, args, streams).await,
            Some(Command::Logs(args)) => commands::logs::run(global, args, streams).await,
            Some(Command::New(args)) => commands::new::run(args, &mut streams.out),
            Some(Command::PortForward(args)) => commands::port_forward::run(global, args, streams).await,
            Some(Command::Rbac(args)) => commands::rbac::run(args, &mut streams.out),
            Some(Command::Scale(args)) => commands::scale::run(global, args, streams).await,
            Some(Command::Watch(args)) => commands::watch::run(global, args, streams).await,
            Some(Command::Record(args)) => commands::record::run(global, args, streams).await,
            Some(Command::Why(args)) => commands::why::run(global, args, streams).await,
            Some(Command::Serve(args)) => {
                commands::serve::run(args, &mut streams.out, &mut streams.err).await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        Cli::fitted().debug_assert();
    }

    #[test]
    fn commands_without_a_cluster_have_no_help_about_one() {
        let shown = |words: &[&str], flag: &'static str| {
            let words = ["krs"].iter().chain(words).chain([&flag]);
            Cli::parsed(words).expect_err("help is no command").render().to_string()
        };
        let help = |words: &[&str]| shown(words, "--help");
        for words in [&["new"][..], &["new", "operator"], &["serve"], &["bench"], &["completion"]] {
            let text = help(words);
            assert!(!text.contains("--context") && !text.contains("--cache-dir"), "{words:?}:\n{text}");
        }
        // These take a cluster by choice, or always.
        for (words, short) in [(["demo"], false), (["generate"], false), (["get"], true)] {
            assert!(help(&words).contains("--context"), "{words:?}");
            assert_eq!(shown(&words, "-h").contains("--context"), short, "{words:?}");
        }
        let parsed = Cli::parsed(["krs", "--context", "c", "serve"]).map(|cli| cli.global.kube.context);
        assert_eq!(parsed.ok().flatten().as_deref(), Some("c"));
    }
}
