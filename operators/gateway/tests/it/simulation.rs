//! The operator under faults: crashes between any two writes, lost responses, stale caches. A failure names a seed that repeats it.

use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::controller::Prometheus;
use client_rs::prelude::{Json, Message, Object, json};
use client_rs::simulation::Simulation;
use gateway_operator::api::{Gateway, GatewaySpec, Route, RouteSpec};

use crate::cluster::args;

pub(crate) fn route(name: &str, host: &str) -> Route {
    let spec = RouteSpec {
        gateway: "edge".to_owned(),
        host: host.to_owned(),
        path: "/".to_owned(),
        service: "web".to_owned(),
        port: 80,
    };
    Route::new(name, spec)
}

pub(crate) fn parsed<K: Message>(object: &Json) -> K {
    K::from_json(&object.to_vec()).unwrap()
}

pub(crate) fn slice(address: &str) -> EndpointSlice {
    parsed(&json!({
        "metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
        "addressType": "IPv4",
        "ports": [{"name": "http", "port": 8080}],
        "endpoints": [{"addresses": [address]}],
    }))
}

/// The config map of the gateway has exactly the accepted routes.
pub(crate) fn consistent(gateways: usize, maps: &[ConfigMap], routes: &[Route]) -> Result<(), String> {
    let wanted = usize::from(gateways > 0 && !routes.is_empty());
    if maps.len() != wanted {
        return Err(format!("{} config maps instead of {wanted}", maps.len()));
    }
    let accepted = |route: &&Route| route.status.as_ref().is_some_and(|status| status.accepted);
    let accepted = routes.iter().filter(accepted).count();
    let file = maps.first().map_or(Json::EMPTY_MAP, |map| {
        Json::parse(map.data.get("gateway.json").map_or(b"", |file| file.as_bytes())).unwrap_or_default()
    });
    let configured = file["routes"].as_list().map_or(0, |routes| routes.len());
    if accepted == configured { Ok(()) } else { Err(format!("{accepted} accepted, {configured} configured")) }
}

#[test]
fn survives_faults() {
    let service = json!({"metadata": {"name": "web"}, "spec": {"clusterIP": "None", "ports": [{"name": "http", "port": 80}]}});
    Simulation::new(|replica| async move {
        gateway_operator::manager(replica.config.clone(), &args(&[]), &Prometheus::new())
    })
    .install(gateway_operator::crds())
    .workload([Gateway::new("edge", GatewaySpec { port: 8080 })])
    // No two of them want the same place: which one is older depends on the second in which a history creates them.
    .workload([
        route("shop", "shop.example"),
        route("shop", "www.shop.example"),
        route("blog", "blog.example"),
    ])
    .workload([parsed::<Service>(&service)])
    .workload([slice("10.0.0.1"), slice("10.0.0.2")])
    .eventually("the routes of the gateways are those that are accepted", |objects| {
        // The control plane has config maps of its own.
        let owned = objects.of::<ConfigMap>().into_iter().filter(|map| map.controller().is_some());
        let maps: Vec<ConfigMap> = owned.collect();
        consistent(objects.of::<Gateway>().len(), &maps, &objects.of::<Route>())
    })
    // More of them: CLIENT_RS_SIMULATION_SEEDS=1000.
    .targeted(false)
    .seeds(10)
    .check("survives_faults");
}
