//! client-go, whole, in Rust: everything between a Kubernetes API server and a controller's business logic.
//!
//! This crate has no code of its own. It exports the crates of the project as modules, and its features select what is
//! compiled. Libraries that need a single layer can depend on that crate alone.
//!
//! # Where to begin
//!
//! ```toml
//! [dependencies]
//! client-rs = { version = "0.1", features = ["core"] }
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! ```
//!
//! | you want to | begin with |
//! |---|---|
//! | read and write objects | [`client::Api`], or [`kubernetes::Clientset`] for built-in kinds by name |
//! | react to changes | [`informers::SharedInformerFactory`]: a cache with handlers, indexes and listers |
//! | write a controller | [`controller::ClusterClient`], [`controller::Controller`] and [`controller::Manager`]; all names are in the [`prelude`] |
//! | define a custom resource | [`custom`]: `#[derive(CustomResource, Schema)]`, and [`custom::crds`] to install it |
//! | run several replicas | [`leaderelection`]; [`controller::Manager`] takes an elector |
//! | report what happened, for `kubectl describe` | [`events::EventRecorder`] |
//! | validate or convert objects | `webhook`, a feature |
//! | test without a cluster | `apiserver`, a feature: a server in the process, and fakes |
//! | test a controller through crashes and faults | `simulation`, a feature |
//!
//! # Modules
//!
//! Each layer is a crate of its own. A program that needs only one of them can depend on that crate.
//!
//! | module | contains |
//! |---|---|
//! | [`machinery`] | the object model: metadata, selectors, quantities, errors, patches, wire formats |
//! | [`api`] | the built-in Kubernetes types whose features are on |
//! | [`transport`] | the connection to a cluster: kubeconfig, in-cluster configuration, credentials, HTTP |
//! | [`client`] | requests, watches, and lists as they arrive; retries, throttling, paging; exec, ports, copies, logs |
//! | [`kubernetes`] | the clientset: a typed client of every built-in resource, and accessors of their informers |
//! | [`informers`] | informers over clients: factories, typed, dynamic and of metadata |
//! | [`cache`] | reflectors, queues of deltas, indexed stores, shared informers, listers |
//! | `collections` (feature) | derived collections: maps, joins and groups over informers that maintain themselves |
//! | `certificate` (feature) | identities that the cluster signs and that renew themselves |
//! | [`controller`] | the reconcile loop over informers and a queue; a manager that runs all of it |
//! | [`custom`] | custom resources from Rust types: `#[derive(CustomResource)]`, schemas, definitions, installation |
//! | [`events`] | recorders that never block, correlation, delivery |
//! | [`leaderelection`] | leadership as a guard with a fencing token; shards spread over replicas |
//! | [`workqueue`] | deduplicated, delayed, rate-limited, prioritised and fair queues of keys |
//! | `webhook` (feature) | admission and conversion webhooks, and their server |
//! | `apiserver` (feature) | an API server in the process, and fakes: for tests |
//! | `simulation` (feature) | deterministic simulation of controllers: for tests |
//!
//! # Features
//!
//! A feature adds something and changes nothing else. The default has the parts that a controller needs, and no API group: add
//! the groups that your program uses.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `controller` | yes | controllers and their manager; turns on `cache`, `client`, `workqueue` |
//! | `custom` | yes | custom resources from Rust types |
//! | `events` | yes | recording events, and the API group `events.k8s.io` |
//! | `informers` | yes | informers over clients, and with `controller` the `ClusterClient`; turns on `cache`, `client` |
//! | `kubernetes` | yes | [`kubernetes::Clientset`] and informers by name, of the API groups that are on |
//! | `leaderelection` | yes | leader election and sharding |
//! | `ring` | yes | TLS with ring |
//! | `aws-lc-rs` | | TLS with AWS-LC, which is used if both are on; add `default-features = false` to build without ring |
//! | `client` | by others | requests, watches, lists; turns on `transport` |
//! | `cache`, `transport`, `workqueue` | by others | these layers alone |
//! | `core`, `apps`, `batch`, … | | one API group: types, clients, informers; the name is the group's without `.k8s.io`, and `resource-metrics` is `metrics.k8s.io` |
//! | `core-pod`, `core-config-map`, … | | one kind of `core` or `autoscaling`: its type and those inside it, in a fraction of the build time |
//! | `stable`, `full` | | every API group with a stable version; every API group |
//! | `apply-core`, `apply-apps`, … | | apply configurations of one API group, and its feature |
//! | `apply`, `apply-full` | | apply configurations of the stable groups; of all |
//! | `api` | by groups | [`api`] itself, with no group |
//! | `apiserver` | | an API server in the process, and fakes |
//! | `certificate` | | identities that the cluster signs; needs `ring` or `aws-lc-rs` |
//! | `chrono`, `jiff` | | conversions of [`machinery::Time`] |
//! | `clap` | | arguments of clients (`KubeArgs`) and managers (`ManagerArgs`) |
//! | `collections` | | derived collections; turns on `cache`, `workqueue` |
//! | `copy` | | files to and from containers; turns on `streams` |
//! | `disk-cache` | | discovery kept in files, as kubectl keeps it |
//! | `exec-plugin` | | [`transport::auth::exec`]'s `plugin`: for programs that are exec plugins |
//! | `generate` | | Rust types from existing custom resource definitions |
//! | `k8s-openapi` | | the types of that crate as kinds of this one, and `kube_kind!` for kinds that kube has derived; choose its version feature yourself |
//! | `manifest` | | objects from YAML files |
//! | `metrics` | | metrics through the crate `metrics`; [`controller::Prometheus`] needs no feature |
//! | `oidc` | | the `oidc` auth provider of kubeconfigs |
//! | `packed` | | caches that keep objects compressed; builds the C library zstd |
//! | `recording` | | recordings of what controllers see and write, for replays with `simulation`; turns on `controller` |
//! | `simulation` | | deterministic simulation of controllers, for tests on Linux; turns on `apiserver`, `controller` |
//! | `streams` | | exec, attach, port-forward |
//! | `terminal` | | a prompt for user name and password (unix) |
//! | `validate` | | [`custom`]'s `Validate`: schema, defaults and CEL rules of derived kinds, without a server |
//! | `webhook` | | admission and conversion webhooks |
//!
//! # Objects
//!
//! An object is a plain struct. Every type has a constant `EMPTY`, so an object is written with the fields that matter:
//!
//! ```
//! use client_rs::api::core::v1::{Container, Pod, PodSpec};
//! use client_rs::prelude::*;
//!
//! let pod = Pod {
//!     metadata: ObjectMeta { name: "web".into(), namespace: "shop".into(), ..ObjectMeta::EMPTY },
//!     spec: PodSpec {
//!         containers: [Container { name: "app".into(), image: "nginx:1.29".into(), ..Container::EMPTY }].into(),
//!         ..PodSpec::EMPTY
//!     }
//!     .into(),
//!     ..Pod::EMPTY
//! };
//! assert_eq!(pod.key().to_string(), "shop/web");
//! // The same object in both formats of the API.
//! assert_eq!(Pod::from_json(&pod.to_json())?, pod);
//! assert_eq!(Pod::from_protobuf(&pod.to_protobuf())?, pod);
//! # Ok::<(), client_rs::machinery::wire::DecodeError>(())
//! ```
//!
//! # Requests
//!
//! A handle of a kind has one method per verb. A request is sent when it is awaited; options are methods before that:
//!
//! ```
//! use client_rs::api::core::v1::Pod;
//! use client_rs::prelude::*;
//!
//! async fn restart(rest: &RestClient, name: &str) -> Result<(), client_rs::client::Error> {
//!     let pods = Api::<Pod>::namespaced(rest, "shop");
//!     match pods.delete(name).dry_run().await {
//!         // Errors of the server have names.
//!         Err(error) if error.is_not_found() => Ok(()),
//!         deleted => deleted.map(drop),
//!     }
//! }
//! ```
//!
//! # A custom resource and its reconcile function
//!
//! ```
//! use client_rs::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
//! #[resource(group = "example.com", version = "v1", kind = "Site", namespaced)]
//! pub struct SiteSpec {
//!     pub host: String,
//! }
//!
//! struct Sites {
//!     sites: Lister<Site>,
//! }
//!
//! impl Reconciler for Sites {
//!     async fn reconcile(&self, key: ObjectKey, _: Context) -> Result<Action, ReconcileError> {
//!         if let Ok(site) = self.sites.get(&key) {
//!             println!("{key} is served at {}", site.spec.host);
//!         }
//!         Ok(Action::done())
//!     }
//! }
//! assert_eq!(Site::crd().metadata.name, "sites.example.com");
//! ```
//!
//! The repository's `examples` folder has complete programs: a controller, an operator, leader election, webhooks, tests
//! without a cluster.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "api")]
pub use client_rs_api as api;
#[cfg(feature = "apiserver")]
pub use client_rs_apiserver as apiserver;
#[cfg(feature = "cache")]
pub use client_rs_cache as cache;
#[cfg(feature = "cache")]
pub use client_rs_cache::CancellationToken;
#[cfg(feature = "client")]
pub use client_rs_client as client;
#[cfg(all(feature = "certificate", any(feature = "aws-lc-rs", feature = "ring")))]
pub use client_rs_client::certificate;
#[cfg(feature = "collections")]
pub use client_rs_collections as collections;
#[cfg(feature = "controller")]
pub use client_rs_controller as controller;
#[cfg(feature = "custom")]
pub use client_rs_custom as custom;
#[cfg(feature = "generate")]
pub use client_rs_custom::generate;
#[cfg(feature = "webhook")]
pub use client_rs_custom::webhook;
#[cfg(feature = "custom")]
pub use client_rs_custom::{Apply, CustomResource, Schema};
#[cfg(feature = "events")]
pub use client_rs_events as events;
#[cfg(feature = "informers")]
pub use client_rs_informers as informers;
#[cfg(feature = "kubernetes")]
pub use client_rs_kubernetes as kubernetes;
#[cfg(feature = "leaderelection")]
pub use client_rs_leaderelection as leaderelection;
pub use client_rs_machinery as machinery;
#[cfg(feature = "k8s-openapi")]
pub use client_rs_machinery::kube_kind;
#[cfg(feature = "simulation")]
pub use client_rs_simulation as simulation;
#[cfg(feature = "transport")]
pub use client_rs_transport as transport;
#[cfg(feature = "workqueue")]
pub use client_rs_workqueue as workqueue;

/// The names that nearly every controller and operator needs: `use client_rs::prelude::*;`.
///
/// It shadows no name of the standard library's prelude. Names that other crates use for something else (`Result`, `List`,
/// `Map`, `Error`, `Apply`) are not in it.
///
/// ```
/// use client_rs::prelude::*;
///
/// let key = ObjectKey::new("shop", "web");
/// assert_eq!(key.to_string(), "shop/web");
/// let document = json!({"metadata": {"name": "web"}});
/// assert_eq!(document["metadata"]["name"].as_str(), Some("web"));
/// ```
pub mod prelude {
    #[cfg(feature = "cache")]
    pub use client_rs_cache::{
        FactoryOptions, HandlerFns, HandlerOptions, KindOptions, Lister, SharedInformer,
    };
    #[cfg(feature = "client")]
    pub use client_rs_client::{AllNamespaces, Api, RestClient};
    #[cfg(feature = "controller")]
    pub use client_rs_controller::{
        Action, Applied, Conditions, Context, Controller, ControllerOptions, Finalizing, Manager,
        ManagerOptions, Owned, ReconcileError, Reconciler, RunnableController, adopt, condition, finalizer,
        finalizers_changed, generation_changed,
    };
    #[cfg(all(feature = "controller", feature = "informers"))]
    pub use client_rs_controller::{ClusterClient, ClusterOptions, Uncached};
    #[cfg(feature = "custom")]
    pub use client_rs_custom::{CustomResource, Schema, crds};
    #[cfg(feature = "events")]
    pub use client_rs_events::{
        EventBroadcaster, EventBroadcasterOptions, EventRecorder, EventType, RestEventSink,
    };
    #[cfg(feature = "informers")]
    pub use client_rs_informers::SharedInformerFactory;
    #[cfg(feature = "kubernetes")]
    pub use client_rs_kubernetes::{Clientset, informers::BuiltInInformers};
    #[cfg(feature = "leaderelection")]
    pub use client_rs_leaderelection::{
        LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions, unique_identity,
    };
    pub use client_rs_machinery::meta::v1::{Condition, ObjectMeta, OwnerReference};
    pub use client_rs_machinery::wire::Message;
    pub use client_rs_machinery::{
        ApiError, Json, Object, ObjectKey, ObjectList, Quantity, Resource, Str, json,
    };
    #[cfg(feature = "transport")]
    pub use client_rs_transport::Config;
    #[cfg(feature = "workqueue")]
    pub use client_rs_workqueue::WorkQueue;

    #[cfg(feature = "cache")]
    pub use crate::CancellationToken;
}

/// Programs of the README and of the documents run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/examples.md")]
struct Readme;

/// The programs of the guide run with the tests, too.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../docs/guide/README.md")]
    struct Introduction;
    #[doc = include_str!("../../../docs/guide/first-request.md")]
    struct FirstRequest;
    #[doc = include_str!("../../../docs/guide/informers.md")]
    struct Informers;
    #[doc = include_str!("../../../docs/guide/reconcile.md")]
    struct Reconcile;
    #[doc = include_str!("../../../docs/guide/stale-caches.md")]
    struct StaleCaches;
    #[doc = include_str!("../../../docs/guide/work-queues.md")]
    struct WorkQueues;
    #[doc = include_str!("../../../docs/guide/custom-resources.md")]
    struct CustomResources;
    #[doc = include_str!("../../../docs/guide/webhooks.md")]
    struct Webhooks;
    #[doc = include_str!("../../../docs/guide/testing.md")]
    struct Testing;
    #[cfg(feature = "simulation")]
    #[doc = include_str!("../../../docs/guide/simulation.md")]
    struct Simulation;
    #[doc = include_str!("../../../docs/guide/leader-election.md")]
    struct LeaderElection;
    #[doc = include_str!("../../../docs/guide/clusters.md")]
    struct Clusters;
    #[cfg(feature = "simulation")]
    #[doc = include_str!("../../../docs/guide/observability.md")]
    struct Observability;
    #[doc = include_str!("../../../docs/guide/security.md")]
    struct Security;
    #[doc = include_str!("../../../docs/guide/tuning.md")]
    struct Tuning;
    #[cfg(feature = "collections")]
    #[doc = include_str!("../../../docs/guide/derived-collections.md")]
    struct DerivedCollections;
    #[doc = include_str!("../../../docs/guide/from-client-go.md")]
    struct FromClientGo;
    #[doc = include_str!("../../../docs/guide/from-kube-rs.md")]
    struct FromKubeRs;
    #[doc = include_str!("../../../docs/guide/troubleshooting.md")]
    struct Troubleshooting;
}
