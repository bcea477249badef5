//! The type of an event: normal or warning.

use std::fmt;

/// The type of an event. The server accepts only these two.
///
/// ```
/// use client_rs_events::EventType;
///
/// assert_eq!(EventType::Warning.as_str(), "Warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventType {
    /// Something happened as expected.
    Normal,
    /// Something may need attention.
    Warning,
}

impl EventType {
    /// The value in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
