//! Webhooks that an API server calls: admission, and conversion between the versions of a custom resource.
//!
//! Use an admission webhook to validate or default objects when they are written, if rules in the schema are not enough: a
//! check against another object, or a default that depends on the user. Use a conversion webhook if the versions of a kind
//! have different fields. Do not use one to react to changes: that is a controller's work, and a webhook that is down can
//! block writes.
//!
//! A [`Hook`] is a tower service from a review to its response. A [`WebhookServer`] serves hooks over TLS, and reads its
//! certificate again when the files change, as cert-manager changes them. Each works without the other: a hook runs under any
//! tower server, and a test calls it directly.
//!
//! The server limits the resources that clients can use: connections, concurrent requests, the bytes of all reviews in
//! progress, and the time of each step. See [`WebhookOptions`]. It can also require client certificates, or tokens of the API
//! server ([`CallerVerifier`]); without either, every client that reaches the port can send reviews.
//!
//! ```
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_custom::webhook::{Admitted, Denied, Hook, Review};
//! # use client_rs_custom::machinery::{Json, json};
//!
//! let small = Hook::admission(|review: Review<ConfigMap>| async move {
//!     let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
//!     if map.data.len() > 10 {
//!         return Err(Denied::because("at most ten entries"));
//!     }
//!     map.metadata.labels.insert("checked", "yes".into());
//!     Ok(Admitted::changed(map))
//! });
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn run(small: Hook) {
//! # let review = json!({
//! #     "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
//! #     "request": {"uid": "1", "operation": "CREATE", "object": {"metadata": {"name": "a"}}},
//! # });
//! // The API server posts reviews; here is one with a config map without entries.
//! let response = Json::parse(&small.answer(review.to_vec()).await.unwrap()).unwrap();
//! assert_eq!(response["response"]["allowed"].as_bool(), Some(true));
//! # }
//! # run(small);
//! ```

mod admission;
mod caller;
mod connection;
mod conversion;
mod hook;
mod review;
mod server;

pub use admission::{Admitted, Denied, Review};
pub use caller::{Caller, CallerError, CallerOptions, CallerVerifier};
pub use client_rs_transport::serving::ServingCertificateError;
pub use conversion::Conversions;
pub use hook::{Hook, HookError};
pub use server::{ServeError, WebhookOptions, WebhookServer};
pub use tokio_util::sync::CancellationToken;
