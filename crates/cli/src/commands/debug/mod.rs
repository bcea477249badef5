//! `krs debug`

mod replicas;
mod site;

use std::hash::{BuildHasher, RandomState};
use std::net::Ipv4Addr;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::TcpListener;

pub(crate) use self::replicas::{Refused, Replica, Replicas};
use self::site::Site;
use crate::arguments::patience;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams};

use super::why::DEBUG_PORT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    targets: Targets,
    /// The local port of the page; 0 is a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    listen_port: u16,
}

/// Managers with debug listeners.
#[derive(Debug, clap::Args)]
pub(crate) struct Targets {
    /// The managers: URLs of their debug listeners, or a POD or the TYPE/NAME of a workload, whose pods are asked through forwarded
    /// ports [default: `http://127.0.0.1:8082`]
    #[arg(value_name = "URL|TYPE/NAME")]
    managers: Vec<String>,
    /// The port of the debug listener in the pods
    #[arg(long, value_name = "PORT", default_value_t = DEBUG_PORT, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// How long to wait until a pod is running
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "1m")]
    pod_running_timeout: Duration,
}

/// Serves the page until it is interrupted.
pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let mut signal = EndSignal::interrupt()?;
    let replicas = Replicas::find(global, &args.targets).await?;
    let address = (Ipv4Addr::LOCALHOST, args.listen_port);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("can't listen at {}:{}; choose another --listen-port", address.0, address.1)
    })?;
    let site = Site::new(listener.local_addr()?.port(), token(), replicas);
    writeln!(streams.out, "{}", site.url())?;
    streams.out.flush()?;
    tokio::select! {
        () = site.serve(listener) => Ok(()),
        () = signal.heard() => Ok(()),
    }
}

/// 128 bits that another user of the machine, or a page of another site, can't guess: two outputs of a keyed hash whose keys the system
/// has chosen.
pub(crate) fn token() -> String {
    let keys = RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one(0_u8), keys.hash_one(1_u8))
}
