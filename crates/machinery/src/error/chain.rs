//! Errors and their causes, each printed once.
//!
//! The rule of this library: the text of an error is complete, with its cause, and [`source`](Error::source) returns
//! only errors that the text does not contain.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

use super::ApiError;

/// Prints an error and its sources, separated by `: `. For errors of other crates, whose texts may leave their cause
/// to [`source`](Error::source).
///
/// ```
/// use client_rs_machinery::ErrorChain;
///
/// let error = std::io::Error::other("the disk is full");
/// assert_eq!(ErrorChain(&error).to_string(), "the disk is full");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ErrorChain<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            // Its message is in a text before.
            if !error.is::<ServerAnswer>() {
                write!(f, ": {error}")?;
            }
            cause = error.source();
        }
        Ok(())
    }
}

/// An [`ApiError`] as the source of an error whose text already contains its message.
///
/// Its own text has only the status code and the reason, so that a chain of causes does not repeat the message.
/// [`ApiError::find`] finds the error in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServerAnswer(pub ApiError);

impl Deref for ServerAnswer {
    type Target = ApiError;

    fn deref(&self) -> &ApiError {
        &self.0
    }
}

impl From<ApiError> for ServerAnswer {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl fmt::Display for ServerAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.code())?;
        match self.reason().as_str() {
            "" => Ok(()),
            reason => write!(f, " {reason}"),
        }
    }
}

impl Error for ServerAnswer {}
