//! Progress reports of long work.

use std::fmt;
use std::sync::Arc;

/// A sink for lines about long work: what is being built, what is being waited for.
///
/// Cheap to clone. Lines come from the thread that does the work, whole and without a newline.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(&str) + Send + Sync>);

impl Progress {
    /// Hands each line to `sink`.
    pub fn new(sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(sink))
    }

    /// Prints each line to standard error.
    pub fn stderr() -> Self {
        Self::new(|line| eprintln!("{line}"))
    }

    /// Creates a progress that reports nothing.
    pub fn silent() -> Self {
        Self::new(|_| ())
    }

    pub(crate) fn say(&self, line: &str) {
        (self.0)(line);
    }
}

impl Default for Progress {
    /// Standard error.
    fn default() -> Self {
        Self::stderr()
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
