//! Why a reconcile failed.

use std::error::Error;
use std::fmt;

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

/// The error with what caused it, as far as it does not say so itself.
impl fmt::Display for ReconcileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.source.to_string();
        let mut cause = self.source.source();
        while let Some(error) = cause {
            let why = error.to_string();
            if !text.contains(&why) {
                text.push_str(": ");
                text.push_str(&why);
            }
            cause = error.source();
        }
        f.write_str(&text)
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
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Wrapped(&'static str, #[source] Option<Box<Wrapped>>);

    #[test]
    fn a_cause_is_said_once() {
        let chain = Wrapped("can't write (PUT x): taken", Some(Box::new(Wrapped("taken", None))));
        assert_eq!(ReconcileError::from(chain).to_string(), "can't write (PUT x): taken");
        let chain = Wrapped("can't write", Some(Box::new(Wrapped("taken", None))));
        assert_eq!(ReconcileError::from(chain).to_string(), "can't write: taken");
    }
}
