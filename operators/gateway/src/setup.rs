//! How the parts of the operator fit together.

use client_rs::api::apiextensions::v1::CustomResourceDefinition;
use client_rs::api::core::v1::ConfigMap;
use client_rs::collections::Graph;
use client_rs::controller::{ApplySink, ManagerArgs, Prometheus, StatusSink};
use client_rs::prelude::{Api, ClusterClient, ClusterOptions, Config, Manager};

use crate::NAME;
use crate::api::{Gateway, Route};
use crate::graph::derive;

/// The names of the sinks: in metrics, and as field managers.
const CONFIGURATIONS: &str = "gateway-configurations";
const STATUSES: &str = "gateway-statuses";

/// How the operator runs.
#[derive(clap::Args, Clone, Debug)]
pub struct OperatorArgs {
    /// The arguments of every manager
    #[command(flatten)]
    pub manager: ManagerArgs,
}

/// The definitions, as they are in `config/crd`.
pub fn crds() -> [CustomResourceDefinition; 2] {
    [Gateway::crd(), Route::crd()]
}

/// Everything that the operator runs; `metrics` counts what it does.
///
/// # Errors
///
/// If the configuration or the arguments are invalid.
pub fn manager(config: Config, args: &OperatorArgs, metrics: &Prometheus) -> anyhow::Result<Manager> {
    let config = args.manager.rate_limited(config);
    let options =
        ClusterOptions::default().with_factory(args.manager.factory_options()).with_metrics(metrics.clone());
    let client = ClusterClient::from_config_with(NAME, &config, options)?;

    let graph = Graph::new();
    let derived = derive(&graph, &client)?;
    // Each sink writes what differs, and nothing else.
    let options = |name: &str| args.manager.controller_options().with_prometheus(metrics, name);
    let maps = Api::<ConfigMap, _>::all(client.rest());
    let configurations =
        ApplySink::new(CONFIGURATIONS, &graph, &derived.configurations, maps, client.informer())
            .options(options(CONFIGURATIONS))
            .events(client.recorder().clone())
            .build();
    let routes = Api::<Route, _>::all(client.rest());
    let statuses = StatusSink::new(STATUSES, &graph, &derived.statuses, routes, client.informer())
        .options(options(STATUSES))
        .build();

    let mut manager = client
        .manager_with(args.manager.manager_options(client.rest()))
        .graph("gateway", &graph)
        .controller(configurations)
        .controller(statuses);
    let election = args.manager.election_options().with_metrics(metrics.election());
    if let Some(elector) = args.manager.elector_with(&config, NAME, election)? {
        manager = manager.election(elector);
    }
    Ok(manager)
}
