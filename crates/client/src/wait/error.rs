//! Why what was waited for did not come about.

use std::time::Duration;

use client_rs_machinery::jsonpath::JsonPathError;

use crate::Error;

/// A wait that ended otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaitError {
    /// It did not hold in time.
    #[error("timed out after {limit:?} waiting for {name} {what}{}", Last(.last))]
    Timeout {
        /// The object's name.
        name: String,
        /// What was waited for.
        what: String,
        /// How long.
        limit: Duration,
        /// What stood in the way of looking, the last time, if something did.
        last: Option<String>,
    },
    /// It will never hold.
    #[error("waiting for {name} is over: {error}")]
    WaitCondition {
        /// The object's name.
        name: String,
        /// Why.
        error: ConditionError,
    },
    /// The server could not be asked, and asking again would not help.
    #[error(transparent)]
    Request(#[from] Error),
}

/// A condition that can never hold any more, or can't be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// It can't come about any more.
    #[error("{0}")]
    Never(String),
    /// The path does not fit the object.
    #[error("the path {path} does not fit the object: {error}")]
    JsonPath {
        /// The path.
        path: String,
        /// What is wrong.
        error: JsonPathError,
    },
    /// The path picks several values, or one that is no plain value.
    #[error("the path {0} picks more than one plain value, which can't be compared with a text")]
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
