//! How a plugin is run.

use std::{fmt, time::Duration};

use serde_json::{Map, Value};

use super::PluginPolicy;

client_rs_machinery::options! {
    /// How to run a program that prints credentials. `Debug` hides arguments, environment and cluster settings.
    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    pub struct ExecConfig {
        /// The program: a path, or a name to look for in `PATH`.
        pub command: String => with_command,
        /// Its arguments. Default: none.
        pub args: Vec<String> => with_args,
        /// Environment variables on top of this process's. Default: none.
        pub env: Vec<ExecEnv> => with_env,
        /// The version of the protocol: `client.authentication.k8s.io/v1` or `…/v1beta1`.
        pub api_version: String => with_api_version,
        /// What to tell a user who doesn't have the program. Default: nothing.
        pub install_hint: String => with_install_hint,
        /// Tell the program which cluster it is for. Default: false.
        pub provide_cluster_info: bool => with_provide_cluster_info,
        /// May it ask the user something? v1 needs this said; v1beta1 takes "if available".
        pub interactive_mode: InteractiveMode => with_interactive_mode,
        /// Fields of the kubeconfig that we don't know; written back as they were.
        pub unknown: Map<String, Value> => with_unknown,
        /// What the cluster's extension `client.authentication.k8s.io/exec` holds; the program gets it with the cluster.
        /// Not in the kubeconfig's user. Default: none.
        pub cluster_extension: Option<Value> => with_cluster_extension,
        /// Standard input is taken, so that the program can't have it: with a text that says by whom, which may be empty.
        /// Not in the kubeconfig. Default: it is free.
        pub stdin_unavailable: Option<String> => with_stdin_unavailable,
        /// Which programs may run at all. Not in the kubeconfig. Default: all.
        pub policy: PluginPolicy => with_policy,
        /// After which time the program is killed. Not in the kubeconfig. Default: 5 minutes, as a user may have to log in.
        pub timeout: Option<Duration> => with_timeout,
    }
}

client_rs_machinery::options! {
    /// An environment variable. `Debug` hides its value.
    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    pub struct ExecEnv {
        /// Its name.
        pub name: String => with_name,
        /// Its value.
        pub value: String => with_value,
        /// Fields of the kubeconfig that we don't know; written back as they were.
        pub unknown: Map<String, Value> => with_unknown,
    }
}

/// May a plugin use standard input?
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum InteractiveMode {
    /// Not said.
    #[default]
    Unset,
    /// It doesn't need it.
    Never,
    /// It likes it, but can do without.
    IfAvailable,
    /// It can't run without.
    Always,
    /// Something that isn't a mode.
    Other(String),
}

impl ExecEnv {
    /// This variable, with this value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::default().with_name(name).with_value(value)
    }
}

impl ExecConfig {
    /// After which time a plugin is killed, unless said otherwise.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);
}

impl InteractiveMode {
    /// The kubeconfig's word for it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Unset => "",
            Self::Never => "Never",
            Self::IfAvailable => "IfAvailable",
            Self::Always => "Always",
            Self::Other(text) => text,
        }
    }
}

impl From<&str> for InteractiveMode {
    fn from(text: &str) -> Self {
        match text {
            "" => Self::Unset,
            "Never" => Self::Never,
            "IfAvailable" => Self::IfAvailable,
            "Always" => Self::Always,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl fmt::Debug for ExecConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecConfig")
            .field("command", &self.command)
            .field("args", &format_args!("[{} redacted]", self.args.len()))
            .field("env", &format_args!("[{} redacted]", self.env.len()))
            .field("api_version", &self.api_version)
            .field("provide_cluster_info", &self.provide_cluster_info)
            .field("interactive_mode", &self.interactive_mode)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ExecEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecEnv").field("name", &self.name).finish_non_exhaustive()
    }
}
