//! What an event tells of: business as usual, or trouble.

use std::fmt;

/// The type of an event. The server knows these two; another can't be named, so none is dropped for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventType {
    /// Something happened, as it should.
    Normal,
    /// Something may need looking at.
    Warning,
}

impl EventType {
    /// As the API writes it.
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
