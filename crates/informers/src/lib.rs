//! Informers over clients: caches that follow a Kubernetes API server.
//!
//! An informer lists a resource once, watches it from then on, keeps the objects in an indexed cache, and
//! notifies handlers of changes. Reads then cost no request. The crate `client-rs-cache` implements informers
//! and explains their guarantees. This crate connects them to a [`RestClient`](client_rs_client::RestClient),
//! and shares them between the parts of a program. It compiles no built-in type.
//!
//! # Start here
//!
//! [`SharedInformerFactory`] makes the informers of a program, one per resource, and starts and stops them
//! together:
//!
//! ```
//! use std::sync::Arc;
//!
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_apiserver::fake::FakeClient;
//! use client_rs_cache::HandlerFns;
//! use client_rs_client::RestClient;
//! use client_rs_informers::SharedInformerFactory;
//! use client_rs_machinery::{Object, labels::Selector};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut settings = ConfigMap::EMPTY;
//! settings.metadata.name = "settings".into();
//! settings.metadata.namespace = "shop".into();
//! // A client of a fake server; a program gets its client from a kubeconfig.
//! let rest = RestClient::fake(&[&settings])?.client;
//!
//! let factory = SharedInformerFactory::new(rest);
//! let configs = factory.of::<ConfigMap>();
//! let handler = HandlerFns::new().on_add(|config: &Arc<ConfigMap>, _| println!("{}", config.key()));
//! configs.informer().add_handler(handler)?;
//! factory.start();
//! factory.wait_for_cache_sync().await;
//! assert_eq!(configs.lister().namespace("shop").list(&Selector::everything())?.len(), 1);
//! factory.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! The order matters: request the informers and add handlers, then [`start`](SharedInformerFactory::start),
//! then wait for the sync before the first read. An informer that is requested later needs another `start`.
//!
//! # Which factory
//!
//! - [`SharedInformerFactory`]: resources with a Rust type. The trait `informers::BuiltInInformers` of
//!   `client-rs-kubernetes` adds accessors for the built-in ones (`factory.core().v1().pods()`).
//! - [`DynamicSharedInformerFactory`]: resources that are known only at run time, as
//!   [`Unstructured`](client_rs_machinery::Unstructured) objects.
//! - [`MetadataSharedInformerFactory`]: only the metadata of any resource, in a fraction of the memory.
//! - [`RestListWatch`]: the source alone, for an informer without a factory.
//! - [`GenericInformer`]: an informer of a factory by the name of its resource.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod factory;
mod fetch_error;
mod generic;
mod resource_informer;
mod rest_list_watch;
mod watch_items;

pub use factory::{DynamicSharedInformerFactory, MetadataSharedInformerFactory, SharedInformerFactory};
pub use generic::GenericInformer;
pub use resource_informer::ResourceInformer;
pub use rest_list_watch::RestListWatch;
