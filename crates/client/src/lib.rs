//! The Kubernetes REST client: typed and dynamic handles, watches, discovery, streams.
//!
//! Use this crate when a program talks to the API server and needs neither caches nor controllers. For those, see the crates
//! `client-rs-informers` and `client-rs-controller`, or the crate `client-rs`, which has all of them.
//!
//! # Reading and writing objects
//!
//! A [`RestClient`] is the connection to one API server. [`RestClient::from_config`] builds it from a
//! [`Config`](client_rs_transport::Config): a kubeconfig, or the service account of a pod. An [`Api`] is a handle on one kind in one
//! scope. Its methods return requests; options follow as methods, and `.await` sends them:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_client::testing::Canned;
//! use client_rs_api::core::v1::{ConfigMap, Pod};
//! use client_rs_client::Api;
//! # let server = Canned::new()
//! #     .on("GET /api/v1/namespaces/shop/pods", r#"{"items": [{"metadata": {"name": "web"}}]}"#)
//! #     .echo("POST /api/v1/namespaces/shop/configmaps");
//! # let rest = server.client();
//!
//! let pods = Api::<Pod>::namespaced(&rest, "shop").list().label_selector("app=web").await?;
//! let mut map = ConfigMap::default();
//! map.metadata.name = "inventory".into();
//! map.data.insert("pods", pods.items.len().to_string().into());
//! let created = Api::namespaced(&rest, "shop").create(map).field_manager("inventory").await?;
//! assert_eq!(created.data.get("pods").unwrap(), "1");
//! # Ok(())
//! # }
//! ```
//!
//! # Requests are data
//!
//! Below every handle is a [`Request`]: plain data that can be inspected, cloned and sent again. It covers every path of the API
//! server. The method of [`RestClient`] decides how the response is read: as an object, a list, a stream of items, a watch, or bytes.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_client::{Request, testing::Canned};
//! # let rest = Canned::new().on("GET /readyz", "{}").client();
//! let request = Request::get().abs_path(["readyz"]).param("verbose", "true");
//! assert_eq!(request.path_and_query("").unwrap(), "/readyz?verbose=true");
//! let response = rest.send_raw(request).await?;
//! assert_eq!(response.status, 200);
//! # Ok(())
//! # }
//! ```
//!
//! # Kinds that are known only at run time
//!
//! [`DynamicClient`] has the same methods for objects without a Rust type, and finds resources by the names that users type.
//! [`MetadataClient`] reads only metadata. [`ScaleClient`] sets replicas of anything that scales. [`discovery`] reports which resources
//! the server has.
//!
//! # Errors
//!
//! A call that fails returns an [`Error`]. Its text names the call and the cause. It contains no header, and of a body only the
//! message of the server. Predicates tell the common cases apart, and [`Error::api`] has the `Status` of the server:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_api::core::v1::Pod;
//! # use client_rs_client::{Api, testing::Canned};
//! # let server = Canned::new();
//! # let pods = Api::<Pod>::namespaced(&server.client(), "shop");
//! let error = pods.get("web").await.unwrap_err();
//! assert!(error.is_not_found());
//! assert_eq!(error.api().unwrap().code(), 404);
//! assert!(error.to_string().contains("/api/v1/namespaces/shop/pods/web"));
//! # Ok(())
//! # }
//! ```
//!
//! # Retries, timeouts, cancellation
//!
//! - A request is retried only if that is safe: after 429 with `Retry-After` always, after 5xx with `Retry-After` unless it creates or
//!   patches, and after a lost connection if it reads. A create is never sent twice. [`Request::max_retries`] changes the number.
//! - A write that ends with a conflict needs a new read: [`Api::retry_on_conflict`]. For other loops see [`retry`] and [`Backoff`].
//! - There is no total timeout by default, except that a response must make progress within 5 minutes. Set one per client
//!   ([`RestClientOptions::timeout`]) or per request ([`Request::timeout`]).
//! - Futures are lazy, and dropping one cancels the request. The server may have acted on it.
//! - There is no client-side rate limit unless the config sets one: the server's API Priority and Fairness decides. See
//!   [`flow_control`].
//!
//! # Watches
//!
//! [`Api::watch`] is one watch: a [`Watch`] is a stream of events, and it ends when the server closes it. To wait for a condition of one
//! object, use [`wait`]. To keep a local copy of many objects, use an informer.
//!
//! # Where to go next
//!
//! | for | see |
//! |---|---|
//! | typed handles and their options | [`api`] |
//! | kinds that are known only at run time | [`dynamic`] |
//! | the resources of a server, and their names | [`discovery`] |
//! | processes in containers, ports, files, logs | [`streams`] |
//! | HTTP to pods, services and nodes | [`proxy`] |
//! | waiting until an object reaches a state | [`wait`] |
//! | long lists | [`Api::pages`], [`Pager`] |
//! | objects from YAML and JSON files | `manifest`, a feature |
//! | certificates that the cluster signs and that renew themselves | `certificate`, a feature |
//! | writes only while this process is the leader | [`WriteGate`] |
//! | unit tests without a server | [`testing`] |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod api;
pub mod backoff;
#[cfg(all(feature = "certificate", any(feature = "aws-lc-rs", feature = "ring")))]
pub mod certificate;
pub mod discovery;
pub mod dynamic;
pub mod error;
#[cfg(test)]
mod fake_api;
pub mod flow_control;
#[cfg(feature = "manifest")]
pub mod manifest;
pub mod metrics;
mod pager;
pub mod proxy;
mod read_modify_write;
pub mod request;
mod request_count;
mod request_observer;
mod request_scope;
mod rest;
pub mod retry;
pub mod streams;
mod task_observers;
pub mod testing;
mod verb;
pub mod wait;
pub mod warning;
mod watch_list;
mod write_defaults;
pub mod write_gate;
mod write_scope;

pub use api::{AllNamespaces, Api};
pub use backoff::{Backoff, ResettingBackoff};
pub use dynamic::{DynamicApi, DynamicClient, MetadataClient, PartialObjectMeta, ScaleClient};
pub use error::{Call, Error};
pub use pager::Pager;
pub use read_modify_write::PatchOutcome;
pub use request::{BodySource, PathPart, Request, RequestError};
pub use request_count::RequestCount;
pub use request_observer::{ObservedRequest, RequestObserver};
pub use request_scope::observe_requests;
pub use rest::{
    BadEvent, DecodeOptions, ListItem, ListStream, Listed, RawResponse, RestClient, RestClientOptions,
    UrlBackoff, Watch, WatchEnd,
};
pub use retry::retry_on_conflict;
pub use task_observers::observe_task;
pub use verb::Verb;
pub use watch_list::watch_list_options;
pub use write_gate::{WriteGate, WriteRefused};
pub use write_scope::observe_writes;
