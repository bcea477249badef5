//! Waiting for the state of an object.
//!
//! [`Api::wait_for`](crate::Api::wait_for) and [`DynamicApi::wait_for`](crate::DynamicApi::wait_for) wait for one object by name.
//! [`conditions`] has the common conditions, and a closure is a condition too. They watch the object, so they do not poll. To
//! react to many objects for a long time, use an informer instead.
//!
//! ```
//! use std::time::Duration;
//! use client_rs_api::core::v1::Pod;
//! use client_rs_client::{Api, wait::conditions};
//! # use client_rs_client::testing::Canned;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), client_rs_client::wait::WaitError> {
//! # let pod = r#"{"metadata": {"name": "web"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}"#;
//! # let list = format!(r#"{{"kind": "PodList", "metadata": {{"resourceVersion": "7"}}, "items": [{pod}]}}"#);
//! # let server = Canned::new().on("GET /api/v1/namespaces/default/pods", list);
//! let pods = Api::<Pod>::namespaced(&server.client(), "default");
//! let pod = pods.wait_for("web", conditions::pod_ready(), Duration::from_secs(60)).await?;
//! assert_eq!(pod.unwrap().metadata.name, "web");
//!
//! let labeled = |pod: Option<&client_rs_machinery::Json>| pod.is_some_and(|pod| pod.pointer("/metadata/labels/app").is_some());
//! let error = pods.wait_for("web", labeled, Duration::ZERO).await.unwrap_err();
//! assert!(error.to_string().starts_with("timed out"));
//! # Ok(())
//! # }
//! ```

pub mod conditions;
mod error;
mod handles;
mod until;

use client_rs_machinery::Json;

pub use error::{ConditionError, WaitError};

/// A condition on the state of an object.
///
/// It is called for every observed state, in order; intermediate states may be skipped. An error ends the wait: return one if the
/// condition can never become true. A closure `FnMut(Option<&Json>) -> bool` is a condition too.
///
/// ```
/// use client_rs_client::wait::{ConditionError, WaitCondition};
/// use client_rs_machinery::Json;
///
/// struct Scaled(i64);
///
/// impl WaitCondition for Scaled {
///     fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
///         let Some(object) = object else { return Err(ConditionError::Never("it was deleted".to_owned())) };
///         Ok(object.pointer("/status/replicas").and_then(Json::as_i64) == Some(self.0))
///     }
/// }
///
/// assert_eq!(Scaled(2).holds(Some(&client_rs_machinery::json!({"status": {"replicas": 2}}))), Ok(true));
/// assert!(Scaled(2).holds(None).is_err());
/// ```
pub trait WaitCondition: Send {
    /// Returns whether the condition holds. `None` means that the object does not exist.
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError>;

    /// A short description of the condition for errors, such as `to be deleted`.
    fn describe(&self) -> String {
        "for a condition".to_owned()
    }
}

impl<F: FnMut(Option<&Json>) -> bool + Send> WaitCondition for F {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        Ok(self(object))
    }
}

#[cfg(test)]
mod tests;
