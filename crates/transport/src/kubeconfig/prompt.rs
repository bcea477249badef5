//! Prompts for the user.

use std::io;

/// Asks the user for credentials, if a config has none. The config remembers the answers.
pub trait Prompt: Send + Sync {
    /// Asks for one value, such as `Username`, and returns the answer without its line end. A secret must not be shown while
    /// the user types it. May block.
    fn ask(&self, what: &str, secret: bool) -> io::Result<String>;
}
