//! The configuration of a small gateway, kept up to date: services → endpoints → routing table. Prints the routes that change.
//! `cargo run --example gateway -- [NAMESPACE]`
//!
//! Nothing here says when to compute what: the graph finds the routes that a change concerns.

use client_rs::api::core::v1::Service;
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::collections::Graph;
use client_rs::prelude::*;

/// The ready addresses of one slice, and its ports by name. Nothing else of a slice reaches the routes.
#[derive(Debug, PartialEq)]
struct Endpoints {
    service: ObjectKey,
    addresses: Vec<Str>,
    ports: Vec<(Str, i32)>,
}

fn endpoints(key: &ObjectKey, slice: &EndpointSlice) -> Option<Endpoints> {
    let service = slice.metadata.labels.get("kubernetes.io/service-name")?;
    // A missing condition means ready.
    let ready = slice.endpoints.iter().filter(|endpoint| endpoint.conditions.ready != Some(false));
    let ports =
        slice.ports.iter().filter_map(|port| Some((port.name.clone().unwrap_or_default(), port.port?)));
    Some(Endpoints {
        service: ObjectKey::new(key.namespace.clone(), service.clone()),
        addresses: ready.flat_map(|endpoint| endpoint.addresses.iter().cloned()).collect(),
        ports: ports.collect(),
    })
}

/// The backends of one port of a service, sorted.
fn backends<'a>(port: &str, slices: impl Iterator<Item = &'a Endpoints>) -> Vec<String> {
    let mut backends = Vec::new();
    for slice in slices {
        for (_, number) in slice.ports.iter().filter(|(name, _)| name == port) {
            backends.extend(slice.addresses.iter().map(|address| format!("{address}:{number}")));
        }
    }
    backends.sort();
    backends
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let namespaces = std::env::args().skip(1);
    let factory =
        SharedInformerFactory::with_options(rest, FactoryOptions::default().with_namespaces(namespaces));

    let graph = Graph::new();
    let services = graph.informer::<Service>("services", &factory.informer_for())?;
    let slices = graph.informer::<EndpointSlice>("endpoint slices", &factory.informer_for())?;
    let ready = graph.filter_map("endpoints", &slices, |key, slice, _| endpoints(key, slice));
    let by_service = graph.index(&ready, |_, endpoints| [endpoints.service.clone()]);
    // One route for each port of a service: host and port to backends.
    let routes = graph.flat_map("routes", &services, move |key, service, look| {
        let host = format!("{}.{}", key.name, key.namespace);
        let route = |port: &client_rs::api::core::v1::ServicePort| {
            let slices = look.indexed(&by_service, key).map(|(_, endpoints)| &**endpoints);
            (format!("{host}:{}", port.port), backends(&port.name, slices))
        };
        service.spec.ports.iter().map(route).collect::<Vec<_>>()
    });

    // A gateway sends the changes to its proxies. Each delivery is one consistent state of all collections.
    let mut observer = graph.observe(&routes);
    let synced = graph.clone();
    let manager = Manager::new(&factory).graph("gateway", &graph).runnable("proxies", |stop| async move {
        let send = async {
            // Before that, routes have no backends because the slices are still unknown.
            synced.synced().await;
            loop {
                for change in observer.next().await.list {
                    match change.new {
                        Some(backends) => println!("{} -> {backends:?}", change.key),
                        None => println!("{} is gone", change.key),
                    }
                }
            }
        };
        stop.run_until_cancelled(send).await;
        Ok::<(), std::convert::Infallible>(())
    });
    manager.run_until_signal().await?;
    Ok(())
}
