//! Errors of exec plugins.

use std::time::Duration;

/// An exec plugin returned no credentials. No message contains the standard output of the plugin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// An unsupported version of the protocol.
    #[error(
        "exec plugin: invalid apiVersion {0:?}: use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1"
    )]
    ApiVersion(String),
    /// The policy is not valid.
    #[error("invalid plugin policy: {0}")]
    InvalidPolicy(String),
    /// The policy forbids this plugin.
    #[error("plugin {command:?} not allowed: {reason}")]
    Denied {
        /// The program.
        command: String,
        /// The reason why the policy denies it.
        reason: String,
    },
    /// The plugin needs standard input, which is not available.
    #[error("exec plugin cannot support interactive mode: {0}")]
    NotInteractive(String),
    /// The CA file to pass to the plugin can't be read.
    #[error("failed to load CA bundle for exec plugin: {0}")]
    ClusterCa(String),
    /// The program was not found.
    #[error("exec: executable {command} not found{hint}")]
    NotFound {
        /// The program.
        command: String,
        /// The instructions to install it, after blank lines. Empty if they were shown often enough.
        hint: String,
    },
    /// The program failed.
    #[error("exec: executable {command} failed with exit code {code}; see its standard error")]
    Exit {
        /// The program.
        command: String,
        /// The exit code; -1 if a signal ended the program.
        code: i32,
    },
    /// The program did not finish in time and was killed.
    #[error("exec: executable {command} did not finish within {after:?} and was stopped")]
    TimedOut {
        /// The program.
        command: String,
        /// The time limit.
        after: Duration,
    },
    /// The operating system could not run the program.
    #[error("exec: executable {command}: {reason}")]
    Run {
        /// The program.
        command: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The output of the program is not a credential.
    #[error("exec plugin {command}: {reason}")]
    Output {
        /// The program.
        command: String,
        /// The reason.
        reason: String,
    },
}
