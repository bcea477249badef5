//! `cargo xtask cluster`: real control planes that live until they are taken down.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_testkit::{Cluster, Clusters, Folders, Options, Progress, Record};

/// Starts, shows and ends real control planes: etcd, kube-apiserver and kube-controller-manager on loopback.
///
/// Their programs are built on first use (minutes, needs Go) into the user's cache. There is no kubelet and
/// no scheduler: pods stay Pending.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Starts a cluster, or finds it running, and prints the path of its kubeconfig
    Up(Up),
    /// Ends a cluster: no process and no file of it is left
    Down(Down),
    /// Lists the clusters; with --name, exits with 1 unless that one runs
    Status {
        /// Only this cluster
        #[arg(long)]
        name: Option<String>,
    },
    /// Prints the path of a running cluster's kubeconfig (contexts: admin, admin-token)
    Kubeconfig(Name),
    /// Prints the logs of a cluster's programs
    Logs(Logs),
    /// Starts a cluster as a test does, prints it as JSON and waits for standard input to close
    #[command(hide = true)]
    Hold,
}

#[derive(clap::Args)]
struct Name {
    /// The cluster's name
    #[arg(long, default_value = "default")]
    name: String,
}

#[derive(clap::Args)]
struct Up {
    #[command(flatten)]
    name: Name,
    /// Feature gates of kube-apiserver and kube-controller-manager: A=true,B=false
    #[arg(long, value_delimiter = ',', value_parser = gate)]
    feature_gates: Vec<(String, bool)>,
    /// Serves every API version, alpha ones too, with the alpha and beta feature gates on
    #[arg(long)]
    all_apis: bool,
    /// The port of kube-apiserver on 127.0.0.1 [default: a free one]
    #[arg(long)]
    port: Option<u16>,
}

#[derive(clap::Args)]
struct Down {
    #[command(flatten)]
    name: Name,
    /// Ends every cluster
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

#[derive(clap::Args)]
struct Logs {
    #[command(flatten)]
    name: Name,
    /// One program: etcd, kube-apiserver or kube-controller-manager [default: all]
    component: Option<String>,
    /// Only the last lines of each log
    #[arg(long)]
    tail: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let clusters = Clusters::new(Folders::of_user());
    match &args.command {
        Command::Up(args) => up(&clusters, args),
        Command::Down(args) => down(&clusters, args),
        Command::Status { name } => status(&clusters, name.as_deref()),
        Command::Kubeconfig(args) => {
            println!("{}", running(&clusters, &args.name)?.kubeconfig.display());
            Ok(ExitCode::SUCCESS)
        }
        Command::Logs(args) => logs(&clusters, args),
        Command::Hold => hold(),
    }
}

fn up(clusters: &Clusters, args: &Up) -> Result<ExitCode> {
    let options = Options::from_env()
        .with_feature_gates(args.feature_gates.iter().cloned().collect::<BTreeMap<_, _>>())
        .with_all_apis(args.all_apis)
        .with_port(args.port);
    let up = clusters.up(&args.name.name, &options)?;
    let Record { name, kubernetes, server, kubeconfig, .. } = &up.record;
    let how = match up.started_in {
        Some(took) => format!("up in {:.1} s", took.as_secs_f64()),
        None => "already up".into(),
    };
    println!("cluster {name}: {how}, Kubernetes {kubernetes} at {server}");
    println!("{}", kubeconfig.display());
    Ok(ExitCode::SUCCESS)
}

fn down(clusters: &Clusters, args: &Down) -> Result<ExitCode> {
    let names = if args.all { clusters.names()? } else { vec![args.name.name.clone()] };
    if names.is_empty() {
        println!("no cluster is up");
    }
    for name in names {
        match clusters.down(&name, &Progress::stderr())? {
            Some(_) => println!("cluster {name}: down"),
            None => println!("cluster {name}: was not up"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn status(clusters: &Clusters, only: Option<&str>) -> Result<ExitCode> {
    let names = match only {
        Some(name) => vec![name.to_owned()],
        None => clusters.names()?,
    };
    let (mut running, mut broken) = (0, 0);
    for name in &names {
        match clusters.get(name) {
            Ok(Some(record)) => {
                let dead = record.dead();
                let state = if dead.is_empty() {
                    running += 1;
                    "up".into()
                } else {
                    broken += 1;
                    format!("broken ({} ended)", dead.join(", "))
                };
                println!(
                    "{name}: {state}, {}, Kubernetes {} at {}, {}",
                    age(record.age()),
                    record.kubernetes,
                    record.server,
                    record.kubeconfig.display()
                );
            }
            Ok(None) => println!("{name}: not up"),
            Err(error) => {
                broken += 1;
                println!("{name}: {error}");
            }
        }
    }
    println!("clusters: {running} up, {broken} broken");
    Ok(if broken == 0 && (only.is_none() || running == 1) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn logs(clusters: &Clusters, args: &Logs) -> Result<ExitCode> {
    // Logs tell most of a cluster that has died.
    let name = &args.name.name;
    let record = clusters.get(name)?.with_context(|| not_up(name))?;
    let components: Vec<&str> = record.processes.iter().map(|(component, _)| component.as_str()).collect();
    let chosen: Vec<&str> = match args.component.as_deref() {
        Some(one) if components.contains(&one) => vec![one],
        Some(other) => bail!("there is no `{other}`: it is one of {}", components.join(", ")),
        None => components,
    };
    let mut out = io::stdout().lock();
    for component in chosen {
        match print_log(&mut out, component, &record.log(component), args.tail) {
            // The reader has closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            outcome => outcome.with_context(|| format!("can't print the log of {component}"))?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_log(out: &mut impl Write, component: &str, path: &Path, tail: Option<usize>) -> io::Result<()> {
    writeln!(out, "== {component} ({})", path.display())?;
    let mut reader = BufReader::new(File::open(path)?);
    if let Some(count) = tail {
        let lines = reader.lines().collect::<io::Result<Vec<_>>>()?;
        for line in &lines[lines.len().saturating_sub(count)..] {
            writeln!(out, "{line}")?;
        }
        return Ok(());
    }
    io::copy(&mut reader, out).map(|_| ())
}

fn hold() -> Result<ExitCode> {
    let cluster = Cluster::real()?;
    let held = serde_json::json!({
        "kubeconfig": cluster.kubeconfig(),
        "folder": cluster.folder(),
        "server": cluster.access().server,
        "processes": cluster.processes(),
    });
    println!("{held}");
    io::stdout().flush()?;
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(ExitCode::SUCCESS)
}

fn running(clusters: &Clusters, name: &str) -> Result<Record> {
    let record = clusters.get(name)?.with_context(|| not_up(name))?;
    let dead = record.dead();
    if !dead.is_empty() {
        bail!(
            "cluster {name} is broken ({} ended): `cargo xtask cluster up --name {name}` replaces it",
            dead.join(", ")
        );
    }
    Ok(record)
}

fn not_up(name: &str) -> String {
    format!("cluster {name} is not up: `cargo xtask cluster up --name {name}` starts it")
}

fn age(age: Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

/// Reads `Name=true`.
fn gate(text: &str) -> Result<(String, bool), String> {
    let parsed =
        text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
    match parsed {
        Some((name, value)) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Ok((name.to_owned(), value))
        }
        _ => Err("a feature gate reads Name=true or Name=false".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_gates_parse() {
        assert_eq!(gate("A=true"), Ok(("A".into(), true)));
        assert_eq!(gate(" WatchList = false "), Ok(("WatchList".into(), false)));
        for text in ["", "A", "A=", "=true", "A=yes", "A B=true", "--x=true"] {
            assert!(gate(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ages_are_rounded_to_what_matters() {
        assert_eq!(age(Duration::from_secs(119)), "119 s");
        assert_eq!(age(Duration::from_mins(3)), "3 min");
        assert_eq!(age(Duration::from_hours(50)), "50 h");
    }

    #[test]
    fn the_tail_of_a_log_is_its_last_lines() {
        let temp = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(temp.path(), "1\n2\n3\n").unwrap();
        let tail = |count| {
            let mut out = Vec::new();
            print_log(&mut out, "etcd", temp.path(), count).unwrap();
            String::from_utf8(out).unwrap().lines().skip(1).collect::<Vec<_>>().join(",")
        };
        assert_eq!(tail(Some(2)), "2,3");
        assert_eq!(tail(Some(0)), "");
        assert_eq!(tail(Some(9)), "1,2,3");
        assert_eq!(tail(None), "1,2,3");
    }
}
