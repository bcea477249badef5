//! An embedded Kubernetes API server, for tests, demos and offline work.
//!
//! [`Server::start`] starts a server in this process, in milliseconds. Clients reach it over HTTP or in memory. It
//! behaves like a real server: resource versions, optimistic concurrency, watches, validation, server-side apply,
//! finalizers, garbage collection, roles, admission webhooks and custom resources. Objects are in memory.
//!
//! ```
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_apiserver::Server;
//! use client_rs_client::Api;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::start().await?;
//! let client = server.rest_client()?;
//! let maps = Api::<ConfigMap, _>::within(&client, "default");
//!
//! let mut settings = ConfigMap::EMPTY;
//! settings.metadata.name = "settings".into();
//! settings.data.insert("colour", "blue".into());
//! let created = maps.create(settings).await?;
//!
//! // The server checks resource versions: an update with an old one is a conflict.
//! let mut stale = created.clone();
//! let mut next = created;
//! next.data.insert("colour", "red".into());
//! maps.update(next).await?;
//! stale.data.insert("colour", "green".into());
//! assert!(maps.update(stale).await.unwrap_err().is_conflict());
//! # server.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! # The parts
//!
//! | you want to | use |
//! |---|---|
//! | test a controller, or serve `kubectl`, over a real API | [`Server`], [`ServerOptions`] |
//! | run several API servers over the same objects, or restart one | [`Storage`], [`StorageOptions`] |
//! | test how a client handles errors, delays and broken connections | [`Fault`], [`TestControls`] |
//! | test with users, tokens, certificates and roles | [`Access`], [`User`] |
//! | find out which rights a program needs | [`ServerOptions::record_permissions`], [`TestControls::permissions`] |
//! | see or decide single requests in a unit test | [`fake`] |
//! | print tables as `kubectl get` does | [`columns`] |
//!
//! # Limits
//!
//! Only controllers of the control plane run: garbage collection, namespaces, definitions, role aggregation,
//! certificate signing, storage protection, the status of resource quotas. There are no schedulers, kubelets or
//! workload controllers: a `Deployment` creates no pods, and pods do not run. Features of the real server that this
//! one does not have respond with 501, or with 404 if discovery does not list them. Do not use it as the API server
//! of a production cluster: it has no persistent storage.
//!
//! # Layers
//!
//! A module imports only modules above it in this table; `cargo xtask layers` checks it.
//!
//! | module | content |
//! |---|---|
//! | `store` | revisions, history, optimistic concurrency; independent of the type of values |
//! | `object` | stored objects, discovery data, selectors, the clock |
//! | `custom` | the resources of custom resource definitions; schemas are in the crate `client-rs-schema` |
//! | `kinds` | one file per built-in kind |
//! | `registry` | create, update, delete, list and watch; webhooks are a trait |
//! | `controllers`, `request` | background work that follows the registry; the parts of a request |
//! | `admission`, `access`, `controls` | webhooks; authentication, authorization, flow control; faults for tests |
//! | `http` | requests and responses |
//! | `server`, `fake` | connections and storage; clients for unit tests |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod access;
mod admission;
mod controllers;
mod controls;
mod custom;
pub mod fake;
#[allow(clippy::pedantic)]
mod generated;
mod http;
mod kinds;
mod object;
mod outbound;
mod pki;
mod registry;
mod request;
mod server;
mod store;

pub mod columns {
    //! The columns that `kubectl get` shows for built-in resources, for tools that print tables themselves.

    pub use crate::kinds::columns::{Column, of};
    pub use client_rs_machinery::time::age;
}

pub use access::{Access, Permission, RECORD_PERMISSIONS, TokenOptions};
pub use controls::{Effect, Fault, Faults, InjectedFault, RequestRecord, TestControls};
pub use kinds::{AdmissionPlugin, UnknownPlugin};
pub use request::User;
pub use server::{
    RestoreError, Server, ServerCertificate, ServerOptions, ServerStorage, Storage, StorageOptions,
};
