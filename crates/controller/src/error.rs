//! The error of a reconcile function.

use std::error::Error;
use std::fmt;

use client_rs_machinery::ErrorChain;

use crate::Action;

/// The return type of a reconcile function.
pub type Result<T = Action, E = ReconcileError> = std::result::Result<T, E>;

/// An error of a reconcile function. `?` converts any error into one.
///
/// The key is retried with exponential backoff, as the queue's rate limiter decides. Use
/// [`terminal`](Self::terminal) if a retry can't help. A conflict in the first run of a key is logged at debug level only:
/// a cache that was behind is normal.
///
/// Like `anyhow::Error`, it does not implement [`Error`], because `From` for every error would then conflict with itself.
/// [`source`](Self::source) returns the error inside.
///
/// ```
/// use client_rs_controller::{ReconcileError, Result};
///
/// fn port(text: &str) -> Result<u16> {
///     Ok(text.parse::<u16>()?)
/// }
/// let error = port("http").unwrap_err();
/// assert_eq!(error.to_string(), "invalid digit found in string");
/// assert!(!error.is_terminal());
/// assert!(error.source().is::<std::num::ParseIntError>());
/// ```
pub struct ReconcileError {
    source: Box<dyn Error + Send + Sync>,
    terminal: bool,
}

impl ReconcileError {
    /// An error that a retry can't fix, such as an invalid spec: controller-runtime's `TerminalError`.
    ///
    /// It is counted and logged. The key is not retried; it is reconciled again when something changes.
    ///
    /// ```
    /// use client_rs_controller::{ReconcileError, Result};
    ///
    /// fn replicas(wanted: i32) -> Result<u32> {
    ///     u32::try_from(wanted).map_err(|_| ReconcileError::terminal(format!("spec.replicas is {wanted}")))
    /// }
    /// let error = replicas(-1).unwrap_err();
    /// assert!(error.is_terminal());
    /// assert_eq!(error.to_string(), "spec.replicas is -1");
    /// ```
    pub fn terminal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: error.into(), terminal: true }
    }

    /// An error with a message, which is retried.
    pub fn message(text: impl Into<String>) -> Self {
        Self { source: text.into().into(), terminal: false }
    }

    /// Whether the error was made by [`terminal`](Self::terminal), so that the key is not retried.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The error inside. `ApiError::find` searches it and its causes for the server's response.
    pub fn source(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.source
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ReconcileError {
    fn from(error: E) -> Self {
        Self { source: Box::new(error), terminal: false }
    }
}

/// The error and its causes, joined by `: `. A cause that the text already has is not repeated.
impl fmt::Display for ReconcileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ErrorChain(self.source()).fmt(f)
    }
}

impl fmt::Debug for ReconcileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReconcileError")
            .field("source", &self.source)
            .field("terminal", &self.terminal)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use client_rs_client::Call;
    use client_rs_machinery::{ApiError, GroupResource};

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Wrapped(&'static str, #[source] Option<Box<Wrapped>>);

    #[test]
    fn display_prints_each_cause_once() {
        let conflict = ApiError::conflict(&GroupResource::new("", "pods"), "web", "taken");
        let call = Call::new("PUT", "https://k8s.example/x");
        let refused = client_rs_client::Error::Api { call, error: conflict.clone().into() };
        let error = ReconcileError::from(refused);
        assert_eq!(error.to_string(), format!("{conflict} (PUT https://k8s.example/x)"));
        assert!(ApiError::find(error.source()).is_some_and(ApiError::is_conflict));
        let chain = Wrapped("can't write", Some(Box::new(Wrapped("taken", None))));
        assert_eq!(ReconcileError::from(chain).to_string(), "can't write: taken");
    }
}
