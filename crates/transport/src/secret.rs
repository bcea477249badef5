//! Text that logs and errors must not show.

use std::fmt;

/// A password, token or key. `Debug` shows only whether it is empty, and there is no `Display`.
///
/// This protects against accidents (logs, errors, panics). It does not protect against code that calls
/// [`expose`](Self::expose), or against a reader of the process's memory.
///
/// ```
/// use client_rs_transport::Secret;
///
/// let token = Secret::new("s3cret");
/// assert_eq!(format!("{token:?}"), "[redacted]");
/// assert_eq!(token.expose(), "s3cret");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself. Call it only at the place that sends or stores the secret.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "\"\"" } else { "[redacted]" })
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_only_that_a_secret_exists() {
        assert_eq!(format!("{:?}", Secret::from("hunter2")), "[redacted]");
        assert_eq!(format!("{:#?}", Some(Secret::default())), "Some(\n    \"\",\n)");
    }
}
