//! kubectl's command-line flags, as a struct for clap.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{
    Config,
    auth::exec::PluginPolicy,
    kubeconfig::{
        AuthInfo, DeferredConfig, KubeCluster, KubeContext, KubeconfigError, LoadingRules, Overrides,
        remove_namespaces_prefix,
    },
};

/// kubectl's flags that select the cluster, the user and the connection settings.
///
/// Use it in a command-line tool whose users know kubectl. Flatten it into your own arguments, then call
/// [`config`](Self::config). A program without a command line uses [`Config::infer`](crate::Config::infer) instead.
///
/// ```
/// use clap::Parser;
/// use client_rs_transport::args::KubeArgs;
///
/// #[derive(Parser)]
/// struct Cli {
///     #[command(flatten)]
///     kube: KubeArgs,
/// }
///
/// let cli = Cli::parse_from(["app", "--context", "dev", "-n", "web"]);
/// assert_eq!(cli.kube.overrides().current_context, "dev");
/// ```
///
/// `Debug` shows no secret.
#[derive(Args, Clone, Default)]
// The text above is for readers of the rustdoc: the help of a program that flattens this has its own.
#[command(next_help_heading = "Cluster", about = None, long_about = None)]
#[non_exhaustive]
pub struct KubeArgs {
    /// Read this kubeconfig file instead of KUBECONFIG and ~/.kube/config
    #[arg(long, global = true, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig
    #[arg(long, global = true, value_name = "NAME")]
    pub context: Option<String>,
    /// Use this cluster of the kubeconfig
    #[arg(long, global = true, value_name = "NAME")]
    pub cluster: Option<String>,
    /// Use this user of the kubeconfig
    #[arg(long, global = true, value_name = "NAME")]
    pub user: Option<String>,
    /// Work in this namespace
    #[arg(long, short, global = true, value_name = "NAME", value_parser = namespace)]
    pub namespace: Option<String>,
    /// Connect to the API server at this address and port
    #[arg(long, short, global = true, value_name = "URL")]
    pub server: Option<String>,
    /// Expect this name in the server's certificate instead of the host name
    #[arg(long, global = true, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// Accept any server certificate; this makes the connection insecure
    #[arg(long, global = true)]
    pub insecure_skip_tls_verify: bool,
    /// Trust the certificate authorities in this file to sign the server's certificate
    #[arg(long, global = true, value_name = "FILE")]
    pub certificate_authority: Option<String>,
    /// Authenticate with the client certificate in this file
    #[arg(long, global = true, value_name = "FILE")]
    pub client_certificate: Option<String>,
    /// Read the key of the client certificate from this file
    #[arg(long, global = true, value_name = "FILE")]
    pub client_key: Option<String>,
    /// Authenticate with this bearer token; other users of this machine can see it
    #[arg(long, global = true)]
    pub token: Option<String>,
    /// Authenticate as this user with a password (basic authentication)
    #[arg(long, global = true, value_name = "NAME")]
    pub username: Option<String>,
    /// Authenticate with this password (basic authentication); other users of this machine can see it
    #[arg(long, global = true)]
    pub password: Option<String>,
    /// Impersonate this user
    #[arg(long = "as", global = true, value_name = "NAME")]
    pub impersonate: Option<String>,
    /// Impersonate this unique identifier of the user
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    pub impersonate_uid: Option<String>,
    /// Impersonate this group of the user; can be repeated
    #[arg(long = "as-group", global = true, value_name = "NAME")]
    pub impersonate_groups: Vec<String>,
    /// Impersonate this extra attribute of the user; can be repeated, also for the same key
    #[arg(long = "as-user-extra", global = true, value_name = "KEY=VALUE", value_parser = pair)]
    pub impersonate_user_extra: Vec<(String, String)>,
    /// Connect through this proxy: an http, https or socks5 URL
    #[arg(long, global = true, value_name = "URL")]
    pub proxy_url: Option<String>,
    /// Request uncompressed responses
    #[arg(long, global = true)]
    pub disable_compression: bool,
    /// Decide which credential plugins of the kubeconfig may run [default: all, or those of --exec-plugin-allowlist]
    #[arg(long, global = true, value_name = "POLICY", ignore_case = true)]
    pub exec_plugin_policy: Option<ExecPluginPolicy>,
    /// Allow only this credential plugin to run: an absolute path or a name in PATH; can be repeated
    #[arg(long, global = true, value_name = "PROGRAM")]
    pub exec_plugin_allowlist: Vec<String>,
    /// Limit the time of a request, such as 30 (seconds), 2m or 1h; 0 means no limit
    #[arg(long, global = true, value_name = "TIME")]
    pub request_timeout: Option<String>,
}

/// The exec plugins that may run, with the names of kubectl's kuberc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub enum ExecPluginPolicy {
    /// All of them.
    AllowAll,
    /// None of them.
    DenyAll,
    /// Only the plugins of the allowlist.
    Allowlist,
}

impl KubeArgs {
    /// The exec plugins that may run; `None` if no flag was given. A non-empty allowlist always limits the plugins.
    pub fn plugin_policy(&self) -> Option<PluginPolicy> {
        let list = &self.exec_plugin_allowlist;
        match self.exec_plugin_policy {
            Some(ExecPluginPolicy::DenyAll) => Some(PluginPolicy::DenyAll),
            Some(ExecPluginPolicy::AllowAll) if list.is_empty() => Some(PluginPolicy::AllowAll),
            None if list.is_empty() => None,
            _ => Some(PluginPolicy::Allowlist(list.clone())),
        }
    }

    /// The flags as overrides of the kubeconfig.
    pub fn overrides(&self) -> Overrides {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let mut user = AuthInfo {
            client_certificate: text(&self.client_certificate),
            client_key: text(&self.client_key),
            token: text(&self.token).into(),
            username: text(&self.username),
            password: text(&self.password).into(),
            impersonate: text(&self.impersonate),
            impersonate_uid: text(&self.impersonate_uid),
            impersonate_groups: self.impersonate_groups.clone(),
            ..AuthInfo::default()
        };
        for (key, value) in &self.impersonate_user_extra {
            user.impersonate_user_extra.entry(key.clone()).or_default().push(value.clone());
        }
        Overrides {
            user,
            cluster: KubeCluster {
                server: text(&self.server),
                tls_server_name: text(&self.tls_server_name),
                insecure_skip_tls_verify: self.insecure_skip_tls_verify,
                certificate_authority: text(&self.certificate_authority),
                proxy_url: text(&self.proxy_url),
                disable_compression: self.disable_compression,
                ..KubeCluster::default()
            },
            context: KubeContext {
                cluster: text(&self.cluster),
                user: text(&self.user),
                namespace: text(&self.namespace),
                ..KubeContext::default()
            },
            current_context: text(&self.context),
            timeout: text(&self.request_timeout),
            plugin_policy: self.plugin_policy(),
            ..Overrides::default()
        }
    }

    /// The kubeconfig files to read: the one from `--kubeconfig`, else those of the environment.
    pub fn loading_rules(&self) -> LoadingRules {
        LoadingRules { explicit_path: self.kubeconfig.clone(), ..LoadingRules::from_env() }
    }

    /// Builds the config from the flags, the kubeconfig files and, if there are none, the pod's service account. Blocks on
    /// files.
    ///
    /// ```
    /// use clap::Parser;
    /// use client_rs_transport::args::KubeArgs;
    ///
    /// #[derive(Parser)]
    /// struct Cli {
    ///     #[command(flatten)]
    ///     kube: KubeArgs,
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let file = folder.path().join("config").display().to_string();
    /// # std::fs::write(&file, "
    /// # clusters: [{name: dev, cluster: {server: 'https://dev.example'}}]
    /// # contexts: [{name: dev, context: {cluster: dev}}]
    /// # current-context: dev")?;
    /// let cli = Cli::parse_from(["app", "--kubeconfig", &file, "--namespace", "web", "--request-timeout", "30s"]);
    /// let config = cli.kube.config()?;
    /// assert_eq!(config.server_url(), "https://dev.example");
    /// assert_eq!(config.default_namespace, "web");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that can't be read or parsed, a context that does not exist, or a setting that is not valid. If there is no
    /// configuration at all, [`is_empty_config`](KubeconfigError::is_empty_config) is true.
    pub fn config(&self) -> Result<Config, KubeconfigError> {
        DeferredConfig::new(self.loading_rules(), self.overrides()).client_config()
    }
}

impl std::fmt::Debug for KubeArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KubeArgs")
            .field("kubeconfig", &self.kubeconfig)
            .field("overrides", &self.overrides())
            .finish_non_exhaustive()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "clap expects a result")]
fn namespace(text: &str) -> Result<String, String> {
    Ok(remove_namespaces_prefix(text).to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        kube: KubeArgs,
    }

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_of_a_program_does_not_contain_our_rustdoc() {
        /// A program with its own description
        #[derive(Parser)]
        struct Described {
            #[command(flatten)]
            kube: KubeArgs,
        }

        let help = Cli::command().render_long_help().to_string();
        assert!(help.starts_with("Usage:"), "{help}");
        let help = Described::command().render_long_help().to_string();
        assert!(help.starts_with("A program with its own description\n\nUsage:"), "{help}");
        assert!(Described::try_parse_from(["app"]).is_ok_and(|cli| cli.kube.context.is_none()));
    }

    #[test]
    fn flags_become_overrides() {
        let args = [
            "app",
            "--context=c",
            "--cluster=k",
            "--user=u",
            "-n",
            "namespaces/ns",
            "-s",
            "https://k",
            "--tls-server-name=s",
            "--insecure-skip-tls-verify",
            "--client-certificate=c.crt",
            "--client-key=c.key",
            "--token=hunter2",
            "--as=jane",
            "--as-uid=1",
            "--as-group=a",
            "--as-group=b",
            "--as-user-extra=k=v",
            "--as-user-extra=k=w=x",
            "--proxy-url=http://p",
            "--disable-compression",
            "--request-timeout=2m",
            "--kubeconfig=file",
        ];
        let kube = Cli::try_parse_from(args).unwrap_or_else(|error| panic!("{error}")).kube;
        let over = kube.overrides();
        assert_eq!((&*over.current_context, &*over.timeout), ("c", "2m"));
        let context = &over.context;
        assert_eq!((&*context.cluster, &*context.user, &*context.namespace), ("k", "u", "ns"));
        assert_eq!((&*over.cluster.server, &*over.cluster.tls_server_name), ("https://k", "s"));
        assert!(over.cluster.insecure_skip_tls_verify && over.cluster.disable_compression);
        assert_eq!(over.cluster.proxy_url, "http://p");
        assert_eq!(over.user.token.expose(), "hunter2");
        assert_eq!(over.user.impersonate_groups, ["a", "b"]);
        assert_eq!(over.user.impersonate_user_extra["k"], ["v", "w=x"]);
        assert_eq!(kube.loading_rules().explicit_path, Some("file".into()));
        assert!(!format!("{kube:?}").contains("hunter2"));

        let policy = |args: &[&str]| {
            let args = ["app"].iter().chain(args);
            Cli::try_parse_from(args).unwrap_or_else(|error| panic!("{error}")).kube.overrides().plugin_policy
        };
        let list = Some(PluginPolicy::Allowlist(vec!["aws".to_owned(), "/bin/p".to_owned()]));
        assert_eq!(policy(&["--exec-plugin-policy=DenyAll"]), Some(PluginPolicy::DenyAll));
        assert_eq!(policy(&["--exec-plugin-policy=allowall"]), Some(PluginPolicy::AllowAll));
        assert_eq!(policy(&["--exec-plugin-policy=Allowlist"]), Some(PluginPolicy::Allowlist(Vec::new())));
        let named = ["--exec-plugin-allowlist=aws", "--exec-plugin-allowlist=/bin/p"];
        assert_eq!(policy(&named), list);
        assert_eq!(policy(&[&["--exec-plugin-policy=AllowAll"], &named[..]].concat()), list, "a list limits");

        let none = Cli::try_parse_from(["app"]).unwrap_or_else(|error| panic!("{error}")).kube;
        assert_eq!(none.overrides(), Overrides::default());
        assert!(Cli::try_parse_from(["app", "--as-user-extra=k"]).is_err());
    }
}
