//! The network policies that apply to a pod: an index of policies by pod, as a proxy or a network plugin needs it. Prints the pods
//! whose policies change. `cargo run --example network_policies -- [NAMESPACE]`
//!
//! A policy selects pods by labels. Here each pod asks for the policies that select it: a changed policy concerns only its pods, and a changed
//! pod only its own entry.

use client_rs::api::core::v1::Pod;
use client_rs::api::networking::v1::NetworkPolicy;
use client_rs::collections::{Graph, LabelSet, Selection};
use client_rs::machinery::labels::Selector;
use client_rs::prelude::*;

/// The traffic that may reach a pod.
#[derive(Debug, PartialEq)]
enum Inbound {
    /// No policy selects the pod.
    Everything,
    /// The names of the policies that select it; they allow what one of them allows.
    Policies(Vec<Str>),
}

/// The pods that a policy applies to: by labels, in its own namespace.
fn selection(policy: &NetworkPolicy) -> Option<Selection> {
    let selector = Selector::try_from(&policy.spec.pod_selector).ok()?;
    Some(Selection::new(selector).in_namespace(policy.metadata.namespace.clone()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let namespaces = std::env::args().skip(1);
    let factory =
        SharedInformerFactory::with_options(rest, FactoryOptions::default().with_namespaces(namespaces));

    let graph = Graph::new();
    let pods = graph.informer::<Pod>("pods", &factory.informer_for())?;
    let policies = graph.informer::<NetworkPolicy>("policies", &factory.informer_for())?;
    // Only the labels: the status of a pod changes often, and no policy depends on it.
    let labels = graph.map("labels", &pods, |key, pod, _| {
        LabelSet::new(pod.metadata.labels.clone()).in_namespace(key.namespace.clone())
    });
    let by_selector = graph.index_selectors(&policies, |_, policy| selection(policy));
    let inbound = graph.map("inbound", &labels, move |_, labels, look| {
        let policies = look.selecting(&by_selector, labels);
        if policies.is_empty() {
            Inbound::Everything
        } else {
            Inbound::Policies(policies.iter().map(|(key, _)| key.name.clone()).collect())
        }
    });

    let mut observer = graph.observe(&inbound);
    let synced = graph.clone();
    let manager = Manager::new(&factory).graph("policies", &graph).runnable("proxies", |stop| async move {
        let send = async {
            // A pod whose policies are not known yet must not be open to everything.
            synced.synced().await;
            loop {
                for change in observer.next().await.list {
                    match change.new.as_deref() {
                        Some(Inbound::Everything) => println!("{} is open", change.key),
                        Some(Inbound::Policies(names)) => println!("{} has {names:?}", change.key),
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
