//! Why a reconcile failed.

use std::error::Error;
use std::fmt;

use client_rs_machinery::ErrorChain;

use crate::Action;

/// What a reconcile function returns.
pub type Result<T = Action, E = ReconcileError> = std::result::Result<T, E>;

/// An error of a reconcile function. Any error becomes one by `?`, and the key is tried again after the limiter's wait.
///
/// It is no [`Error`] itself, so that every error can become one.
pub struct ReconcileError {
    source: Box<dyn Error + Send + Sync>,
    terminal: bool,
}

impl ReconcileError {
    /// An error that trying again does not mend, such as a spec that can't be carried out: counted and logged, and the
    /// key waits for a change.
    pub fn terminal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: error.into(), terminal: true }
    }

    /// An error from a text.
    pub fn message(text: impl Into<String>) -> Self {
        Self { source: text.into().into(), terminal: false }
    }

    /// Whether trying again is of no use.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The error.
    pub fn source(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.source
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ReconcileError {
    fn from(error: E) -> Self {
        Self { source: Box::new(error), terminal: false }
    }
}

/// The error with what caused it.
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
    fn a_cause_is_said_once() {
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
