//! Webhooks that an API server calls: admission, and conversion between the versions of a custom resource.
//!
//! A [`Hook`] is a tower service from a review to its answer; [`WebhookServer`] serves hooks over TLS and reads its
//! certificate again when the files change, as cert-manager and the like change them. Either can be used without the other:
//! a hook runs under any server that speaks tower, a test calls it directly.
//!
//! The server bounds what clients can make it use, whoever they are: connections, requests at once, the bytes of all reviews
//! that it is reading or answering, and the time of each step. See [`WebhookOptions`], which can also ask clients for a
//! certificate: without one, everybody who reaches the port can ask.
//!
//! ```
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_custom::webhook::{Admitted, Denied, Hook, Review};
//!
//! let small = Hook::admission(|review: Review<ConfigMap>| async move {
//!     let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
//!     if map.data.len() > 10 {
//!         return Err(Denied::because("at most ten entries"));
//!     }
//!     map.metadata.labels.insert("checked", "yes".into());
//!     Ok(Admitted::changed(map))
//! });
//! # drop(small);
//! ```

mod admission;
mod connection;
mod conversion;
mod hook;
mod server;

pub use admission::{Admitted, Denied, Review};
pub use client_rs_transport::serving::ServingCertificateError;
pub use conversion::Conversions;
pub use hook::{Hook, HookError};
pub use server::{ServeError, WebhookOptions, WebhookServer};
pub use tokio_util::sync::CancellationToken;
