//! Text that must not be seen.

use std::fmt;

/// A password, token or key. Its `Debug` shows that there is one, never what it is; there is no `Display`.
///
/// This guards against mishaps (logs, errors, panics), not against code that asks for [`expose`](Self::expose), nor
/// against someone who reads the process's memory.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Is it the empty text?
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
    fn debug_shows_that_there_is_a_secret_and_no_more() {
        assert_eq!(format!("{:?}", Secret::from("hunter2")), "[redacted]");
        assert_eq!(format!("{:#?}", Some(Secret::default())), "Some(\n    \"\",\n)");
    }
}
