//! `--dry-run`.

use clap::ValueEnum;

/// What is only tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DryRun {
    /// Nothing: it is done
    #[default]
    None,
    /// Nothing is sent
    Client,
    /// The server goes through everything and keeps nothing
    Server,
}

impl DryRun {
    /// What stands behind the words that say what was done.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Client => " (dry run)",
            Self::Server => " (server dry run)",
        }
    }
}
