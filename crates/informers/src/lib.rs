//! Informers over clients: the one place where the cache meets the REST client. No built-in type is compiled for it.
//!
//! [`SharedInformerFactory`] makes the informers of a process, one per resource, and starts and stops them together:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use client_rs_cache::{FactoryOptions, HandlerFns, HandlerOptions};
//! use client_rs_client::RestClient;
//! use client_rs_informers::SharedInformerFactory;
//! use client_rs_machinery::wire::Payload;
//! use client_rs_machinery::{Resource, labels::Selector, verbs};
//!
//! # async fn run<Widget: Resource + Payload + verbs::List + verbs::Watch>(
//! #     rest: RestClient,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! let factory = SharedInformerFactory::new(rest, FactoryOptions::default());
//! let widgets = factory.of::<Widget>();
//! let handler = HandlerFns::new().on_add(|widget: &Arc<Widget>, _| println!("{}", widget.key()));
//! widgets.informer().add_handler(handler, HandlerOptions::default())?;
//! factory.start();
//! factory.wait_for_cache_sync().await;
//! println!("{} widgets in shop", widgets.lister().namespace("shop").list(&Selector::everything())?.len());
//! factory.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! The accessors of built-in resources (`factory.core().v1().pods()`) are a trait of the crate `client-rs-kubernetes`,
//! `informers::BuiltInInformers`.
//!
//! [`DynamicSharedInformerFactory`] and [`MetadataSharedInformerFactory`] do the same for resources that are known only
//! at run time. [`RestListWatch`] is where the objects come from, for informers that are made without a factory.

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
