//! [`Workloads`]: the controllers, running.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::InformerState;
use client_rs_client::{DynamicClient, Error, RestClient};
use client_rs_controller::{ControllerOptions, ControllerState, Manager, ManagerError, RunnableController};
use client_rs_events::{EventBroadcaster, RestEventSink};
use client_rs_informers::{DynamicSharedInformerFactory, SharedInformerFactory};
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_workqueue::QueueMetrics;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::node::{self, NodeController};
use crate::selection::{CONTROLLERS, Selection};
use crate::shell::Cluster;

client_rs_machinery::options! {
    /// How the controllers run.
    #[derive(Clone)]
    pub struct WorkloadsOptions {
        /// The controllers that run. Default: all of them.
        pub controllers: Selection => with_controllers,
        /// How many nodes are played, if the controller `node` runs. Default: 3.
        pub nodes: usize => with_nodes,
        /// The time from the creation of a pod until it is ready. Default: none.
        pub start_delay: Duration => with_start_delay,
        /// The time that a pod takes to stop; at most its grace period. Default: none.
        pub stop_delay: Duration => with_stop_delay,
        /// The time that a pod of a job runs until it succeeds. `None`: forever. Default: one second.
        pub run_time: Option<Duration> => with_run_time,
        /// Whether played nodes report what becomes of their pods. Otherwise pods are only placed on them, and somebody else writes their
        /// status and removes them. Default: yes.
        pub pod_status: bool => with_pod_status,
        /// Whether played nodes are created as ready nodes with addresses and capacity. Otherwise somebody else writes their status.
        /// Default: yes.
        pub node_status: bool => with_node_status,
        /// How many objects each controller reconciles in parallel. Default: 4.
        pub workers: usize => with_workers,
        /// Where the metrics of their queues go, all together. Default: nowhere.
        pub queue_metrics: Option<Arc<dyn QueueMetrics>> => with_queue_metrics,
    }
}

impl Default for WorkloadsOptions {
    fn default() -> Self {
        Self {
            controllers: Selection::default(),
            nodes: 3,
            start_delay: Duration::ZERO,
            stop_delay: Duration::ZERO,
            run_time: Some(Duration::from_secs(1)),
            pod_status: true,
            node_status: true,
            workers: 4,
            queue_metrics: None,
        }
    }
}

/// The controllers of a small cluster, running. Dropping it ends them; [`shutdown`](Self::shutdown) also waits for that.
#[derive(Debug)]
#[must_use = "the controllers end when this is dropped: end with `shutdown`"]
pub struct Workloads {
    stop: CancellationToken,
    factory: SharedInformerFactory,
    dynamic: DynamicSharedInformerFactory,
    events: EventBroadcaster,
    controllers: Vec<Arc<RunnableController>>,
    running: Option<JoinHandle<Result<(), ManagerError>>>,
}

impl Workloads {
    /// Creates the nodes and starts the controllers on the current runtime.
    pub async fn start(rest: RestClient, options: WorkloadsOptions) -> Result<Self, Error> {
        let clientset = Clientset::from_rest(rest.clone());
        let clock = Clock::new();
        let plays_nodes = options.nodes > 0 && options.controllers.has("node");
        if plays_nodes {
            let status_at = options.node_status.then(|| clock.now());
            node::create_nodes(&clientset, options.nodes, status_at).await?;
        }
        let cluster = Cluster {
            factory: SharedInformerFactory::new(rest.clone()),
            dynamic: DynamicSharedInformerFactory::new(rest.clone()),
            client: DynamicClient::from_rest(rest.clone()),
            clock,
        };
        let events = EventBroadcaster::new();
        // It can only fail after a shutdown.
        drop(events.start_recording_to_sink(RestEventSink::new(rest)));
        let workers = || {
            let mut own = ControllerOptions::default().with_workers(options.workers);
            own.queue.metrics.clone_from(&options.queue_metrics);
            own
        };
        let mut controllers: Vec<Arc<RunnableController>> = Vec::new();
        for known in CONTROLLERS.iter().filter(|known| options.controllers.has(known.name)) {
            if let Some(build) = known.build {
                let recorder = events.recorder(known.component, "");
                controllers.push(Arc::new(build(&cluster, recorder, workers())));
            }
        }
        let Cluster { factory, dynamic, .. } = cluster;
        if plays_nodes {
            let recorders = ["default-scheduler", "taint-eviction-controller", "kubelet"]
                .map(|component| events.recorder(component, ""));
            let clientset = clientset.clone();
            let node = NodeController::build(clientset, &factory, clock, recorders, &options, workers());
            controllers.push(Arc::new(node));
        }
        let mut manager = Manager::new(&factory);
        for controller in &controllers {
            manager = manager.controller(Arc::clone(controller));
        }
        let stop = CancellationToken::new();
        if plays_nodes {
            let nodes = factory.core().v1().nodes().lister();
            manager =
                manager.runnable("heartbeat", move |stop| node::heartbeat(clientset, nodes, clock, stop));
        }
        dynamic.start();
        let running = Some(tokio::spawn(manager.run(stop.clone())));
        Ok(Self { stop, factory, dynamic, events, controllers, running })
    }

    /// How the controllers are doing.
    pub fn controllers(&self) -> Vec<ControllerState> {
        self.controllers.iter().map(|controller| controller.state()).collect()
    }

    /// How their informers are doing.
    pub fn informers(&self) -> Vec<InformerState> {
        [self.factory.state(), self.dynamic.state()].concat()
    }

    /// The informers of pods and nodes, to look at the same objects without a cache of one's own.
    pub fn factory(&self) -> &SharedInformerFactory {
        &self.factory
    }

    /// Ends them and waits until they have.
    pub async fn shutdown(mut self) -> Result<(), ManagerError> {
        self.stop.cancel();
        let ended = match self.running.take() {
            Some(running) => running.await.unwrap_or(Ok(())),
            None => Ok(()),
        };
        self.dynamic.shutdown().await;
        self.events.shutdown().await;
        ended
    }
}

impl Drop for Workloads {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl fmt::Debug for WorkloadsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkloadsOptions")
            .field("controllers", &self.controllers)
            .field("nodes", &self.nodes)
            .field("start_delay", &self.start_delay)
            .field("stop_delay", &self.stop_delay)
            .field("run_time", &self.run_time)
            .field("pod_status", &self.pod_status)
            .field("node_status", &self.node_status)
            .field("workers", &self.workers)
            .field("queue_metrics", &self.queue_metrics.is_some())
            .finish()
    }
}
