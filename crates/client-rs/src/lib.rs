//! client-go, whole, in Rust.
//!
//! This crate is the door to the others: each layer is a crate of its own, and a program that needs one of
//! them alone can depend on that one.
//!
//! | module | holds |
//! |---|---|
//! | [`machinery`] | the object model: metadata, selectors, quantities, errors, patches, wire formats |
//! | [`api`] | every built-in Kubernetes type |
//! | [`transport`] | where the cluster is and who asks: kubeconfig, in-cluster configuration, credentials, HTTP |
//! | [`client`] | requests, watches, and lists as they arrive; retries, throttling, paging; exec, ports, copies, logs |
//! | [`kubernetes`] | the clientset: a typed client of every built-in resource, and accessors of their informers |
//! | [`informers`] | informers over clients: factories, typed, dynamic and of metadata |
//! | [`cache`] | reflectors, queues of deltas, indexed stores, shared informers, listers |
//! | [`certificate`] | identities that the cluster signs and that renew themselves |
//! | [`controller`] | the reconcile loop over informers and a queue; a manager that runs all of it |
//! | [`custom`] | custom resources from Rust types: `#[derive(CustomResource)]`, schemas, definitions, installation |
//! | [`events`] | recorders that never block, correlation, delivery |
//! | [`leaderelection`] | leadership as a guard with a fencing token; shards spread over replicas |
//! | [`workqueue`] | deduplicated, delayed, rate-limited, prioritised and fair queues of keys |
//! | `apiserver` (feature) | an API server in the process, and fakes: for tests |
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

#[cfg(feature = "api")]
pub use client_rs_api as api;
#[cfg(feature = "apiserver")]
pub use client_rs_apiserver as apiserver;
#[cfg(feature = "cache")]
pub use client_rs_cache as cache;
#[cfg(feature = "client")]
pub use client_rs_client as client;
#[cfg(feature = "certificate")]
pub use client_rs_client::certificate;
#[cfg(feature = "controller")]
pub use client_rs_controller as controller;
#[cfg(feature = "custom")]
pub use client_rs_custom as custom;
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
#[cfg(feature = "transport")]
pub use client_rs_transport as transport;
#[cfg(feature = "workqueue")]
pub use client_rs_workqueue as workqueue;

/// The names that nearly every program needs.
pub mod prelude {
    #[cfg(feature = "cache")]
    pub use client_rs_cache::{FactoryOptions, HandlerFns, HandlerOptions, Lister, SharedInformer};
    #[cfg(feature = "client")]
    pub use client_rs_client::{AllNamespaces, Api, RestClient};
    #[cfg(feature = "controller")]
    pub use client_rs_controller::{
        Action, Context, Controller, ControllerOptions, Manager, ManagerOptions, ReconcileError,
        RunnableController,
    };
    #[cfg(feature = "events")]
    pub use client_rs_events::{EventRecorder, EventType};
    #[cfg(feature = "informers")]
    pub use client_rs_informers::SharedInformerFactory;
    #[cfg(feature = "kubernetes")]
    pub use client_rs_kubernetes::{Clientset, informers::BuiltInInformers};
    pub use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
    pub use client_rs_machinery::wire::Message;
    pub use client_rs_machinery::{
        ApiError, List, Map, Object, ObjectKey, ObjectList, Quantity, Resource, Shared, Str,
    };
    #[cfg(feature = "transport")]
    pub use client_rs_transport::Config;
    #[cfg(feature = "workqueue")]
    pub use client_rs_workqueue::WorkQueue;
}

/// The names that an operator needs: one line instead of twenty.
#[cfg(all(
    feature = "controller",
    feature = "custom",
    feature = "events",
    feature = "informers",
    feature = "leaderelection"
))]
pub mod operator {
    pub use client_rs_cache::{FactoryOptions, Lister};
    pub use client_rs_client::{Api, RestClient};
    pub use client_rs_controller::{
        Action, Applied, Conditions, Context, Controller, ControllerOptions, Finalizing, Manager,
        ManagerOptions, Owned, ReconcileError, Reconciler, Result, adopt, condition, finalizer,
        finalizers_changed, generation_changed,
    };
    pub use client_rs_custom::crds;
    pub use client_rs_events::{
        EventBroadcaster, EventBroadcasterOptions, EventRecorder, EventType, RestEventSink,
    };
    pub use client_rs_informers::SharedInformerFactory;
    #[cfg(feature = "kubernetes")]
    pub use client_rs_kubernetes::informers::BuiltInInformers;
    pub use client_rs_leaderelection::{
        LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions, unique_identity,
    };
    pub use client_rs_machinery::meta::v1::{Condition, ObjectMeta};
    pub use client_rs_machinery::{Json, Object, ObjectKey, Resource, json};
    pub use client_rs_transport::Config;
}

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
