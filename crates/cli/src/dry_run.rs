//! `--dry-run`.

use clap::ValueEnum;

/// Whether a change is sent and persisted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DryRun {
    /// Send and persist the change
    #[default]
    None,
    /// Print the object without sending it
    Client,
    /// Send the request, but the server does not persist it
    Server,
}

impl DryRun {
    /// The suffix of the message about a change.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Client => " (dry run)",
            Self::Server => " (server dry run)",
        }
    }
}
