//! Errors of a wait.

use std::time::Duration;

use client_rs_machinery::jsonpath::JsonPathError;

use crate::Error;

/// A wait ended without success.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaitError {
    /// The condition did not hold in time.
    #[error("timed out after {limit:?} waiting for {name} {what}{}", Last(.last))]
    Timeout {
        /// The object's name.
        name: String,
        /// The description of the condition.
        what: String,
        /// The time limit.
        limit: Duration,
        /// The error of the last attempt to read the object, if it failed.
        last: Option<String>,
    },
    /// The condition can never hold.
    #[error("waiting for {name} failed: {error}")]
    WaitCondition {
        /// The object's name.
        name: String,
        /// The cause.
        error: ConditionError,
    },
    /// The request failed, and a retry would not help.
    #[error(transparent)]
    Request(#[from] Error),
}

/// A condition can never hold, or can't be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// The condition can no longer become true.
    #[error("{0}")]
    Never(String),
    /// The path does not match the object.
    #[error("the path {path} does not match the object: {error}")]
    JsonPath {
        /// The path.
        path: String,
        /// The cause.
        error: JsonPathError,
    },
    /// The path selects several values, or one that is not a scalar.
    #[error("the path {0} does not select exactly one scalar value, so it can't be compared with a text")]
    NotOneValue(String),
}

struct Last<'a>(&'a Option<String>);

impl std::fmt::Display for Last<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(last) => write!(f, " - last error: {last}"),
            None => Ok(()),
        }
    }
}
