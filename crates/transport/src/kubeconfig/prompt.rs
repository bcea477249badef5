//! Asking the user.

use std::io;

/// Asks the user, where a config says nothing about who they are. What was answered is remembered by the config.
pub trait Prompt: Send + Sync {
    /// Asks for one thing, such as `Username`, and returns the answer without its line end. A secret must not be
    /// shown while it is typed. May block.
    fn ask(&self, what: &str, secret: bool) -> io::Result<String>;
}
