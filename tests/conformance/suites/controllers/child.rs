//! The processes of a scenario: each is this same program, and its environment selects its role.

use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::FactoryOptions;
use client_rs_client::RestClient;
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Manager, ReconcileError};
use client_rs_informers::SharedInformerFactory;
use client_rs_leaderelection::sharding::{Replica, ShardingOptions};
use client_rs_leaderelection::{LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::ObjectKey;
use client_rs_transport::Config;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// Its role: `candidate`, `replica` or `controller`.
pub(super) const ROLE: &str = "CLIENT_RS_TESTS_ROLE";
pub(super) const KUBECONFIG: &str = "CLIENT_RS_TESTS_KUBECONFIG";
pub(super) const NAMESPACE: &str = "CLIENT_RS_TESTS_NAMESPACE";
pub(super) const IDENTITY: &str = "CLIENT_RS_TESTS_IDENTITY";
pub(super) const SINK: &str = "CLIENT_RS_TESTS_SINK";

/// How many shards and keys there are.
pub(super) const SHARDS: u32 = 6;
pub(super) const KEYS: u32 = 40;
/// How often a careless writer writes after it has lost its leadership.
const LATE_WRITES: usize = 50;

/// Short ones, so that a scenario is.
pub(super) fn timings() -> LeaderElectionOptions {
    LeaderElectionOptions::default()
        .with_lease_duration(Duration::from_secs(4))
        .with_renew_deadline(Duration::from_secs(3))
        .with_retry_period(Duration::from_millis(500))
}

/// Runs the role that the environment selects, if it selects one.
///
/// The future is boxed so that it is compiled here, and not in the program.
pub fn asked() -> Option<Pin<Box<dyn Future<Output = ExitCode>>>> {
    let role = std::env::var(ROLE).ok()?;
    Some(Box::pin(async move {
        let done = match role.as_str() {
            "candidate" => candidate().await,
            "controller" => controller().await,
            _ => replica().await,
        };
        if let Err(error) = &done {
            eprintln!("{role}: {error:#}");
        }
        if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }))
}

fn variable(name: &str) -> Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set"))
}

fn config() -> Result<Config> {
    let config = Config::from_kubeconfig(&std::fs::read(variable(KUBECONFIG)?)?)?;
    Ok(config.with_qps(-1.0))
}

/// Lines to the sink, each at once.
struct Lines(Mutex<OwnedWriteHalf>);

impl Lines {
    /// Also returns a future that is ready when the sink requests the end of the process.
    async fn connect() -> Result<(Arc<Self>, impl Future<Output = ()>)> {
        let stream = TcpStream::connect(variable(SINK)?).await?;
        stream.set_nodelay(true)?;
        let (mut reader, writer) = stream.into_split();
        let lines = Arc::new(Self(Mutex::new(writer)));
        lines.say(&format!("hello {}", variable(IDENTITY)?)).await?;
        let ended = async move {
            // Anything, its end too.
            let _ = tokio::io::AsyncReadExt::read(&mut reader, &mut [0]).await;
        };
        Ok((lines, ended))
    }

    async fn say(&self, line: &str) -> Result<()> {
        Ok(self.0.lock().await.write_all(format!("{line}\n").as_bytes()).await?)
    }
}

/// Campaigns again and again. While it leads, and a little longer than it should, it writes with its token.
async fn candidate() -> Result<()> {
    let (lines, ended) = Lines::connect().await?;
    let options = timings();
    let lock = LeaseLockOptions::new((variable(NAMESPACE)?, "election"), variable(IDENTITY)?);
    let lock = LeaseLock::from_config(&config()?, options.renew_deadline, lock)?;
    let elector = LeaderElector::with_options(lock, options)?;
    tokio::pin!(ended);
    loop {
        let leadership = tokio::select! {
            leadership = elector.acquire() => leadership,
            () = &mut ended => return Ok(()),
        };
        let token = leadership.fencing_token().clone();
        lines.say(&format!("lead {token}")).await?;
        let careless = tokio::spawn({
            let (lines, token) = (Arc::clone(&lines), token.clone());
            async move {
                // It never checks whether it leads: the fence has to.
                while lines.say(&format!("write {token}")).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
        });
        tokio::select! {
            loss = leadership.lost() => {
                careless.abort();
                let _ = careless.await;
                lines.say(&format!("lost {token} {loss:?}")).await?;
                for _ in 0..LATE_WRITES {
                    lines.say(&format!("write {token}")).await?;
                }
            }
            () = &mut ended => {
                careless.abort();
                let _ = careless.await;
                lines.say(&format!("released {token} {:?}", leadership.release().await)).await?;
                return Ok(());
            }
        }
    }
}

fn sharding() -> Result<ShardingOptions> {
    Ok(ShardingOptions::new(&variable(NAMESPACE)?, "group", SHARDS, variable(IDENTITY)?)
        .with_election(timings())
        .with_drain_patience(Duration::from_secs(1)))
}

/// Processes every key that it can claim, repeatedly, and reports each with the token of the key's shard.
async fn replica() -> Result<()> {
    let (lines, ended) = Lines::connect().await?;
    let replica = Replica::start(RestClient::from_config(&config()?)?, sharding()?)?;
    tokio::pin!(ended);
    loop {
        for number in 0..KEYS {
            let key = ObjectKey::new("default", format!("key-{number}"));
            let Some(claim) = replica.claim(&key) else { continue };
            let (shard, token) = (claim.shard(), claim.scope().fencing_token());
            // The process may be stopped here.
            lines.say(&format!("work {number} {shard} {token}")).await?;
        }
        lines.say(&format!("held {}", replica.held().borrow().len())).await?;
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
            () = &mut ended => break,
        }
    }
    replica.shutdown().await;
    lines.say("left").await
}

/// A manager with a sharded controller of config maps: each run reports its key and its shard's token.
async fn controller() -> Result<()> {
    let (lines, ended) = Lines::connect().await?;
    let rest = RestClient::from_config(&config()?)?;
    let namespace = variable(NAMESPACE)?;
    let replica = Replica::start(rest.clone(), sharding()?)?;
    let shards = replica.shards();
    let options = FactoryOptions::default().with_namespaces([namespace.as_str()]);
    let factory = SharedInformerFactory::with_options(rest, options);
    let (of, told) = (shards.clone(), Arc::clone(&lines));
    let options = ControllerOptions::default().with_workers(4);
    let controller = Controller::with_options("sharded", factory.of::<ConfigMap>().informer(), options)
        .sharded(shards)
        .reconcile(move |key: ObjectKey, context: Context| {
            let (shard, lines) = (of.of(&key), Arc::clone(&told));
            async move {
                // Others put maps into a namespace too.
                let Some(number) = key.name.strip_prefix("key-") else { return Ok(Action::done()) };
                let token = context
                    .fencing_token()
                    .context("a run without a shard")
                    .map_err(ReconcileError::terminal)?;
                // The process may be stopped here.
                lines
                    .say(&format!("work {number} {shard} {token}"))
                    .await
                    .map_err(|error| ReconcileError::message(error.to_string()))?;
                Ok(Action::requeue_after(Duration::from_millis(200)))
            }
        });
    let stop = CancellationToken::new();
    let manager = Manager::new(&factory).controller_without_election(controller);
    let mut running = tokio::spawn(manager.run(stop.clone()));
    let mut held = replica.held();
    tokio::pin!(ended);
    loop {
        let shards = held.borrow_and_update().len();
        lines.say(&format!("held {shards}")).await?;
        tokio::select! {
            changed = held.changed() => changed?,
            () = &mut ended => break,
            early = &mut running => return Ok(early??),
        }
    }
    stop.cancel();
    running.await??;
    replica.shutdown().await;
    lines.say("left").await
}
