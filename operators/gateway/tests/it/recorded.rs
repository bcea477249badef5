//! A recording of the operator, and its replay: the same writes, byte for byte.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::apiserver::{Server, ServerOptions};
use client_rs::controller::Prometheus;
use client_rs::controller::recording::{Recording, RecordingOptions};
use client_rs::machinery::patch::Patch;
use client_rs::prelude::{Api, CancellationToken, Config, Object, RestClient, crds, json};
use client_rs::simulation::Replay;
use client_rs::simulation::harness::{Network, service};
use client_rs::transport::http::{InProcess, Target, Transport};
use gateway_operator::api::{Gateway, GatewaySpec, Route};

use crate::cluster::args;
use crate::simulation::{consistent, parsed, route, slice};

/// The number of routes, at any time.
const ROUTES: usize = 12;
/// The number of changes of a user, if `CLIENT_RS_RECORDED_CHANGES` does not have one.
const CHANGES: usize = 100;
/// The time between two looks at the cluster.
const LOOK: Duration = Duration::from_millis(50);

/// Changes everything from which the configuration is derived, and lets faults happen to the network of the operator.
async fn change(user: &RestClient, network: &Network, changes: usize) {
    let (gateways, routes) =
        (Api::<Gateway>::namespaced(user, "default"), Api::<Route>::namespaced(user, "default"));
    let slices = Api::<EndpointSlice>::namespaced(user, "default");
    let maps = Api::<ConfigMap>::namespaced(user, "default");
    let web = json!({"metadata": {"name": "web"}, "spec": {"clusterIP": "None", "ports": [{"name": "http", "port": 80}]}});
    Api::<Service>::namespaced(user, "default").create(parsed::<Service>(&web)).await.unwrap();
    slices.create(slice("10.0.0.1")).await.unwrap();
    gateways.create(Gateway::new("edge", GatewaySpec { port: 8080 })).await.unwrap();
    let name = |number: usize| format!("route-{number}");
    let host = |number: usize| format!("{}.example", number % 7);
    for number in 0..ROUTES {
        routes.create(route(&name(number), &host(number))).await.unwrap();
    }
    // The names of those that nobody has deleted.
    let mut names: Vec<String> = (0..ROUTES).map(name).collect();
    for step in 0..changes {
        // Steps without a common divisor, so that every change meets every route and every fault.
        let place = step * 5 % ROUTES;
        match step * 5 % 17 {
            0 => {
                routes.delete(&names[place]).await.unwrap();
                names[place] = name(ROUTES + step);
                routes.create(route(&names[place], &host(step))).await.unwrap();
            }
            1..5 => {
                let address = format!("10.0.0.{}", 1 + step % 9);
                let other = Patch::Merge(json!({"endpoints": [{"addresses": [address]}]}));
                slices.patch("web-1", &other).await.unwrap();
            }
            5 => {
                gateways.delete("edge").await.unwrap();
                tokio::time::sleep(LOOK).await;
                gateways.create(Gateway::new("edge", GatewaySpec { port: 8080 })).await.unwrap();
            }
            6 => {
                // It may not be there at this moment.
                let _ = maps.delete("edge").await;
            }
            7 => {
                let service = if step % 2 == 0 { "web" } else { "none" };
                let other = Patch::Merge(json!({"spec": {"service": service}}));
                routes.patch(&names[place], &other).await.unwrap();
            }
            _ => {
                let other = Patch::Merge(json!({"spec": {"host": host(step)}}));
                routes.patch(&names[place], &other).await.unwrap();
            }
        }
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

/// Waits until the routes of the gateway are those that are accepted, and all routes have a status.
async fn rest(user: &RestClient) {
    let (maps, routes) =
        (Api::<ConfigMap>::namespaced(user, "default"), Api::<Route>::namespaced(user, "default"));
    loop {
        let listed = maps.list().await.unwrap().items;
        let owned: Vec<ConfigMap> = listed.into_iter().filter(|map| map.controller().is_some()).collect();
        let found: Vec<Route> = routes.list().await.unwrap().items.into_iter().collect();
        let is_current = |route: &Route| {
            let status = route.status.as_ref();
            status.is_some_and(|status| status.observed_generation == route.metadata.generation)
        };
        if found.iter().all(is_current) && consistent(1, &owned, &found).is_ok() {
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
    crds::apply(&user, gateway_operator::crds()).await.unwrap();
    let network = Network::new(1);
    let servers: Arc<[Transport]> = [user.transport().clone()].into();
    let target = Target { host: "recorded".to_owned(), port: 80, tls: false, server_name: None };
    let config = Config::new("http://recorded".parse().unwrap());
    let transport = Transport::from_service(target, service(&network, &servers));
    let _way = InProcess::register(&config.server, transport);

    let recording = Recording::start(&config, file, RecordingOptions::default()).unwrap();
    let config = recording.config().clone();
    let manager = gateway_operator::manager(config, &args(&[]), &Prometheus::new()).unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    change(&user, &network, changes).await;
    rest(&user).await;
    stop.cancel();
    running.await.unwrap().unwrap();
    let summary = recording.finish().unwrap();
    assert!(!summary.is_full && summary.runs > changes as u64, "{summary:?}");
}

#[test]
fn a_recording_is_replayed_with_the_same_writes() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gateways.jsonl");
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
        gateway_operator::manager(replica.config, &args(&[]), &Prometheus::new())
    });
    let name = "recorded::a_recording_is_replayed_with_the_same_writes";
    let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    let report = replay.differences(usize::MAX).run(&arguments).unwrap();
    println!("replay: {report}");
    assert!(report.writes > 0 && report.unknown.is_empty(), "{report}");
    assert!(report.equal * 1_000 >= report.runs * 999, "{report}");
}
