//! Sends a file through a client, and measures it from outside.
//!
//! The clock starts when the far end is connected, so that the start of a process does not count, and stops with the
//! last byte. The receiver compares the bytes with the file.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde_json::json;

use crate::usage;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(long)]
    via: Via,
    #[arg(long)]
    way: Way,
    /// The file that is sent; the far end has it too
    #[arg(long)]
    source: PathBuf,
    /// The client: this program, or kubectl
    #[arg(long)]
    program: PathBuf,
    #[arg(long)]
    kubeconfig: PathBuf,
    #[arg(long)]
    namespace: String,
    #[arg(long)]
    pod: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Via {
    Exec,
    Forward,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// To the pod
    In,
    /// From it
    Out,
}

/// The size of reads and writes.
const CHUNK: usize = 64 * 1024;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let began = Instant::now();
    let (ready, wall) = match args.via {
        Via::Exec => exec(args, began)?,
        Via::Forward => forward(args, began)?,
    };
    let used = usage::children();
    println!(
        "{}",
        json!({
            "bytes": std::fs::metadata(&args.source)?.len(),
            "ready_ms": ready.as_secs_f64() * 1e3,
            "wall_ms": wall.as_secs_f64() * 1e3,
            "cpu_ms": used.cpu.as_secs_f64() * 1e3,
            "peak_mb": used.peak_mb,
        })
    );
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn client(&self, command: &str) -> Command {
        let mut client = Command::new(&self.program);
        client.arg(command).arg("--kubeconfig").arg(&self.kubeconfig);
        client.args(["--namespace", &self.namespace]).stdout(Stdio::piped());
        client
    }
}

fn exec(args: &Args, began: Instant) -> Result<(Duration, Duration)> {
    let source = args.source.display();
    let script = match args.way {
        Way::In => format!("echo ready; exec cmp - {source}"),
        Way::Out => format!("echo ready; read go; exec cat {source}"),
    };
    let mut client = args.client("exec");
    client.args(["-i", &args.pod, "--", "sh", "-c", &script]).stdin(Stdio::piped());
    let mut child = Running(client.spawn().context("can't start the client")?);
    let mut stdin = child.0.stdin.take().context("no input")?;
    // Unbuffered: what follows the first line is for another reader.
    let mut stdout = child.0.stdout.take().context("no output")?;
    let mut line = [0; 6];
    stdout.read_exact(&mut line)?;
    ensure!(&line == b"ready\n", "the command said {line:?}");
    let start = Instant::now();
    match args.way {
        Way::In => {
            send(args, &mut stdin)?;
            drop(stdin);
            let mut complaint = String::new();
            stdout.read_to_string(&mut complaint)?;
            ensure!(complaint.is_empty(), "{complaint}");
        }
        Way::Out => {
            stdin.write_all(b"go\n")?;
            drop(stdin);
            compare(args, &mut stdout)?;
        }
    }
    let wall = start.elapsed();
    let status = child.0.wait()?;
    ensure!(status.success(), "the client ended with {status}");
    Ok((start - began, wall))
}

fn forward(args: &Args, began: Instant) -> Result<(Duration, Duration)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let mut client = args.client("port-forward");
    client.args([&args.pod, &format!(":{port}")]).stdin(Stdio::null());
    let mut child = Running(client.spawn().context("can't start the client")?);
    let mut lines = BufReader::new(child.0.stdout.take().context("no output")?).lines();
    let line = lines.next().context("the process printed nothing")??;
    let local = line.strip_prefix("Forwarding from 127.0.0.1:").and_then(|rest| rest.split(' ').next());
    let local: u16 = local.and_then(|port| port.parse().ok()).with_context(|| format!("it says {line:?}"))?;
    // kubectl prints every connection, and must not block on a full pipe.
    std::thread::spawn(move || lines.count());
    let near = TcpStream::connect((Ipv4Addr::LOCALHOST, local))?;
    let (far, _) = listener.accept()?;
    let (mut from, mut to) = if args.way == Way::In { (near, far) } else { (far, near) };
    let start = Instant::now();
    let wall = std::thread::scope(|scope| {
        let sending = scope.spawn(|| {
            send(args, &mut from)?;
            Ok::<_, anyhow::Error>(from.shutdown(Shutdown::Write)?)
        });
        compare(args, &mut to)?;
        let wall = start.elapsed();
        sending.join().map_err(|_| anyhow::anyhow!("the sender panicked"))??;
        Ok::<_, anyhow::Error>(wall)
    })?;
    child.0.kill()?;
    child.0.wait()?;
    Ok((start - began, wall))
}

fn send(args: &Args, to: &mut impl Write) -> Result<()> {
    let (mut source, mut chunk) = (File::open(&args.source)?, vec![0; CHUNK]);
    loop {
        let length = source.read(&mut chunk)?;
        if length == 0 {
            return Ok(());
        }
        to.write_all(&chunk[..length])?;
    }
}

/// Reads to the end; an error if it is not the file, byte by byte.
fn compare(args: &Args, from: &mut impl Read) -> Result<()> {
    let (mut source, mut got, mut expected) = (File::open(&args.source)?, vec![0; CHUNK], vec![0; CHUNK]);
    let mut at = 0;
    loop {
        let length = match from.read(&mut got) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        if length == 0 {
            let whole = source.metadata()?.len();
            ensure!(at == whole, "{at} bytes of {whole} came");
            return Ok(());
        }
        source.read_exact(&mut expected[..length]).context("more bytes came than were sent")?;
        ensure!(got[..length] == expected[..length], "wrong bytes behind byte {at}");
        at += u64::try_from(length)?;
    }
}

/// Killed where it is not waited for.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended, which is as well.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
