//! Why a plugin gave no credentials.

use std::time::Duration;

/// Why a plugin gave no credentials. No message holds what the plugin printed on its standard output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// A version of the protocol that we don't speak.
    #[error(
        "exec plugin: invalid apiVersion {0:?}: use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1"
    )]
    ApiVersion(String),
    /// The policy makes no sense.
    #[error("invalid plugin policy: {0}")]
    InvalidPolicy(String),
    /// The policy forbids this plugin.
    #[error("plugin {command:?} not allowed: {reason}")]
    Denied {
        /// The program.
        command: String,
        /// Which rule says so.
        reason: String,
    },
    /// The plugin needs the user, whom it can't have.
    #[error("exec plugin cannot support interactive mode: {0}")]
    NotInteractive(String),
    /// The CA that the plugin should be told of can't be read.
    #[error("failed to load CA bundle for exec plugin: {0}")]
    ClusterCa(String),
    /// There is no such program.
    #[error("exec: executable {command} not found{hint}")]
    NotFound {
        /// The program.
        command: String,
        /// How to get it, with blank lines before it; empty when it was told often enough.
        hint: String,
    },
    /// It failed.
    #[error("exec: executable {command} failed with exit code {code}; its standard error says why")]
    Exit {
        /// The program.
        command: String,
        /// Its exit code; -1 if a signal ended it.
        code: i32,
    },
    /// It did not end in time, and was killed.
    #[error("exec: executable {command} did not finish within {after:?} and was stopped")]
    TimedOut {
        /// The program.
        command: String,
        /// The time it had.
        after: Duration,
    },
    /// The system could not run it.
    #[error("exec: executable {command}: {reason}")]
    Run {
        /// The program.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// What it printed is no credential.
    #[error("exec plugin {command}: {reason}")]
    Output {
        /// The program.
        command: String,
        /// What is wrong with it.
        reason: String,
    },
}
