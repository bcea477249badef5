//! A long list as it arrives, its items dropped: CPU time and memory of the client; and curl's, which only fetches it.
//!
//! One measurement a process; it prints one line of JSON.

mod usage;

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, ValueEnum};
use client_rs_api::core::v1::Pod;
use client_rs_client::{ListItem, Request, RestClient};
use client_rs_transport::{Config, Material};
use serde_json::json;
use usage::{Who, cpu_time};

#[derive(Parser)]
struct Args {
    /// The server's kubeconfig, with a client certificate
    #[arg(long)]
    kubeconfig: String,
    #[arg(long)]
    format: Format,
    /// Ask for a compressed answer
    #[arg(long)]
    gzip: bool,
    /// Let curl fetch the same bytes, instead
    #[arg(long)]
    curl: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Protobuf,
    Json,
}

impl Format {
    fn media_type(self) -> &'static str {
        match self {
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
            Self::Json => "application/json",
        }
    }
}

/// From the server's cache: what its storage costs is no matter here.
const PATH: &str = "/api/v1/pods?resourceVersion=0";

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let config = Config::from_flags("", &args.kubeconfig)?;
    let outcome = if args.curl { curl(&args, &config)? } else { ours(&args, config).await? };
    println!("{outcome}");
    Ok(())
}

async fn ours(args: &Args, config: Config) -> Result<serde_json::Value> {
    let config = config.with_disable_compression(!args.gzip).with_qps(-1.0);
    let client = RestClient::from_config(&config)?;
    // Connected and idle: what any client costs.
    client.send_raw(Request::get().abs_path(["/version"])).await?;
    let idle = memory("VmRSS")?;
    let (start, before) = (Instant::now(), cpu_time(Who::Own));
    let request = Request::get().request_uri(PATH).header("accept".parse()?, args.format.media_type());
    // A task of the runtime, as an informer is: `main` runs on a thread of its own, which each frame would have to wake.
    let items = tokio::spawn(async move {
        let mut list = client.list_stream::<Pod>(request).await?;
        let mut items = 0_u64;
        while let Some(item) = list.try_next().await? {
            let ListItem::Object(pod) = item else { bail!("an item that does not decode") };
            ensure!(!pod.metadata.uid.is_empty(), "a pod without a uid");
            items += 1;
        }
        Ok(items)
    })
    .await??;
    let cpu = cpu_time(Who::Own) - before;
    Ok(json!({
        "items": items,
        "cpu_ms": cpu.as_secs_f64() * 1e3,
        "wall_ms": start.elapsed().as_secs_f64() * 1e3,
        "idle_mb": idle / 1024.0,
        "peak_mb": memory("VmHWM")? / 1024.0,
    }))
}

fn curl(args: &Args, config: &Config) -> Result<serde_json::Value> {
    let folder = std::env::temp_dir().join(format!("bench-list-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = |name: &str, material: &Option<Material>| -> Result<String> {
        let path = folder.join(name);
        std::fs::write(&path, material.as_ref().context("no certificate in the kubeconfig")?.read()?)?;
        Ok(path.display().to_string())
    };
    let tls = &config.tls;
    let mut command = Command::new("curl");
    command
        .args(["--silent", "--show-error", "--fail", "--http2", "--output", "/dev/null"])
        // The server writes JSON with line breaks for programs that are called curl.
        .args(["--user-agent", "bench-list"])
        .args(["--write-out", "%{size_download} %{http_version}", "--header"])
        .arg(format!("Accept: {}", args.format.media_type()))
        .args(["--cacert", &file("ca.crt", &tls.ca)?])
        .args(["--cert", &file("tls.crt", &tls.client_certificate)?])
        .args(["--key", &file("tls.key", &tls.client_key)?])
        .arg(format!("{}{PATH}", config.server_url()))
        .stderr(Stdio::inherit());
    if args.gzip {
        command.arg("--compressed");
    }
    let start = Instant::now();
    let output = command.output().context("can't start curl")?;
    let (cpu, wall) = (cpu_time(Who::Children), start.elapsed());
    std::fs::remove_dir_all(&folder)?;
    ensure!(output.status.success(), "curl ended with {}", output.status);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let (bytes, version) = told.split_once(' ').context("curl printed no size")?;
    ensure!(version == "2", "curl spoke HTTP/{version}");
    Ok(json!({
        "bytes": bytes.parse::<u64>()?,
        "cpu_ms": cpu.as_secs_f64() * 1e3,
        "wall_ms": wall.as_secs_f64() * 1e3,
    }))
}

/// A figure of this process's memory, in KiB.
fn memory(name: &str) -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("this needs Linux' /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such figure")?;
    let kib = line.trim_start_matches(':').trim().trim_end_matches("kB").trim();
    kib.parse().context("a figure is not a number")
}
