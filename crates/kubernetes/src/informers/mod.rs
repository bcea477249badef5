//! Informers over clients.
//!
//! [`SharedInformerFactory`] makes the informers of a process, one a resource, and starts and stops them together:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use client_rs_api::core::v1::Pod;
//! use client_rs_cache::{FactoryOptions, HandlerFns, HandlerOptions};
//! use client_rs_client::RestClient;
//! use client_rs_kubernetes::informers::SharedInformerFactory;
//! use client_rs_machinery::{Object, labels::Selector};
//!
//! # async fn run(rest: RestClient) -> Result<(), Box<dyn std::error::Error>> {
//! let factory = SharedInformerFactory::new(rest, FactoryOptions::default());
//! let pods = factory.core().v1().pods();
//! let handler = HandlerFns::new().on_add(|pod: &Arc<Pod>, _| println!("{}", pod.key()));
//! pods.informer().add_handler(handler, HandlerOptions::default())?;
//! factory.start();
//! factory.wait_for_cache_sync().await;
//! println!("{} pods in kube-system", pods.lister().namespace("kube-system").list(&Selector::everything()).len());
//! factory.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! [`DynamicSharedInformerFactory`] and [`MetadataSharedInformerFactory`] do the same for resources that are known only
//! when running. [`RestListWatch`] is where the objects come from, for informers that are made without a factory.

mod accessors;
mod factory;
mod fetch_error;
mod generated;
mod generic;
mod resource_informer;
mod rest_list_watch;
mod watch_items;

pub use factory::{DynamicSharedInformerFactory, MetadataSharedInformerFactory, SharedInformerFactory};
pub use generated::*;
pub use generic::GenericInformer;
pub use resource_informer::ResourceInformer;
pub use rest_list_watch::RestListWatch;
