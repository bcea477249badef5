//! An embedded Kubernetes API server, for tests, demos and offline work.
//!
//! [`Server::start`] gives a server in this process, in milliseconds, that clients reach over HTTP or in memory. It
//! keeps objects as a real one does: versions, optimistic concurrency, watches, finalizers, namespaces, garbage
//! collection. What the real server has and this one has not yet is answered with 501, or with 404 where it is not
//! in discovery either.
//!
//! Objects are apart from the servers in front of them: several [`Server`]s may share one [`Storage`].
//!
//! # Layers
//!
//! A module imports only those above it in this table; `cargo xtask layers` checks it.
//!
//! | module | holds |
//! |---|---|
//! | `store` | revisions, history, optimistic concurrency; knows no objects |
//! | `object` | objects as they are stored, discovery facts, selectors, the clock |
//! | `custom` | what a definition makes the server serve; schemas are the crate `client-rs-schema` |
//! | `kinds` | one file per built-in kind |
//! | `registry` | the life of objects: create, update, delete, list, watch; what it asks of webhooks is a trait |
//! | `controllers`, `request` | what runs on its own and follows the registry; who asks for what |
//! | `admission`, `access`, `controls` | webhooks; authentication, authorization, flow control; faults for tests |
//! | `http` | from a request to a response |
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
mod registry;
mod request;
mod server;
mod store;

pub mod columns {
    //! What `kubectl get` shows of the built-in resources, column by column: for tools that make tables themselves.

    pub use crate::kinds::columns::{Column, of};
    pub use client_rs_machinery::time::age;
}

pub use access::Access;
pub use controls::{Effect, Fault, Faults, InjectedFault, RequestRecord, TestControls};
pub use request::User;
pub use server::{Server, ServerOptions, ServerStorage, Storage, StorageOptions};
