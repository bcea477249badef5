//! A controller without a reconcile function: each service with the annotation `example.com/monitor` gets a config map with a scrape
//! configuration, which follows the service and goes with it. `cargo run --example derived_objects -- [NAMESPACE]`
//!
//! The function says how a config map follows from a service. The sink applies what differs, and deletes what is no longer derived.

use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::collections::Graph;
use client_rs::controller::{ApplySink, DerivedObject};
use client_rs::prelude::*;

fn scrape(service: &Service) -> Option<Json> {
    let path = service.metadata.annotations.get("example.com/monitor")?;
    let target = |port: &client_rs::api::core::v1::ServicePort| {
        format!("http://{}.{}:{}{path}", service.metadata.name, service.metadata.namespace, port.port)
    };
    let targets: Vec<String> = service.spec.ports.iter().map(target).collect();
    Some(json!({"data": {"targets": targets.join("\n")}}))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let namespaces = std::env::args().skip(1);
    let options = FactoryOptions::default().with_namespaces(namespaces);
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
    let broadcaster = EventBroadcaster::new();
    broadcaster.start_recording_to_sink(RestEventSink::new(rest.clone()))?;

    let graph = Graph::new();
    let services = graph.informer::<Service>("services", &factory.informer_for())?;
    let configs = graph.filter_map("scrape configs", &services, |_, service, _| {
        // The service owns the config map, so the garbage collector deletes one with the other.
        DerivedObject::new(&**service, scrape(service)?).ok()
    });
    let api = Api::<ConfigMap, AllNamespaces>::all(&rest);
    let sink = ApplySink::new("scrape-configs", &graph, &configs, api, factory.informer_for())
        .events(broadcaster.recorder("scrape-configs", ""))
        .build();

    let manager = Manager::new(&factory).graph("monitoring", &graph).controller(sink);
    println!("following the services");
    manager.run_until_signal().await?;
    broadcaster.shutdown().await;
    Ok(())
}
