//! Clients for unit tests: the storage of the embedded server without a server, and a say in every request.
//!
//! [`FakeClient::fake`] gives a client of any type that is made of a `RestClient` (`Clientset`, `DynamicClient`, …) with
//! the objects that a test begins with, and a [`Fake`], by which the test sees
//! each request as an [`FakeAction`] and decides what comes of it. What no reactor handles goes to the same storage that
//! [`Server`](crate::Server) has: versions, conflicts, selectors, server-side apply, watches. It needs no task, no
//! socket and no real time.
//!
//! ```
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_apiserver::fake::{FakeClient, Faked, Reaction};
//! use client_rs_client::{Api, RestClient};
//! use client_rs_machinery::ApiError;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut settings = ConfigMap::EMPTY;
//! settings.metadata.name = "settings".into();
//! settings.metadata.namespace = "shop".into();
//!
//! let Faked { client, fake } = RestClient::fake(&[&settings])?;
//! fake.prepend_reactor("delete", "configmaps", |_| Reaction::Fail(ApiError::service_unavailable("not now")));
//!
//! let maps = Api::<ConfigMap, _>::within(&client, "shop");
//! assert_eq!(maps.get("settings").await?.metadata.name, "settings");
//! assert!(maps.delete("settings").await.is_err());
//! let verbs: Vec<_> = fake.actions().into_iter().map(|action| action.verb).collect();
//! assert_eq!(verbs, ["get", "delete"]);
//! # Ok(())
//! # }
//! ```
//!
//! Unlike client-go's, what is written is checked as a server does, an update of an old version is a conflict, and
//! reactors that are appended come before the storage, not after it. Namespaces come to be when something is created in
//! them. Garbage is not collected.

mod action;
mod chain;
mod client;
mod core;
mod fixture;
mod reaction;
#[cfg(test)]
mod tests;

pub use action::{FakeAction, PatchAction};
pub use client::{FakeClient, Faked};
pub use core::{Fake, FakeError};
pub use fixture::Fixture;
pub use reaction::{FakeWatch, Reaction, WatchEvents, WatchReaction, fake_watch};
