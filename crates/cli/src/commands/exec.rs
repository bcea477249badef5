//! `krs exec`

use std::time::Duration;

use anyhow::{Result, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::Api;
use client_rs_client::streams::ExecOptions;
use client_rs_machinery::Unstructured;

use crate::arguments::patience;
use crate::conversation::{Conversation, Ended, StreamArgs};
use crate::failure::Exit;
use crate::files::FileArgs;
use crate::pods::{self, For};
use crate::session::Session;
use crate::{GlobalArgs, Streams, containers};

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
#[command(override_usage = "krs exec (POD | TYPE/NAME) [-c CONTAINER] [OPTIONS] -- COMMAND [ARGS]...")]
pub(crate) struct Args {
    /// The pod: POD, or TYPE/NAME of a workload or service
    #[arg(value_name = "POD|TYPE/NAME")]
    target: Option<String>,
    /// The command in kubectl's old syntax, without `--`.
    #[arg(hide = true)]
    misplaced: Vec<String>,
    /// A file with the object to use
    #[arg(long = "filename", short = 'f', value_name = "FILE", value_delimiter = ',')]
    filenames: Vec<String>,
    /// The container name [default: the value of the annotation kubectl.kubernetes.io/default-container, or the first
    /// container]
    #[arg(long, short = 'c', value_name = "NAME")]
    container: Option<String>,
    /// How long to wait until a pod is running
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "1m")]
    pod_running_timeout: Duration,
    #[command(flatten)]
    streams: StreamArgs,
    /// The command and its arguments; it does not run in a shell
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    args.validate()?;
    let session = Session::open(global)?;
    let object = args.object(&session).await?;
    let found = pods::of(&session, &object, For::Work, args.pod_running_timeout, "exec into").await?;
    let Some(pod) = found.first() else { bail!("no pod was found") };
    check_phase(pod)?;
    let container =
        containers::choose(pod, args.container.as_deref(), args.streams.quiet, &mut streams.err)?.name;
    let raw = args.streams.raw(streams)?;
    let options = ExecOptions::default()
        .with_container(container)
        .with_stdin(args.streams.stdin)
        .with_stderr(!raw)
        .with_tty(raw);
    let api = Api::<Pod>::namespaced(session.client.rest(), pod.metadata.namespace.clone());
    let start = api.exec(&pod.metadata.name, &args.command).options(options);
    let conversation = Conversation { stdin: args.streams.stdin, raw, ..Conversation::default() };
    match conversation.hold(start.into_future(), streams).await? {
        Ended::Exited(code) => Exit::of_process(code),
        Ended::Detached => Ok(()),
    }
}

/// Nothing runs in a pod that has ended.
pub(crate) fn check_phase(pod: &Pod) -> Result<()> {
    let phase = &pod.status.phase;
    if matches!(phase.as_str(), "Succeeded" | "Failed") {
        bail!("cannot exec into a container in a completed pod; current phase is {phase}");
    }
    Ok(())
}

impl Args {
    fn validate(&self) -> Result<()> {
        if !self.misplaced.is_empty() {
            bail!("exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead");
        }
        match (&self.target, self.filenames.as_slice()) {
            (None, []) => bail!("pod, type/name or --filename must be specified"),
            (Some(_), [_, ..]) => bail!("cannot exec into multiple objects at a time"),
            _ => {}
        }
        if self.command.is_empty() {
            bail!("you must specify at least one command for the container");
        }
        Ok(())
    }

    /// The object that is named, as the server has it.
    async fn object(&self, session: &Session) -> Result<Unstructured> {
        if let Some(target) = &self.target {
            return pods::object(session, target).await;
        }
        let files = FileArgs { filenames: self.filenames.clone(), recursive: false };
        let manifests = files.read()?;
        let [manifest] = manifests.as_slice() else {
            bail!("cannot exec into multiple objects at a time");
        };
        let mapping = session.mapping_of(&manifest.object).await?;
        let namespace = session.namespace_for(&manifest.object)?;
        Ok(session.api(&mapping, &namespace).get(manifest.object.name()).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::parsed::{parsed, try_parsed};

    fn args(words: &[&str]) -> Args {
        parsed(words)
    }

    #[test]
    fn a_command_stands_behind_two_dashes() {
        let parsed = args(&["web", "-it", "-c", "app", "--", "ls", "-l", "--", "-c"]);
        assert_eq!(parsed.target.as_deref(), Some("web"));
        assert_eq!(parsed.command, ["ls", "-l", "--", "-c"]);
        assert_eq!(parsed.container.as_deref(), Some("app"));
        assert_eq!(parsed.pod_running_timeout, Duration::from_mins(1));
        assert!(parsed.validate().is_ok() && parsed.streams.stdin && parsed.streams.tty);
        assert!(args(&["-f", "pod.yaml", "--", "date"]).validate().is_ok());
        for (words, expected) in [
            (&["web"][..], "at least one command"),
            (&["--", "ls"], "pod, type/name or --filename"),
            (&["web", "ls"], "is not supported anymore"),
            (&["web", "-f", "x", "--", "ls"], "multiple objects"),
        ] {
            let error = args(words).validate().unwrap_err().to_string();
            assert!(error.contains(expected), "{words:?}: {error}");
        }
        assert!(try_parsed::<Args>(&["web", "--pod-running-timeout=0s", "--", "ls"]).is_err());
    }
}
