//! A process in a container, with the streams of this one.

use std::io::{Read, Write};

use anyhow::{Result, anyhow};
use bytes::Bytes;
use client_rs_client::streams::{
    ProcessError, RemoteOutput, RemoteProcess, RemoteStdin, Terminal, TerminalSize,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::Streams;
use crate::detach::DetachKeys;
use crate::failure::Exit;
use crate::terminal::{self, Resizes, TerminalGuard};

/// The size of the read buffer.
const CHUNK: usize = 64 * 1024;
/// Chunks of input that wait to be sent.
const WAITING_CHUNKS: usize = 4;

/// The streams that are passed to a process in a container.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct StreamArgs {
    /// Pass standard input to the container
    #[arg(long, short = 'i', action = clap::ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    pub(crate) stdin: bool,
    /// Allocate a TTY; standard input must be a terminal
    #[arg(long, short = 't', action = clap::ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    pub(crate) tty: bool,
    /// Print only the output of the container
    #[arg(long, short = 'q', action = clap::ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    pub(crate) quiet: bool,
}

impl StreamArgs {
    /// Should there be a terminal? Prints a warning if one is requested and not possible.
    pub(crate) fn raw(self, streams: &mut Streams<'_>) -> Result<bool> {
        if !self.stdin || !self.tty {
            return Ok(false);
        }
        let can = streams.in_is_terminal && terminal::RAW;
        if !can && !self.quiet {
            writeln!(streams.err, "Unable to use a TTY - input is not a terminal or the right kind of file")?;
        }
        Ok(can)
    }
}

/// How a process in a container is talked to.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// Does it get our input?
    pub(crate) stdin: bool,
    /// Does it get our terminal?
    pub(crate) raw: bool,
    /// Sizes that are sent to its terminal before the actual one.
    pub(crate) first_sizes: Vec<TerminalSize>,
    /// Keys that end the conversation and not the process.
    pub(crate) detach: Option<DetachKeys>,
}

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With the process, and its code.
    Exited(u8),
    /// The user has detached; the process continues.
    Detached,
}

impl Conversation {
    /// Starts the process and talks to it until one of both ends it. It always restores the terminal.
    pub(crate) async fn hold(
        self,
        start: impl Future<Output = Result<RemoteProcess, client_rs_client::Error>>,
        streams: &mut Streams<'_>,
    ) -> Result<Ended> {
        if !(self.stdin && streams.in_is_terminal) {
            return self.talk(start, streams).await;
        }
        let mut guard = TerminalGuard::take(self.raw)?;
        tokio::select! {
            ended = self.talk(start, streams) => ended,
            () = guard.interrupted() => Err(Exit::interrupted()),
        }
    }

    async fn talk(
        self,
        start: impl Future<Output = Result<RemoteProcess, client_rs_client::Error>>,
        streams: &mut Streams<'_>,
    ) -> Result<Ended> {
        // Before the first size is sent, so that no change is missed.
        let resizes = self.raw.then(Resizes::new).transpose()?;
        let mut process = start.await?;
        // Each returns whether the user has detached. They are aborted when this is dropped.
        let mut tasks = JoinSet::new();
        if let (Some(terminal), Some(resizes)) = (process.terminal.take(), resizes) {
            tasks.spawn(resize(terminal, self.first_sizes, resizes));
        }
        if let Some(stdin) = process.stdin.take().filter(|_| self.stdin) {
            tasks.spawn(feed(read(streams.take_input())?, stdin, self.detach));
        }
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let listening = async {
            tokio::try_join!(copy(stdout, streams.out.raw()), copy(stderr, streams.err.raw()))?;
            match process.wait().await {
                Ok(status) => Ok(Ended::Exited(status.code())),
                // The node's message, unchanged.
                Err(ProcessError::Failed(error)) => Err(anyhow!("{}", error.message())),
                Err(error) => Err(error.into()),
            }
        };
        let left = async {
            while let Some(done) = tasks.join_next().await {
                if matches!(done, Ok(true)) {
                    return;
                }
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            ended = listening => ended,
            () = left => Ok(Ended::Detached),
        }
    }
}

/// Reads on a thread of its own, which ends with its input or with the process: a read of a terminal can't be called off,
/// and nobody must wait for it.
fn read(mut input: Box<dyn Read + Send>) -> std::io::Result<mpsc::Receiver<Bytes>> {
    let (sender, chunks) = mpsc::channel(WAITING_CHUNKS);
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match input.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // A failed input ends the input of the process.
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    if sender.blocking_send(Bytes::copy_from_slice(&buffer[..length])).is_err() {
                        return;
                    }
                }
            }
        }
    })?;
    Ok(chunks)
}

/// Passes input on, to its end or to the keys that mean one.
async fn feed(
    mut chunks: mpsc::Receiver<Bytes>,
    mut stdin: RemoteStdin,
    mut keys: Option<DetachKeys>,
) -> bool {
    while let Some(chunk) = chunks.recv().await {
        let (chunk, left) = match &mut keys {
            None => (chunk, false),
            Some(keys) => {
                let (passed, left) = keys.pass(&chunk);
                (passed.into(), left)
            }
        };
        // A process that no longer reads reports its own exit status.
        if stdin.write_all(&chunk).await.is_err() || stdin.flush().await.is_err() {
            return false;
        }
        if left {
            return true;
        }
    }
    let _ = stdin.shutdown().await;
    false
}

/// Tells the process of the size of its terminal, now and whenever it changes.
async fn resize(mut terminal: Terminal, first: Vec<TerminalSize>, mut resizes: Resizes) -> bool {
    for size in first.into_iter().chain(terminal::size()) {
        if terminal.resize(size).await.is_err() {
            return false;
        }
    }
    while let Some(size) = resizes.next().await {
        if terminal.resize(size).await.is_err() {
            return false;
        }
    }
    false
}

/// Copies the stream as it arrives.
async fn copy(from: Option<RemoteOutput>, to: &mut (dyn Write + Send)) -> Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    let mut buffer = vec![0; CHUNK];
    loop {
        // The other side's errors are not those of our own output.
        let length = from.read(&mut buffer).await.map_err(|error| anyhow!("{error}"))?;
        if length == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..length])?;
        to.flush()?;
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        streams: StreamArgs,
        word: Option<String>,
    }

    fn args(words: &[&str]) -> Cli {
        Cli::try_parse_from([&["x"], words].concat()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn flags_are_given_as_kubectl_takes_them() {
        for (words, expected) in [
            (&["word"][..], (false, false, false)),
            (&["-it", "word"], (true, true, false)),
            (&["-i", "-t", "word"], (true, true, false)),
            (&["word", "-tiq"], (true, true, true)),
            (&["--stdin", "--tty=false", "word"], (true, false, false)),
            (&["--stdin=true", "-t=true", "-q=false", "word"], (true, true, false)),
        ] {
            let Cli { streams, word } = args(words);
            assert_eq!((streams.stdin, streams.tty, streams.quiet), expected, "{words:?}");
            assert_eq!(word.as_deref(), Some("word"), "{words:?}");
        }
    }

    #[test]
    fn a_missing_terminal_is_reported_if_one_was_requested() {
        for (words, terminal, expected) in [
            (&["-it"][..], false, (false, true)),
            (&["-itq"], false, (false, false)),
            (&["-it"], true, (true, false)),
            (&["-t"], true, (false, false)),
            (&["-i"], true, (false, false)),
        ] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut streams = Streams::plain(&mut out, &mut err);
            streams.in_is_terminal = terminal;
            let raw = args(words).streams.raw(&mut streams).unwrap();
            let warned = err.starts_with(b"Unable to use a TTY - input is not a terminal");
            assert_eq!((raw, warned), expected, "{words:?}");
        }
    }

    #[tokio::test]
    async fn input_is_read_to_its_end() {
        let mut chunks = read(Box::new(&b"all of it"[..])).unwrap();
        assert_eq!(chunks.recv().await.as_deref(), Some(&b"all of it"[..]));
        assert_eq!(chunks.recv().await, None);
    }
}
