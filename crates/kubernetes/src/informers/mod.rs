//! Informers of built-in resources, by name: methods of `SharedInformerFactory`.
//!
//! Import [`BuiltInInformers`]. Each accessor returns the informer and the lister of one resource; the same accessor always
//! returns the same informer, so a process lists and watches a resource once. Informers that were requested start with
//! `start`. For custom kinds call `factory.of::<Kind>()`.
//!
//! ```
//! use std::sync::Arc;
//!
//! use client_rs_api::core::v1::Pod;
//! use client_rs_cache::HandlerFns;
//! use client_rs_client::RestClient;
//! use client_rs_informers::SharedInformerFactory;
//! use client_rs_kubernetes::informers::BuiltInInformers;
//! use client_rs_machinery::{Object, labels::Selector};
//!
//! /// Prints the pods of a cluster as they are added, and returns how many there were at first.
//! async fn pods(rest: RestClient) -> Result<usize, Box<dyn std::error::Error>> {
//!     let factory = SharedInformerFactory::new(rest);
//!     let pods = factory.core().v1().pods();
//!     let handler = HandlerFns::new().on_add(|pod: &Arc<Pod>, _| println!("{}", pod.key()));
//!     pods.informer().add_handler(handler)?;
//!     factory.start();
//!     factory.wait_for_cache_sync().await;
//!     let count = pods.lister().list(&Selector::everything()).len();
//!     factory.shutdown().await;
//!     Ok(count)
//! }
//! ```

mod accessors;
mod generated;

pub use generated::*;

/// Prevents other implementations of [`BuiltInInformers`], because features add methods to it.
pub trait Sealed {}

impl Sealed for client_rs_informers::SharedInformerFactory {}
