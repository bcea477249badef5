//! Admission: the plugins that a real API server has by default, with their texts.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod classes;
mod limits;
mod pods;
mod quotas;
mod requests;
mod security;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("a quota counts objects: creates are charged, dry runs are not, deletes free", quotas::counts),
    scenario!("parallel creates do not exceed a quota", quotas::parallel),
    scenario!("a quota of CPU and memory needs requests, and counts running pods", quotas::compute),
    scenario!("a quota with scopes counts the pods in them", quotas::scopes),
    scenario!("a change of a service can exceed a quota", quotas::services),
    scenario!("a quota of storage counts claims, also by class", quotas::storage),
    scenario!("a quota counts custom resources", quotas::custom_resources),
    scenario!("limit ranges set defaults in containers, and an annotation lists them", limits::defaults),
    scenario!("limit ranges bound containers, pods and claims", limits::bounds),
    scenario!("a runtime class sets overhead, node selector and tolerations", classes::runtime),
    scenario!("claims and ingresses get the newest default class", classes::defaults).alone(),
    scenario!("a claim grows only if it is bound and its class allows it", classes::expansion),
    scenario!("pods get the topology labels of their node", classes::topology),
    scenario!("no certificate request is for system:masters", classes::certificates),
    scenario!("a pod gets the priority of its class, and one class is the default", pods::priority).alone(),
    scenario!("pods get what their service account and the server's defaults add", pods::accounts),
    scenario!("a pod is not resized beyond its node", pods::resize),
    scenario!("system namespaces stay, and a namespace that ends takes no objects", pods::namespaces),
    scenario!("pods that violate the enforced level are refused", security::enforced),
    scenario!("pods and workloads that violate the level for warnings are warned of", security::warned),
    scenario!("labels of pod security are validated, and a new level is checked", security::labels),
    scenario!("each check of pod security has the same text", security::checks),
];
