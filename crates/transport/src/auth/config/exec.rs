//! The settings of an exec plugin.

use std::{fmt, time::Duration};

use serde_json::{Map, Value};

use super::PluginPolicy;

client_rs_machinery::options! {
    /// The settings of an exec plugin: a program that prints credentials.
    ///
    /// Kubeconfig files of cloud providers name one. The client runs the program when it needs a credential, caches the result
    /// until it expires, and shares it between clients with equal settings. Set [`policy`](Self::policy) if the kubeconfig
    /// comes from an untrusted source: it can name any program. `Debug` hides arguments, environment and cluster settings.
    ///
    /// ```
    /// # #[cfg(unix)]
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use client_rs_transport::Config;
    /// use client_rs_transport::auth::exec::{ExecConfig, InteractiveMode};
    /// use client_rs_transport::auth::{AuthOptions, Credentials, CredentialsOptions};
    ///
    /// let printed = r#"{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
    ///     "status": {"token": "from-the-plugin"}}"#;
    /// let exec = ExecConfig::default()
    ///     .with_command("echo")
    ///     .with_args([printed])
    ///     .with_api_version("client.authentication.k8s.io/v1")
    ///     .with_interactive_mode(InteractiveMode::Never);
    /// let config = Config::new("https://k8s.example".parse()?).with_auth(AuthOptions::default().with_exec(exec));
    ///
    /// let mut headers = http::HeaderMap::new();
    /// Credentials::new(&config, &CredentialsOptions::default())?.apply(&mut headers).await?;
    /// assert_eq!(headers["authorization"], "Bearer from-the-plugin");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(unix))]
    /// # fn main() {}
    /// ```
    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    pub struct ExecConfig {
        /// The program: a path, or a name to look for in `PATH`.
        pub command: String => with_command,
        /// Its arguments. Default: none.
        pub args: Vec<String> => with_args,
        /// Environment variables in addition to those of this process. Default: none.
        pub env: Vec<ExecEnv> => with_env,
        /// The version of the protocol: `client.authentication.k8s.io/v1` or `…/v1beta1`.
        pub api_version: String => with_api_version,
        /// The instructions for a user who does not have the program. Default: none.
        pub install_hint: String => with_install_hint,
        /// Pass the cluster's address and settings to the program. Default: false.
        pub provide_cluster_info: bool => with_provide_cluster_info,
        /// Whether the program may use standard input. Version v1 requires a value; the default of v1beta1 is "if available".
        pub interactive_mode: InteractiveMode => with_interactive_mode,
        /// Unknown fields of the kubeconfig; written back unchanged.
        pub unknown: Map<String, Value> => with_unknown,
        /// The content of the cluster's extension `client.authentication.k8s.io/exec`, which the program gets with the cluster.
        /// Not in the kubeconfig's user. Default: none.
        pub cluster_extension: Option<Value> => with_cluster_extension,
        /// The reason why the program can't have standard input, which may be empty: another part of your program uses it. Not
        /// in the kubeconfig. Default: standard input is available.
        pub stdin_unavailable: Option<String> => with_stdin_unavailable,
        /// The programs that may run. Not in the kubeconfig. Default: all.
        pub policy: PluginPolicy => with_policy,
        /// The time after which the program is killed. Not in the kubeconfig. Default: 5 minutes, because a user may have to log in.
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
        /// Unknown fields of the kubeconfig; written back unchanged.
        pub unknown: Map<String, Value> => with_unknown,
    }
}

/// Whether a plugin uses standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum InteractiveMode {
    /// No value.
    #[default]
    Unset,
    /// It does not use standard input.
    Never,
    /// It uses standard input if it is available.
    IfAvailable,
    /// It can't run without standard input.
    Always,
    /// An invalid value.
    Other(String),
}

impl ExecEnv {
    /// This variable, with this value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::default().with_name(name).with_value(value)
    }
}

impl ExecConfig {
    /// The default of [`timeout`](Self::timeout).
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);
}

impl InteractiveMode {
    /// The name in the kubeconfig.
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
