//! The surroundings of an operator in `cargo xtask bench controller`: users that create and change Apps, an observer of
//! the server, and a proxy between operator and server that delays watches and counts requests.
//!
//! Each line of standard input is a command, and one line of JSON answers it. The program ends when standard input closes.
//!
//! - `watched`: waits until the operator watches all kinds and has had time to fill its caches.
//! - `create`, `update`: begins a phase; creates the Apps, or changes all of their specs.
//! - `begin`: begins a phase without a change.
//! - `converged`: waits until all Apps and children are as desired and the operator is at rest; returns the phase's figures.

mod observer;
mod proxy;
mod requests;
mod tls;
mod users;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bench_controller::App;
use clap::Parser;
use client_rs::api::core::v1::Namespace;
use client_rs::prelude::*;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::observer::Observer;
use crate::proxy::Proxy;
use crate::requests::Requests;
use crate::users::{Change, Users};

#[derive(Parser)]
struct Args {
    /// The URL of the server
    #[arg(long)]
    server: String,
    /// Where the operator's kubeconfig is written; its server is the proxy
    #[arg(long)]
    kubeconfig: PathBuf,
    /// How long the events of watches are delayed
    #[arg(long)]
    lag_ms: u64,
    /// How many Apps there are
    #[arg(long)]
    objects: usize,
    /// How many Apps are created or changed per second
    #[arg(long)]
    rate: u32,
}

/// How long the operator may take for a phase after the last change.
const PATIENCE: Duration = Duration::from_mins(3);
/// How long no write must come until the operator counts as at rest, in addition to twice the lag.
const REST: Duration = Duration::from_secs(3);
/// How often the state is checked.
const CHECK: Duration = Duration::from_millis(100);
const NAMESPACE: &str = "bench";

struct Stage {
    lag: Duration,
    requests: Arc<Requests>,
    observer: Observer,
    users: Users,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let rest = RestClient::from_config(&Config::new(args.server.parse()?))?;
    crds::apply(&rest, [App::crd()]).await?;
    let metadata = ObjectMeta { name: NAMESPACE.into(), ..ObjectMeta::EMPTY };
    Api::<Namespace>::cluster(&rest).create(Namespace { metadata, ..Namespace::EMPTY }).await?;
    let lag = Duration::from_millis(args.lag_ms);
    let requests = Arc::new(Requests::new(args.objects));
    let proxy = Proxy::start(&args.server, lag, Arc::clone(&requests)).await?;
    std::fs::write(&args.kubeconfig, proxy.kubeconfig())
        .with_context(|| format!("can't write {}", args.kubeconfig.display()))?;
    let observer = Observer::start(&rest, args.objects).await?;
    let mut stage = Stage { lag, requests, observer, users: Users::new(&rest, args.objects, args.rate) };
    println!("{}", json!({ "kubeconfig": args.kubeconfig }));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        println!("{}", stage.command(&line).await?);
    }
    Ok(())
}

impl Stage {
    async fn command(&mut self, command: &str) -> Result<Value> {
        match command {
            "watched" => self.watched().await?,
            "begin" => self.begin(),
            "create" | "update" => {
                let change = if command == "create" { Change::Create } else { Change::Update };
                self.begin();
                self.users.change(change, &self.requests).await?;
            }
            "converged" => return self.converged().await,
            other => bail!("unknown command {other:?}"),
        }
        Ok(json!({}))
    }

    fn begin(&mut self) {
        self.requests.begin();
        self.observer.begin();
        self.users.begin();
    }

    async fn watched(&self) -> Result<()> {
        let begun = Instant::now();
        while !self.requests.watches_everything() {
            if begun.elapsed() > PATIENCE {
                bail!("after {PATIENCE:?} the operator does not watch Apps, ConfigMaps and Services");
            }
            tokio::time::sleep(CHECK).await;
        }
        // A streaming list comes with the watch, and so with its lag.
        tokio::time::sleep(REST + 2 * self.lag).await;
        Ok(())
    }

    /// Users' own changes are in the observer's events, but did not pass the proxy.
    async fn converged(&self) -> Result<Value> {
        let begun = Instant::now();
        loop {
            let open = self.observer.unfinished(&self.users);
            let quiet = self.requests.since_last_write();
            if open == 0 && quiet > REST + 2 * self.lag {
                break;
            }
            if begun.elapsed() > PATIENCE {
                bail!("after {PATIENCE:?}, {open} Apps are not as desired; the last write was {quiet:?} ago");
            }
            tokio::time::sleep(CHECK).await;
        }
        let mut figures = self.requests.figures();
        // A write without an effect leaves the version as it is, so no watcher gets an event.
        let effective = self.observer.events().saturating_sub(self.users.writes());
        let written = figures["written"].as_u64().unwrap_or_default();
        figures["without_effect"] = written.saturating_sub(effective).into();
        Ok(figures)
    }
}
