//! The server itself, asked over plain HTTP: its own objects, validation, allocation, front end.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod addresses;
mod bootstrap;
mod certificates;
mod evictions;
mod front;
mod http;
mod lifecycle;
mod openapi;
mod pods;
mod statuses;
mod tables;
mod writes;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("default/kubernetes is the service of the server, and comes back", bootstrap::own_service)
        .alone(),
    scenario!("a server starts with the roles and bindings of a cluster", bootstrap::roles),
    scenario!("a server starts with its API services, and follows definitions", bootstrap::api_services),
    scenario!("kube-system has the config maps and the lease of the server", bootstrap::system_objects),
    scenario!("component statuses are listed and read", bootstrap::components),
    scenario!("a resource version in a create is checked by the write", writes::versioned_create),
    scenario!("a JSON patch applies to the object as it is served", writes::json_patches),
    scenario!("events are selected by their source or their reporter", writes::event_sources),
    scenario!("a trust bundle has the name of its signer, and authorities", certificates::trust_bundles),
    scenario!("service addresses come from the ranges, and have objects", addresses::cluster_ips),
    scenario!("node ports come from their range, once each", addresses::node_ports),
    scenario!("IP addresses and service ranges are canonical", addresses::canonical),
    scenario!("kernel parameters of pods are validated", pods::sysctls),
    scenario!("projected volumes of pods are validated", pods::projected),
    scenario!("host names of pods are validated", pods::host_names),
    scenario!("an update of a pod changes only some fields, in one direction", pods::updates),
    scenario!("the template of a suspended job may change", pods::job_templates),
    scenario!("ranges of ports in network policies are validated", pods::port_ranges),
    scenario!("ephemeral containers are added to a pod, and stay", statuses::ephemeral_containers),
    scenario!("a resize changes CPU and memory alone", statuses::resizes),
    scenario!("the status of a pod is validated", statuses::pods),
    scenario!("counts in the statuses of workloads are validated", statuses::counts),
    scenario!("the status of a job is validated, and its end stays", statuses::jobs),
    scenario!("the statuses of other kinds are validated", statuses::others),
    scenario!("a node's ranges, provider and status are validated", statuses::nodes),
    scenario!("evictions follow the budget's status and policy", evictions::budgets),
    scenario!("owners in a circle are deleted", lifecycle::cycles),
    scenario!("the dependents of a collected job are collected", lifecycle::collected_jobs),
    scenario!("a namespace loses its pods first, and reports what remains", lifecycle::namespaces),
    scenario!("a namespace keeps its service account and certificate authority", lifecycle::content),
    scenario!("definitions are published in both versions of OpenAPI", openapi::custom),
    scenario!("OpenAPI has the paths of watches, proxies and the server itself", openapi::paths),
    scenario!("each list has the columns of its kind as a table", tables::columns),
    scenario!("the cells of a table are those of the kind", tables::cells),
    scenario!("definitions of custom resources have a table of their own", tables::definitions),
    scenario!("requests for certificates are validated", certificates::requests),
    scenario!("requests for certificates have valid signatures", certificates::signatures),
    scenario!("a request for a certificate is approved or denied, for good", certificates::decisions),
    scenario!("a request gets a valid certificate once", certificates::issued),
    scenario!("a malformed timeout is refused", front::timeouts),
    scenario!("a review is not a table", front::not_acceptable),
    scenario!("discovery has the hashes of storage versions", front::storage_version_hashes),
    scenario!("health checks are listed, single and excluded", front::health),
    scenario!("responses have an audit ID, and the flow schema and level", front::headers),
    scenario!("tokens can be verified by OpenID discovery", front::openid),
];
