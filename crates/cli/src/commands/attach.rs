//! `krs attach`

use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::Api;
use client_rs_client::streams::{AttachOptions, TerminalSize};

use crate::arguments::patience;
use crate::containers::{Container, Role};
use crate::conversation::{Conversation, Ended, StreamArgs};
use crate::detach::DetachKeys;
use crate::failure::Exit;
use crate::pods::{self, For};
use crate::session::Session;
use crate::{GlobalArgs, Streams, containers, terminal};

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The pod to attach to: POD, or TYPE/NAME or TYPE NAME of a workload or service
    #[arg(value_name = "POD|TYPE/NAME")]
    words: Vec<String>,
    /// The container name [default: the value of the annotation kubectl.kubernetes.io/default-container, or the first
    /// container]
    #[arg(long, short = 'c', value_name = "NAME")]
    container: Option<String>,
    /// How long to wait until a pod is running
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "1m")]
    pod_running_timeout: Duration,
    /// The key sequence that detaches from the container
    #[arg(long, value_parser = DetachKeys::parse, value_name = "KEYS", default_value = "ctrl-p,ctrl-q")]
    detach_keys: DetachKeys,
    #[command(flatten)]
    streams: StreamArgs,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let word = args.word()?;
    let session = Session::open(global)?;
    let object = pods::object(&session, &word).await?;
    let found = pods::of(&session, &object, For::Work, args.pod_running_timeout, "attach to").await?;
    let Some(pod) = found.first() else { bail!("no pod was found") };
    let phase = &pod.status.phase;
    if matches!(phase.as_str(), "Succeeded" | "Failed") {
        bail!("cannot attach a container in a completed pod; current phase is {phase}");
    }
    let quiet = args.streams.quiet;
    let container = containers::choose(pod, args.container.as_deref(), quiet, &mut streams.err)
        .context("cannot attach to the container")?;
    let raw = args.terminal(&container, streams)?;
    if !quiet {
        writeln!(
            streams.err,
            "All commands and output from this session will be recorded in container logs, including credentials and \
             sensitive information passed through the command prompt.\n\
             If you don't see a command prompt, try pressing enter."
        )?;
    }
    let options = AttachOptions::default()
        .with_container(container.name.clone())
        .with_stdin(args.streams.stdin)
        .with_stderr(!raw)
        .with_tty(raw);
    let api = Api::<Pod>::namespaced(session.client.rest(), pod.metadata.namespace.clone());
    let start = api.attach(&pod.metadata.name).options(options);
    let conversation = Conversation {
        stdin: args.streams.stdin,
        raw,
        first_sizes: raw.then(terminal::size).flatten().map(larger).into_iter().collect(),
        detach: raw.then(|| args.detach_keys.clone()),
    };
    if let Ended::Exited(code) = conversation.hold(start.into_future(), streams).await? {
        Exit::of_process(code)?;
    }
    if raw && !quiet {
        writeln!(streams.out, "{}", farewell(pod, &container))?;
    }
    Ok(())
}

impl Args {
    fn word(&self) -> Result<String> {
        match self.words.as_slice() {
            [] => bail!("at least 1 argument is required for attach"),
            [word] => Ok(word.clone()),
            [kind, name] => Ok(format!("{kind}/{name}")),
            words => bail!(
                "expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw {}: [{}]",
                words.len(),
                words.join(" ")
            ),
        }
    }

    /// Is there to be a terminal? A container has one, or it has not.
    fn terminal(&self, container: &Container, streams: &mut Streams<'_>) -> Result<bool> {
        if self.streams.tty && !container.tty && !self.streams.quiet {
            writeln!(
                streams.err,
                "error: Unable to use a TTY - container {} did not allocate one",
                container.name
            )?;
        }
        StreamArgs { tty: container.tty, ..self.streams }.raw(streams)
    }
}

/// A size that changes right away makes the process redraw its screen.
fn larger(size: TerminalSize) -> TerminalSize {
    TerminalSize { width: size.width.saturating_add(1), height: size.height.saturating_add(1) }
}

fn farewell(pod: &Pod, container: &Container) -> String {
    let again =
        format!("krs attach {} -c {} -n {} -i -t", pod.metadata.name, container.name, pod.metadata.namespace);
    match container.role {
        Role::Ephemeral => format!(
            "Session ended, the ephemeral container will not be restarted but may be reattached using '{again}' if it is \
             still running"
        ),
        Role::Init | Role::Own => format!("Session ended, resume using '{again}' command"),
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
    fn a_container_is_named_in_one_word_or_two() {
        assert_eq!(args(&["web"]).word().unwrap(), "web");
        assert_eq!(args(&["deploy/web", "-it"]).word().unwrap(), "deploy/web");
        assert_eq!(args(&["deploy", "web"]).word().unwrap(), "deploy/web");
        assert!(args(&[]).word().unwrap_err().to_string().contains("at least 1 argument"));
        assert!(args(&["a", "b", "c"]).word().unwrap_err().to_string().contains("saw 3: [a b c]"));
        assert!(try_parsed::<Args>(&["web", "--detach-keys=f1"]).is_err());
    }

    #[test]
    fn a_terminal_is_what_the_container_has() {
        let container = |tty| Container { name: "app".into(), tty, role: Role::Own };
        for (words, tty, expected, said) in [
            (&["web", "-it"][..], true, true, ""),
            (&["web", "-i"], true, true, ""),
            (
                &["web", "-it"],
                false,
                false,
                "error: Unable to use a TTY - container app did not allocate one\n",
            ),
            (&["web", "-itq"], false, false, ""),
            (&["web"], true, false, ""),
        ] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut streams = Streams::plain(&mut out, &mut err);
            streams.in_is_terminal = true;
            let raw = args(words).terminal(&container(tty), &mut streams).unwrap();
            assert_eq!((raw, String::from_utf8(err).unwrap().as_str()), (expected, said), "{words:?} {tty}");
        }
    }

    #[test]
    fn detaching_prints_the_command_to_attach_again() {
        let mut pod = Pod::EMPTY;
        (pod.metadata.name, pod.metadata.namespace) = ("web".into(), "n".into());
        let of = |role| farewell(&pod, &Container { name: "app".into(), tty: true, role });
        assert_eq!(of(Role::Own), "Session ended, resume using 'krs attach web -c app -n n -i -t' command");
        assert!(of(Role::Ephemeral).contains("may be reattached using 'krs attach web -c app -n n -i -t'"));
    }
}
