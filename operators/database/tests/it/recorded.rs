//! A recording of the operator, and its replay: the same writes, byte for byte.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use client_rs::apiserver::{Server, ServerOptions};
use client_rs::controller::Prometheus;
use client_rs::controller::recording::{Recording, RecordingOptions};
use client_rs::machinery::patch::Patch;
use client_rs::prelude::{Api, CancellationToken, Conditions, Config, RestClient, crds, json};
use client_rs::simulation::Replay;
use client_rs::simulation::harness::{Network, service};
use client_rs::transport::http::{InProcess, Target, Transport};
use database_operator::api::v1::Database;

use crate::cluster::{args, database};
use crate::simulation::play;

/// The number of databases, at any time.
const DATABASES: usize = 8;
/// The number of changes of a user, if `CLIENT_RS_RECORDED_CHANGES` does not have one.
const CHANGES: usize = 60;
/// The time between two looks at the cluster.
const LOOK: Duration = Duration::from_millis(50);

/// Replaces, changes and disturbs databases, and lets faults happen to the network of the operator.
async fn change(user: &RestClient, network: &Network, changes: usize) {
    let databases = Api::<Database>::namespaced(user, "default");
    let name = |number: usize| format!("db-{number}");
    for number in 0..DATABASES {
        databases.create(database(&name(number), 2)).await.unwrap();
    }
    // The names of those that nobody has deleted.
    let mut names: Vec<String> = (0..DATABASES).map(name).collect();
    for step in 0..changes {
        // Steps without a common divisor, so that every change meets every database and every fault.
        let place = step * 3 % DATABASES;
        let patch = match step * 5 % 11 {
            0 => {
                databases.delete(&names[place]).await.unwrap();
                names[place] = name(DATABASES + step);
                databases.create(database(&names[place], 1)).await.unwrap();
                continue;
            }
            1..4 => json!({"spec": {"image": format!("db:{step}")}}),
            4 => json!({"metadata": {"labels": {"step": step.to_string()}}}),
            _ => json!({"spec": {"replicas": 1 + step % 3}}),
        };
        databases.patch(&names[place], &Patch::Merge(patch)).await.unwrap();
        match step * 7 % 61 {
            0 => network.cut(),
            1 => network.state().cuts_inside = true,
            2 => network.state().storm = Some(500),
            3 => network.state().storm = Some(429),
            4 => network.state().lag = 2 * LOOK,
            5 => network.state().refuses = true,
            20..27 => network.heal(),
            _ => {}
        }
        tokio::time::sleep(Duration::from_millis(step as u64 * 13 % 40 * 4)).await;
    }
    network.heal();
}

/// Waits until all databases are there, and ready as their specs want it.
async fn ready(user: &RestClient) {
    let databases = Api::<Database>::namespaced(user, "default");
    let is_ready = |database: &Database| {
        let generation = database.metadata.generation;
        database.status.as_ref().is_some_and(|status| {
            let ready = status.conditions.iter().find(|condition| condition.type_ == "Ready");
            status.conditions.is_true("Ready")
                && ready.is_some_and(|ready| ready.observed_generation == generation)
        })
    };
    loop {
        let found = databases.list().await.unwrap().items;
        if found.len() == DATABASES && found.iter().all(is_ready) {
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Records the operator until the cluster is at rest.
async fn record(file: &Path, changes: usize) {
    let options = ServerOptions::default().with_listen(None).with_request_log(0);
    let server = Server::start_with(options).await.unwrap();
    let user = server.rest_client().unwrap();
    crds::apply(&user, [Database::crd()]).await.unwrap();
    let network = Network::new(1);
    let servers: Arc<[Transport]> = [user.transport().clone()].into();
    let target = Target { host: "recorded".to_owned(), port: 80, tls: false, server_name: None };
    let config = Config::new("http://recorded".parse().unwrap());
    let transport = Transport::from_service(target, service(&network, &servers));
    let _way = InProcess::register(&config.server, transport);

    let recording = Recording::start(&config, file, RecordingOptions::default()).unwrap();
    let config = recording.config().clone();
    let manager = database_operator::manager(config, &args(&[]), &Prometheus::new(), None).unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    let (rest, stopped) = (user.clone(), stop.clone());
    let playing = tokio::spawn(async move {
        while stopped.run_until_cancelled(tokio::time::sleep(LOOK)).await.is_some() {
            // The object may have gone in between: the next look finds the others.
            let _ = play(&rest).await;
        }
    });
    change(&user, &network, changes).await;
    ready(&user).await;
    stop.cancel();
    running.await.unwrap().unwrap();
    playing.await.unwrap();
    let summary = recording.finish().unwrap();
    assert!(!summary.is_full && summary.runs > changes as u64 / 2, "{summary:?}");
}

#[test]
fn a_recording_is_replayed_with_the_same_writes() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("databases.jsonl");
    if !Replay::is_worker() {
        // A longer one runs with the real clock, in several threads.
        let more = std::env::var("CLIENT_RS_RECORDED_CHANGES").ok().map(|changes| changes.parse().unwrap());
        let runtime = match more {
            Some(_) => tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap(),
            None => {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                runtime.enable_all().start_paused(true).build().unwrap()
            }
        };
        runtime.block_on(record(&file, more.unwrap_or(CHANGES)));
    }
    let replay = Replay::new(&file, |replica| async move {
        database_operator::manager(replica.config, &args(&[]), &Prometheus::new(), None)
    });
    let name = "recorded::a_recording_is_replayed_with_the_same_writes";
    let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    let report = replay.differences(usize::MAX).run(&arguments).unwrap();
    println!("replay: {report}");
    assert!(report.writes > 0 && report.unknown.is_empty(), "{report}");
    assert!(report.equal * 1_000 >= report.runs * 999, "{report}");
}
