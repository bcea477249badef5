//! Competes for a Lease, and prints the leader: `cargo run --example leader_election -- NAMESPACE`. Start it several times;
//! end one with Ctrl-C, or kill it.

use std::time::Duration;

use client_rs::controller::setup_signal_handler;
use client_rs::leaderelection::{
    Fence, LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions, unique_identity,
};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First: from now on an interrupt is handled, at every point of the program.
    let stop = setup_signal_handler()?;
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    let options = LeaderElectionOptions::default();
    let identity = unique_identity();
    println!("I am {identity}");
    let lock_options = LeaseLockOptions::new((namespace, "client-rs-example"), identity);
    let lock = LeaseLock::from_config(&config, options.renew_deadline, lock_options)?;
    let elector = LeaderElector::with_options(lock, options)?;

    let mut leaders = elector.leaders();
    tokio::spawn(async move {
        while let Some(leader) = leaders.changed().await {
            println!("the leader is {leader:?}");
        }
    });

    // In a real program the receiver of the leader's writes has the fence, in another process.
    let mut fence = Fence::default();
    loop {
        let Some(leadership) = stop.run_until_cancelled(elector.acquire()).await else { return Ok(()) };
        // Writes to the API server would go through a client with `.with_write_gate(leadership.scope().clone())`, which
        // refuses them when the term is over.
        let work = async {
            loop {
                // The work: it sends the token, so that a leader that was paused can't write too late.
                let written = fence.admit(leadership.fencing_token());
                println!("write with token {}: {written:?}", leadership.fencing_token());
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };
        tokio::select! {
            // Dropped at once when leadership is lost.
            outcome = leadership.run(work) => {
                let _: Result<(), _> = outcome.inspect_err(|loss| println!("leadership was lost: {loss:?}"));
            }
            () = stop.cancelled() => {
                println!("released: {:?}", leadership.release().await);
                return Ok(());
            }
        }
    }
}
