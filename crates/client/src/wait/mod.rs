//! Waiting until an object is as it should be.
//!
//! [`Api::wait_for`](crate::Api::wait_for) and [`DynamicApi::wait_for`](crate::DynamicApi::wait_for) wait for one object, by
//! name; [`conditions`] has what is mostly waited for, and a closure is a condition too.

pub mod conditions;
mod error;
mod handles;
mod until;

use client_rs_machinery::Json;

pub use error::{ConditionError, WaitError};

/// Something that an object can be waited for to be.
///
/// Asked about every state that is seen, in order; states in between may not be seen. An error ends the wait: for what can
/// never hold any more.
pub trait WaitCondition: Send {
    /// Does it hold? `None`: there is no such object.
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError>;

    /// What is waited for, in a few words: `to be deleted`.
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
