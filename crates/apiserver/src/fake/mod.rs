//! Fake clients for unit tests: the storage of the embedded server without a server, and reactors that can handle
//! each request.
//!
//! Use a fake to test code that takes a client, when the test must see or decide single requests. Use
//! [`Server`](crate::Server) when the code under test needs a URL or a kubeconfig, roles, webhooks or the garbage
//! collector.
//!
//! [`FakeClient::fake`] creates a client of any type that implements `From<RestClient>` (`Clientset`,
//! `DynamicClient`, …), with the initial objects of a test, and a [`Fake`]. The fake records each request as a
//! [`FakeAction`]. A reactor can answer, fail, delay or change a request. Requests that no reactor handles go to
//! the same storage that [`Server`](crate::Server) has, with resource versions, conflicts, selectors, server-side
//! apply and watches. A fake needs no background task, no socket and no real time.
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
//! # Differences from client-go's fakes
//!
//! - Writes are validated as on a server, and an update with an old resource version is a conflict.
//! - Appended reactors run before the storage, not after it.
//! - A namespace is created when something is created in it. Garbage is not collected.

mod action;
mod chain;
mod client;
mod core;
mod fault;
mod fixture;
mod reaction;
mod served;
#[cfg(test)]
mod tests;

pub use action::{FakeAction, PatchAction};
pub use client::{FakeClient, Faked};
pub use core::{Fake, FakeError};
pub use fault::{FakeFault, InjectedFakeFault};
pub use fixture::Fixture;
pub use reaction::{FakeWatch, Reaction, WatchEvents, WatchReaction, fake_watch};
