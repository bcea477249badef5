//! [`Workloads`]: all of the controllers, running.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::InformerState;
use client_rs_client::{Error, RestClient};
use client_rs_controller::{ControllerOptions, ControllerState, Manager, ManagerError, RunnableController};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_workqueue::QueueMetrics;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{DeploymentController, NodeController, ReplicaSetController, node};

client_rs_machinery::options! {
    /// How the controllers run.
    #[derive(Clone)]
    pub struct WorkloadsOptions {
        /// How many nodes are played. Default: 3.
        pub nodes: usize => with_nodes,
        /// The time from the creation of a pod until it is ready. Default: none.
        pub start_delay: Duration => with_start_delay,
        /// The time that a pod takes to stop; at most its grace period. Default: none.
        pub stop_delay: Duration => with_stop_delay,
        /// How many objects each controller reconciles in parallel. Default: 4.
        pub workers: usize => with_workers,
        /// Where the metrics of their queues go, all together. Default: nowhere.
        pub queue_metrics: Option<Arc<dyn QueueMetrics>> => with_queue_metrics,
    }
}

impl Default for WorkloadsOptions {
    fn default() -> Self {
        Self {
            nodes: 3,
            start_delay: Duration::ZERO,
            stop_delay: Duration::ZERO,
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
    controllers: Vec<Arc<RunnableController>>,
    running: Option<JoinHandle<Result<(), ManagerError>>>,
}

impl Workloads {
    /// Creates the nodes and starts the controllers on the current runtime.
    pub async fn start(rest: RestClient, options: WorkloadsOptions) -> Result<Self, Error> {
        let clientset = Clientset::from_rest(rest.clone());
        node::create_nodes(&clientset, options.nodes).await?;
        let factory = SharedInformerFactory::new(rest);
        let workers = || {
            let mut own = ControllerOptions::default().with_workers(options.workers);
            own.queue.metrics.clone_from(&options.queue_metrics);
            own
        };
        let controllers: Vec<Arc<RunnableController>> = vec![
            Arc::new(DeploymentController::build(clientset.clone(), &factory, workers())),
            Arc::new(ReplicaSetController::build(clientset.clone(), &factory, workers())),
            Arc::new(NodeController::build(
                clientset.clone(),
                &factory,
                options.start_delay,
                options.stop_delay,
                workers(),
            )),
        ];
        let mut manager = Manager::new(&factory);
        for controller in &controllers {
            manager = manager.controller(Arc::clone(controller));
        }
        let nodes = factory.core().v1().nodes().lister();
        let manager = manager.runnable("heartbeat", move |stop| node::heartbeat(clientset, nodes, stop));
        let stop = CancellationToken::new();
        let running = Some(tokio::spawn(manager.run(stop.clone())));
        Ok(Self { stop, factory, controllers, running })
    }

    /// How the controllers are doing.
    pub fn controllers(&self) -> Vec<ControllerState> {
        self.controllers.iter().map(|controller| controller.state()).collect()
    }

    /// How their informers are doing.
    pub fn informers(&self) -> Vec<InformerState> {
        self.factory.state()
    }

    /// The informers, to look at the same objects without a cache of one's own.
    pub fn factory(&self) -> &SharedInformerFactory {
        &self.factory
    }

    /// Ends them and waits until they have.
    pub async fn shutdown(mut self) -> Result<(), ManagerError> {
        self.stop.cancel();
        match self.running.take() {
            Some(running) => running.await.unwrap_or(Ok(())),
            None => Ok(()),
        }
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
            .field("nodes", &self.nodes)
            .field("start_delay", &self.start_delay)
            .field("stop_delay", &self.stop_delay)
            .field("workers", &self.workers)
            .field("queue_metrics", &self.queue_metrics.is_some())
            .finish()
    }
}
