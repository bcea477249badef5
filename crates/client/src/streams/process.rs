//! A process in a container.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use client_rs_streams::spdy::{Headers, Session};
use client_rs_streams::websocket::{ChannelVersion, Channels, channel};
use client_rs_streams::{Mux, MuxStream, OnDrop, Role};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::fallback::{self, Agreed};
use super::options::{Plan, Wanted};
use super::status::{self, ExitStatus, ProcessError};
use crate::api::Reply;
use crate::{Call, DecodeOptions, Error, Request, RestClient};

/// A process in a container: its streams, its terminal, and its exit status. It is used like `tokio::process::Child`.
///
/// - The requested streams are fields: take them out to read and write concurrently. They share one connection, whose protocol
///   has no flow control per stream: a stream that is kept and not read blocks the others when its buffer is full. The data
///   of a dropped stream is discarded.
/// - [`wait`](Self::wait) returns the exit status. The end of the output alone does not mean that the process has ended: it may
///   have closed its output.
/// - Dropping everything closes the connection. The effect on the process depends on the container runtime: most let it
///   run until it reads or writes.
///
/// ```no_run
/// use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::Api;
///
/// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
/// let mut process = pods.exec("web", ["sort"]).stdin().await?;
/// let (mut stdin, mut stdout) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
/// stdin.write_all(b"b\na\n").await?;
/// stdin.shutdown().await?;
/// let mut sorted = String::new();
/// stdout.read_to_string(&mut sorted).await?;
/// assert_eq!(sorted, "a\nb\n");
/// assert_eq!(process.wait().await?.code(), 0);
/// # Ok(())
/// # }
/// ```
#[must_use = "the connection to the process is closed when this is dropped"]
pub struct RemoteProcess {
    /// The input of the process, if it was requested. `shutdown`, or dropping it, ends the input.
    pub stdin: Option<RemoteStdin>,
    /// The standard output.
    pub stdout: Option<RemoteOutput>,
    /// The standard error. With a terminal, there is none.
    pub stderr: Option<RemoteOutput>,
    /// The size of its terminal, if it has one.
    pub terminal: Option<Terminal>,
    status: MuxStream,
    /// The received part of the exit status.
    message: Vec<u8>,
    ended: Option<ExitStatus>,
    mux: Mux,
    protocol: &'static str,
    call: Call,
}

/// The output of a process, and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit status.
    pub status: ExitStatus,
    /// The standard output.
    pub stdout: Vec<u8>,
    /// The standard error.
    pub stderr: Vec<u8>,
}

impl RemoteProcess {
    /// Waits until the process has ended, and returns its exit status. It can be called again.
    ///
    /// Streams that were not taken out are dropped first: the input ends, and the output is discarded. It is safe to drop the future
    /// and call this again.
    pub async fn wait(&mut self) -> Result<ExitStatus, ProcessError> {
        /// The longest `Status` to read.
        const MOST: usize = 64 * 1024;
        if let Some(status) = self.ended {
            return Ok(status);
        }
        drop((self.stdin.take(), self.stdout.take(), self.stderr.take()));
        while self.message.len() < MOST {
            if self.status.read_buf(&mut self.message).await.map_err(status::stream_error)? == 0 {
                break;
            }
        }
        let status = status::read(&self.message)?;
        self.ended = Some(status);
        Ok(status)
    }

    /// Collects the output, up to 16 MiB of each stream, and the exit status. The input ends, unless it was taken out before.
    pub async fn output(mut self) -> Result<Output, ProcessError> {
        const MOST: usize = 16 * 1024 * 1024;
        drop(self.stdin.take());
        let (stdout, stderr) = (self.stdout.take(), self.stderr.take());
        let (stdout, stderr) = tokio::try_join!(all(stdout, MOST), all(stderr, MOST))?;
        Ok(Output { status: self.wait().await?, stdout, stderr })
    }

    /// The protocol of the connection: `v5.channel.k8s.io` or `v4.channel.k8s.io` over WebSocket, or `SPDY/3.1`.
    pub fn protocol(&self) -> &'static str {
        self.protocol
    }

    /// The request.
    pub fn call(&self) -> &Call {
        &self.call
    }
}

async fn all(output: Option<RemoteOutput>, most: usize) -> Result<Vec<u8>, ProcessError> {
    let mut bytes = Vec::new();
    let Some(output) = output else { return Ok(bytes) };
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    output.take(limit + 1).read_to_end(&mut bytes).await.map_err(status::stream_error)?;
    if bytes.len() > most { Err(ProcessError::TooMuch(most)) } else { Ok(bytes) }
}

impl fmt::Debug for RemoteProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteProcess")
            .field("call", &self.call)
            .field("protocol", &self.protocol)
            .field("connection", &self.mux)
            .finish_non_exhaustive()
    }
}

/// The input of a process. Dropping it, or `shutdown`, ends the input.
///
/// A server that supports only the WebSocket protocol v4, and no SPDY, can't be notified of the end.
#[derive(Debug)]
pub struct RemoteStdin(MuxStream);

/// The output of a process.
#[derive(Debug)]
pub struct RemoteOutput(MuxStream);

impl AsyncWrite for RemoteStdin {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl AsyncRead for RemoteOutput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

/// The size of a terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TerminalSize {
    /// The number of characters per line.
    pub width: u16,
    /// The number of lines.
    pub height: u16,
}

/// The terminal of a process.
#[derive(Debug)]
pub struct Terminal(MuxStream);

impl Terminal {
    /// Sets the size of the terminal. Call it once at the start: until then, the terminal has no size.
    pub async fn resize(&mut self, size: TerminalSize) -> io::Result<()> {
        let TerminalSize { width, height } = size;
        self.0.write_all(format!("{{\"Width\":{width},\"Height\":{height}}}\n").as_bytes()).await?;
        self.0.flush().await
    }
}

const V4: &str = "v4.channel.k8s.io";
const V5: &str = "v5.channel.k8s.io";

pub(crate) fn start(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<RemoteProcess> {
    Box::pin(async move {
        request.check()?;
        // Set by the options of exec and attach.
        let Some(plan) = request.noted::<Plan>().cloned() else {
            return Err(Error::Request(crate::RequestError::Url("it has no options for streams".to_owned())));
        };
        // v4 can't signal the end of the input: if there is an input, SPDY is preferred.
        let mut websocket = vec![V5.to_owned()];
        if !plan.wanted.stdin {
            websocket.push(V4.to_owned());
        }
        let mut agreed = fallback::agree(&rest, request.clone(), &websocket, &[V5, V4]).await;
        if plan.wanted.stdin && agreed.as_ref().is_err_and(fallback::is_refusal) {
            // A connection without the end of the input is better than none.
            agreed = fallback::only_websocket(&rest, request, V4).await.or(agreed);
        }
        match agreed? {
            Agreed::WebSocket(upgraded) => {
                let version = if upgraded.protocol == V4 { ChannelVersion::V4 } else { ChannelVersion::V5 };
                let channels = Channels::new(Role::Client, version);
                let wanted = numbers(plan.wanted);
                let (mux, streams) = Mux::channels(upgraded.io, channels, &wanted, plan.connection);
                let streams = wanted.into_iter().map(u32::from).zip(streams).collect();
                Ok(assemble(mux, streams, version.name(), upgraded.call).ok_or_else(no_status)?)
            }
            Agreed::Spdy(upgraded) => {
                let mux = Mux::spdy(upgraded.io, Session::new(Role::Client), plan.connection);
                let mut streams = Vec::new();
                for number in numbers(plan.wanted) {
                    let headers = Headers::from([("streamType", kind(number))]);
                    let opened = mux.open(&headers).await.map_err(|error| {
                        let error = client_rs_transport::http::TransportError::Other(error.into());
                        Error::Transport { call: upgraded.call.clone(), error, previous: None }
                    });
                    let mut stream = opened?;
                    stream.set_on_drop(OnDrop::Finish);
                    streams.push((u32::from(number), stream));
                }
                Ok(assemble(mux, streams, "SPDY/3.1", upgraded.call).ok_or_else(no_status)?)
            }
        }
    })
}

fn no_status() -> Error {
    Error::Request(crate::RequestError::Url("it has no stream for the exit status".to_owned()))
}

/// The channels of a plan. The one for the exit status is first: a server waits for all of them.
fn numbers(wanted: Wanted) -> Vec<u8> {
    let Wanted { stdin, stdout, stderr, tty } = wanted;
    let all = [
        (channel::ERROR, true),
        (channel::STDIN, stdin),
        (channel::STDOUT, stdout),
        (channel::STDERR, stderr),
        (channel::RESIZE, tty),
    ];
    all.into_iter().filter(|(_, wanted)| *wanted).map(|(number, _)| number).collect()
}

fn kind(number: u8) -> &'static str {
    match number {
        channel::STDIN => "stdin",
        channel::STDOUT => "stdout",
        channel::STDERR => "stderr",
        channel::RESIZE => "resize",
        _ => "error",
    }
}

fn assemble(
    mux: Mux,
    streams: Vec<(u32, MuxStream)>,
    protocol: &'static str,
    call: Call,
) -> Option<RemoteProcess> {
    let mut streams = streams;
    let mut take = |number: u8| {
        let at = streams.iter().position(|(known, _)| *known == u32::from(number))?;
        Some(streams.swap_remove(at).1)
    };
    Some(RemoteProcess {
        status: take(channel::ERROR)?,
        stdin: take(channel::STDIN).map(RemoteStdin),
        stdout: take(channel::STDOUT).map(RemoteOutput),
        stderr: take(channel::STDERR).map(RemoteOutput),
        terminal: take(channel::RESIZE).map(Terminal),
        message: Vec::new(),
        ended: None,
        mux,
        protocol,
        call,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t8_1_04_the_streams_are_those_that_were_requested() {
        let wanted = |stdin, stdout, stderr, tty| Wanted { stdin, stdout, stderr, tty };
        for (plan, expected) in [
            (wanted(false, false, false, false), &[3][..]),
            (wanted(true, true, true, false), &[3, 0, 1, 2]),
            (wanted(true, true, false, true), &[3, 0, 1, 4]),
            (wanted(false, true, false, false), &[3, 1]),
        ] {
            assert_eq!(numbers(plan), expected, "{plan:?}");
        }
    }
}
