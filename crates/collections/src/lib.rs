//! Derived collections: maps, joins and groups over informers that maintain themselves.
//!
//! Gateways, meshes, schedulers and policy engines compute state from objects: routes from services and endpoints,
//! rules from policies and pods. Code that keeps such state up to date by hand is long and easy to get wrong. Here you
//! write the function, and the [`Graph`] keeps its results up to date, at the cost of what has changed.
//!
//! ```
//! use client_rs_collections::{Graph, LabelSet, Selection};
//!
//! let graph = Graph::new();
//! // Inputs: informers in a controller, plain inputs here. A pod has labels and an address.
//! let pods = graph.input::<&str, (&str, &str)>("pods");
//! let services = graph.input::<&str, &str>("services");
//!
//! // Services with the addresses of the pods that they select.
//! let by_labels = graph.index_labels(&pods, |_, (app, _)| LabelSet::new([("app", *app)]));
//! let routes = graph.map("routes", &services, move |_, app, look| {
//!     let selection = Selection::parse(&format!("app={app}")).unwrap_or_else(|_| Selection::nothing());
//!     look.selected(&by_labels, &selection).iter().map(|(_, pod)| pod.1).collect::<Vec<_>>()
//! });
//!
//! let mut observer = graph.observe(&routes);
//! graph.update(|batch| {
//!     batch.insert(&services, "shop", "web");
//!     batch.insert(&pods, "web-1", ("web", "10.0.0.1"));
//!     batch.insert(&pods, "db-1", ("db", "10.0.0.9"));
//! });
//! let changes = observer.take().expect("a route was added");
//! assert_eq!(changes.list[0].new.as_deref(), Some(&vec!["10.0.0.1"]));
//!
//! // A pod that no service selects computes nothing, and nobody is notified.
//! graph.update(|batch| batch.insert(&pods, "db-2", ("db", "10.0.0.10")));
//! assert!(observer.take().is_none());
//! ```
//!
//! # Promises
//!
//! - **Epochs.** A batch of input changes is one epoch. Within an epoch, each function is computed at most once per
//!   key, after all that it reads. Observers and snapshots see every collection at the same epoch: there are no
//!   glitches, and no order of handlers to care about.
//! - **Equal to recomputation.** After each epoch every collection has the content that it would have if it were
//!   computed from scratch, except for entries whose function has panicked.
//! - **Cost.** An epoch costs what depends on the change: rows are found through the keys, index values and selectors
//!   that they have read. An unchanged output stops the wave: by pointer first, then by `==`.
//!   [`Look::part`] limits a dependency to a part of an entry.
//! - **Observers** get the changes in order, with old and new value. One that lags gets one merged epoch, in which
//!   `old` is the value that it last saw. It holds at most one old value per key.
//! - **Memory.** A collection ends with its last handle, and the graph frees all of it.
//!
//! Not promised: consistency between the inputs of different informers. They are separate streams of the server, so
//! a service may be visible before or after the pods that it was created with.
//!
//! # Functions must be pure
//!
//! A function is a `Fn` without async. Its result must depend only on its arguments and on what it reads through
//! [`Look`]. It must not look at clocks, files or variables that change. Debug builds compute each function twice and
//! panic if the results or the reads differ. In all builds a function that uses its graph past `Look` panics.
//!
//! # Functions that panic
//!
//! A panic of a function is caught, logged and counted, and the rest of the epoch is computed. The entries of that function
//! keep the value that they had, or stay absent, until something changes that the function has read. [`Graph::state`]
//! shows the panic, [`Graph::why`] marks the entries, and [`Graph::complete`] returns no snapshot meanwhile, so that
//! nobody deletes something that is only missing because of a panic. The same holds for the functions of indexes: the entry
//! stays under its old index values.
//!
//! Not caught: panics of `Eq`, `Ord`, `Hash` and `Clone` of keys and values, and the checks of purity in debug builds. They leave
//! the graph unusable: later calls panic too, so that nobody acts on half an epoch.
//!
//! # Where to go next
//!
//! - Operators: [`Graph::map`], [`Graph::filter_map`], [`Graph::filter`], [`Graph::flat_map`], [`Graph::group`],
//!   [`Graph::reduce`], [`Graph::union`], [`Graph::latest`], [`Graph::single`]. Joins are reads: [`Look::get`] by key,
//!   [`Look::indexed`] by index, [`Look::selected`] and [`Look::selecting`] by label selector in both directions.
//! - Inputs: [`Graph::informer`], [`Graph::file`], [`Graph::channel`], [`Graph::input`], [`Graph::constant`].
//! - Outputs: [`Graph::snapshot`], [`Graph::observe`], [`Graph::add_handler`],
//!   [`Graph::enqueue`] for the queue of a controller.
//! - Diagnosis: [`Graph::state`] and [`Graph::why`].

#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod change;
mod channel;
mod complete;
mod core;
mod file;
mod graph;
mod handler;
mod handles;
mod informer;
mod input;
mod labels;
mod observer;
mod running;
mod signal;
#[cfg(any(test, feature = "sim"))]
#[doc(hidden)]
pub mod sim;
mod snapshot;
mod state;
mod sync;
mod task;
mod why;

pub use batch::Batch;
pub use change::{Changes, LiveChange};
pub use channel::ChannelEvent;
pub use complete::Incomplete;
pub use core::look::Look;
pub use core::rules::Members;
pub use file::FileOptions;
pub use graph::Graph;
pub use handler::LiveHandler;
pub use handles::{ByLabels, BySelector, LiveIndex, LiveSet};
pub use input::Input;
pub use labels::{LabelSet, Selection};
pub use observer::Observer;
pub use running::RunningGraph;
pub use snapshot::LiveSnapshot;
pub use state::{GraphState, LiveSetState};
pub use why::Why;

/// A key of a collection or a value of an index. All types with these properties are keys.
pub trait Key: Eq + Ord + std::hash::Hash + Clone + std::fmt::Debug + Send + Sync + 'static {}

impl<T: Eq + Ord + std::hash::Hash + Clone + std::fmt::Debug + Send + Sync + 'static> Key for T {}
