//! Processes in containers.

use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use client_rs_streams::spdy::Session;
use client_rs_streams::upgrade::Asked;
use client_rs_streams::websocket::{ChannelVersion, Channels, channel};
use client_rs_streams::{Mux, MuxOptions, MuxStream, OnDrop, Role};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::Command;

use super::server::Params;

/// The command to run, and its streams.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a stream of its own, as in the API")]
pub(super) struct Run {
    command: Vec<String>,
    folder: PathBuf,
    stdin: bool,
    stdout: bool,
    stderr: bool,
    tty: bool,
}

impl Run {
    pub(super) fn new(params: &Params, folder: PathBuf, attach: bool) -> Self {
        let flag = |name: &str| {
            params.iter().any(|(key, value)| key == name && matches!(value.as_str(), "1" | "true"))
        };
        let words = params.iter().filter(|(key, _)| key == "command").map(|(_, word)| word.clone());
        let tty = flag("tty");
        // A container's first process prints a greeting, and then echoes its input.
        let first = ["sh", "-c", "echo attached; exec cat"].map(str::to_owned);
        Self {
            command: if attach { first.to_vec() } else { words.collect() },
            folder,
            stdin: flag("input"),
            stdout: flag("output"),
            stderr: flag("error") && !tty,
            tty,
        }
    }

    /// Names and numbers of its streams.
    fn streams(&self) -> Vec<(&'static str, u8)> {
        let all = [
            ("error", channel::ERROR, true),
            ("stdin", channel::STDIN, self.stdin),
            ("stdout", channel::STDOUT, self.stdout),
            ("stderr", channel::STDERR, self.stderr),
            ("resize", channel::RESIZE, self.tty),
        ];
        all.into_iter().filter(|(_, _, wanted)| *wanted).map(|(name, number, _)| (name, number)).collect()
    }
}

pub(super) async fn serve<S>(io: S, asked: Asked, protocol: &str, run: Run)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    // The other side closes after it has read everything. Data in a connection that is closed earlier is lost.
    let linger = Duration::from_secs(30);
    let options = MuxOptions::default().with_linger(linger);
    let wanted = run.streams();
    let mut streams: HashMap<String, MuxStream> = HashMap::new();
    let mux = match asked {
        Asked::WebSocket => {
            let version =
                if protocol == "v5.channel.k8s.io" { ChannelVersion::V5 } else { ChannelVersion::V4 };
            let numbers: Vec<u8> = wanted.iter().map(|(_, number)| *number).collect();
            let channels = Channels::new(Role::Server, version);
            let (mux, made) = Mux::channels(io, channels, &numbers, options);
            streams.extend(wanted.iter().map(|(name, _)| (*name).to_owned()).zip(made));
            mux
        }
        Asked::Spdy => {
            let mux = Mux::spdy(io, Session::new(Role::Server), options);
            while streams.len() < wanted.len() {
                let next = tokio::time::timeout(Duration::from_secs(30), mux.accept()).await;
                let Ok(Some(mut stream)) = next else { return };
                stream.set_on_drop(OnDrop::Finish);
                let kind = stream.headers().get("streamType").unwrap_or_default().to_owned();
                streams.insert(kind, stream);
            }
            mux
        }
    };
    let Some(mut error) = streams.remove("error") else { return };
    let executed = tokio::select! {
        executed = execute(&run, &mut streams) => executed,
        // The client has disconnected, so the process ends.
        _ = mux.ended() => return,
    };
    let status = match executed {
        Ok(status) => of_exit(status),
        Err(why) => json!({"metadata": {}, "status": "Failure", "reason": "InternalError", "code": 500,
            "message": format!("Internal error occurred: error executing command in container: {why}")}),
    };
    let _ = error.write_all(status.to_string().as_bytes()).await;
    let _ = error.shutdown().await;
    drop((streams, error));
    if asked == Asked::Spdy {
        // The protocol has no answer to a goodbye.
        let _ = tokio::time::timeout(linger, mux.ended()).await;
    }
    drop(mux);
}

fn of_exit(status: ExitStatus) -> serde_json::Value {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    if code == 0 {
        return json!({"metadata": {}, "status": "Success"});
    }
    json!({
        "metadata": {}, "status": "Failure", "reason": "NonZeroExitCode",
        "message": format!("command terminated with non-zero exit code: exit status {code}"),
        "details": {"causes": [{"reason": "ExitCode", "message": code.to_string()}]},
    })
}

async fn execute(run: &Run, streams: &mut HashMap<String, MuxStream>) -> std::io::Result<ExitStatus> {
    let (stdin, mut stdout, stderr) =
        (streams.remove("stdin"), streams.remove("stdout"), streams.remove("stderr"));
    let resize = streams.remove("resize");
    if run.command.first().is_some_and(|word| word == "terminal-sizes") {
        return sizes(resize, stdin, stdout).await;
    }
    let Some((program, arguments)) = run.command.split_first() else {
        return Err(std::io::Error::other("no command was given"));
    };
    let pipe = |wanted: bool| if wanted { Stdio::piped() } else { Stdio::null() };
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(&run.folder)
        .stdin(pipe(stdin.is_some()))
        .stdout(pipe(stdout.is_some()))
        .stderr(pipe(stderr.is_some() || run.tty))
        .kill_on_drop(true)
        .spawn()?;
    let (their_stdin, their_stdout, their_stderr) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feeding = tokio::spawn(async move {
        if let (Some(mut from), Some(mut to)) = (stdin, their_stdin) {
            let _ = copy(&mut from, &mut to).await;
            // Unread output is dropped, so that it blocks nobody.
            drop(to);
            let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
        }
    });
    let out = async {
        match (their_stdout, &mut stdout) {
            (Some(mut from), Some(to)) => copy(&mut from, to).await,
            _ => Ok(()),
        }
    };
    let complain = async {
        match (their_stderr, stderr) {
            (Some(mut from), Some(mut to)) => copy(&mut from, &mut to).await,
            _ => Ok(()),
        }
    };
    let (out, complain) = tokio::join!(out, complain);
    feeding.abort();
    if out.is_err() || complain.is_err() {
        // The client is gone.
        let _ = child.start_kill();
    }
    let status = child.wait().await?;
    if let Some(stdout) = &mut stdout {
        let _ = stdout.shutdown().await;
    }
    Ok(status)
}

/// Copies, and sends on what it has at once.
async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
) -> std::io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return to.flush().await;
        }
        to.write_all(&buffer[..length]).await?;
        to.flush().await?;
    }
}

/// Writes down each size of its terminal, until its input ends.
async fn sizes(
    resize: Option<MuxStream>,
    stdin: Option<MuxStream>,
    stdout: Option<MuxStream>,
) -> std::io::Result<ExitStatus> {
    let (Some(resize), Some(mut stdin), Some(mut stdout)) = (resize, stdin, stdout) else {
        return Err(std::io::Error::other("terminal-sizes needs a terminal and both its streams"));
    };
    let mut lines = BufReader::new(resize).lines();
    let mut byte = [0];
    loop {
        tokio::select! {
            line = lines.next_line() => {
                let Some(line) = line? else { break };
                let size: serde_json::Value = serde_json::from_str(&line)?;
                let text = format!("{}x{}\r\n", size["Width"], size["Height"]);
                stdout.write_all(text.as_bytes()).await?;
                stdout.flush().await?;
            }
            read = stdin.read(&mut byte) => {
                if read? == 0 {
                    break;
                }
            }
        }
    }
    stdout.shutdown().await?;
    Ok(ExitStatus::default())
}
