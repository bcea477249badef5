//! The controllers on the embedded server, in paused time: each test waits for a state, never for a time.

#![allow(clippy::unwrap_used, reason = "a panic is a test's report, in its helpers too")]

mod cron_jobs;
mod daemon_sets;
mod jobs;
mod nodes;
mod services;
mod stateful_sets;
mod volumes;

use std::time::Duration;

use client_rs_api::core::v1::Pod;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{DynamicClient, RestClient};
use client_rs_kubernetes::Clientset;
use client_rs_machinery::{Json, Unstructured};
use client_rs_workloads::{Workloads, WorkloadsOptions};

/// A server with all controllers and three nodes.
struct World {
    server: Server,
    rest: RestClient,
    clientset: Clientset,
    workloads: Workloads,
}

impl World {
    async fn new() -> Self {
        Self::with(WorkloadsOptions::default()).await
    }

    async fn with(options: WorkloadsOptions) -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let workloads = Workloads::start(rest.clone(), options).await.unwrap();
        Self { server, clientset: Clientset::from_rest(rest.clone()), rest, workloads }
    }

    /// Creates an object in the default namespace.
    async fn create(&self, object: Json) -> Unstructured {
        let object = Unstructured::try_from(object).unwrap();
        let api = DynamicClient::from_rest(self.rest.clone()).of_object(&object, "default").await.unwrap();
        api.create(object).await.unwrap()
    }

    async fn pods(&self) -> Vec<Pod> {
        let pods = self.clientset.core_v1().pods("default").list().await.unwrap();
        pods.items[..].to_vec()
    }

    /// The reasons of the events about an object, sorted.
    async fn reasons(&self, name: &str) -> Vec<String> {
        let events = self.clientset.core_v1().events("default").list().await.unwrap().items;
        let about = events.iter().filter(|event| &*event.involved_object.name == name);
        let mut reasons: Vec<String> = about.map(|event| event.reason.to_string()).collect();
        reasons.sort();
        reasons.dedup();
        reasons
    }

    /// Waits until a question has an answer.
    async fn until<T>(&self, what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
        for _ in 0..3000 {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("not within five minutes: {what}; {:#?}", self.workloads.controllers());
    }

    /// Ends all. No reconcile may have panicked or taken too long, and when nothing changes the controllers rest.
    async fn end(self) {
        let runs =
            || self.workloads.controllers().into_iter().map(|state| (state.name, state.counts.total()));
        // The consequences of the last change of the test.
        tokio::time::sleep(Duration::from_secs(40)).await;
        let before: Vec<(String, u64)> = runs().collect();
        tokio::time::sleep(Duration::from_secs(20)).await;
        for ((name, before), (_, after)) in before.iter().zip(runs()) {
            assert!(after - before <= 20, "{name} does not rest: {before} runs, then {after}");
        }
        for state in self.workloads.controllers() {
            assert_eq!((state.counts.panics, state.counts.timeouts), (0, 0), "{}", state.name);
        }
        self.workloads.shutdown().await.unwrap();
        self.server.shutdown().await;
    }
}
