//! Clusters and users.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use client_rs_transport::auth::AuthProviderConfig;
use client_rs_transport::auth::exec::{ExecConfig, ExecEnv, InteractiveMode};
use client_rs_transport::kubeconfig::Kubeconfig;

use super::Files;
use super::contexts::NameArgs;
use crate::{GlobalArgs, Streams};

#[derive(Debug, clap::Args)]
pub(super) struct ClusterArgs {
    /// The name of the cluster
    name: String,
    /// Embed the content of --certificate-authority instead of its path
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    embed_certs: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct CredentialsArgs {
    /// The name of the user
    name: String,
    /// Embed the content of --client-certificate and --client-key instead of their paths
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    embed_certs: bool,
    /// The auth provider
    #[arg(long, value_name = "NAME")]
    auth_provider: Option<String>,
    /// A setting of the auth provider: KEY=VALUE; KEY- removes it
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',')]
    auth_provider_arg: Vec<String>,
    /// The command of an exec credential plugin
    #[arg(long, value_name = "COMMAND")]
    exec_command: Option<String>,
    /// The API version of the exec credential plugin
    #[arg(long, value_name = "VERSION")]
    exec_api_version: Option<String>,
    /// Arguments of the exec credential plugin; they replace the existing ones
    #[arg(long, value_name = "ARG", value_delimiter = ',', allow_hyphen_values = true)]
    exec_arg: Vec<String>,
    /// An environment variable of the exec credential plugin: KEY=VALUE; KEY- removes it
    #[arg(long, value_name = "KEY=VALUE")]
    exec_env: Vec<String>,
    /// Whether the exec credential plugin may use standard input: Never, `IfAvailable`, Always
    #[arg(long, value_name = "MODE")]
    exec_interactive_mode: Option<String>,
    /// Pass information about the cluster to the exec credential plugin
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    exec_provide_cluster_info: Option<bool>,
}

pub(super) fn names(
    files: &Files,
    of: fn(&Kubeconfig) -> Vec<String>,
    streams: &mut Streams<'_>,
) -> Result<()> {
    writeln!(streams.out, "NAME")?;
    for name in of(&files.read()?) {
        writeln!(streams.out, "{name}")?;
    }
    Ok(())
}

pub(super) fn set_cluster(
    files: &Files,
    global: &GlobalArgs,
    args: &ClusterArgs,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut config = files.read()?;
    let kube = &global.kube;
    if kube.insecure_skip_tls_verify
        && kube.certificate_authority.as_deref().is_some_and(|path| !path.is_empty())
    {
        bail!("you cannot specify a certificate authority and insecure mode at the same time");
    }
    if args.embed_certs && kube.certificate_authority.is_none() {
        bail!("you must specify a --certificate-authority to embed");
    }
    let cluster = config.clusters.entry(args.name.clone()).or_default();
    if let Some(server) = &kube.server {
        cluster.server.clone_from(server);
        // It was of the server before.
        cluster.tls_server_name.clear();
    }
    if let Some(name) = &kube.tls_server_name {
        cluster.tls_server_name.clone_from(name);
    }
    if kube.insecure_skip_tls_verify {
        cluster.insecure_skip_tls_verify = true;
        cluster.certificate_authority.clear();
        cluster.certificate_authority_data = bytes::Bytes::new();
    }
    if let Some(path) = &kube.certificate_authority {
        cluster.insecure_skip_tls_verify = false;
        (cluster.certificate_authority, cluster.certificate_authority_data) =
            material(path, args.embed_certs)?;
    }
    if let Some(proxy) = &kube.proxy_url {
        cluster.proxy_url.clone_from(proxy);
    }
    files.write(&config)?;
    Ok(writeln!(streams.out, "Cluster {:?} set.", args.name)?)
}

pub(super) fn set_credentials(
    files: &Files,
    global: &GlobalArgs,
    args: &CredentialsArgs,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut config = files.read()?;
    let kube = &global.kube;
    let token = kube.token.as_deref().is_some_and(|token| !token.is_empty());
    let basic = [&kube.username, &kube.password]
        .iter()
        .any(|said| said.as_deref().is_some_and(|text| !text.is_empty()));
    if token && basic {
        bail!("you cannot specify more than one authentication method at the same time: token, basicAuth");
    }
    if args.embed_certs && kube.client_certificate.is_none() && kube.client_key.is_none() {
        bail!("you must specify a --client-certificate or --client-key to embed");
    }
    let user = config.users.entry(args.name.clone()).or_default();
    if let Some(path) = &kube.client_certificate {
        (user.client_certificate, user.client_certificate_data) = material(path, args.embed_certs)?;
    }
    if let Some(path) = &kube.client_key {
        (user.client_key, user.client_key_data) = material(path, args.embed_certs)?;
    }
    if let Some(token) = &kube.token {
        user.token = token.clone().into();
    }
    if let Some(name) = &kube.username {
        user.username.clone_from(name);
    }
    if let Some(password) = &kube.password {
        user.password = password.clone().into();
    }
    // A new credential replaces the one of another type.
    if token {
        user.username.clear();
        user.password = String::new().into();
    } else if basic {
        user.token = String::new().into();
    }
    if let Some(name) = &args.auth_provider
        && user.auth_provider.as_ref().is_none_or(|provider| provider.name != *name)
    {
        user.auth_provider = Some(AuthProviderConfig::default().with_name(name.clone()));
    }
    if let Some(provider) = &mut user.auth_provider {
        for change in &args.auth_provider_arg {
            match change_of(change)? {
                (key, Some(value)) => drop(provider.config.insert(key.to_owned(), value.to_owned())),
                (key, None) => drop(provider.config.remove(key)),
            }
        }
    }
    exec(args, &mut user.exec)?;
    files.write(&config)?;
    Ok(writeln!(streams.out, "User {:?} set.", args.name)?)
}

fn exec(args: &CredentialsArgs, exec: &mut Option<ExecConfig>) -> Result<()> {
    if let Some(command) = &args.exec_command {
        let exec = exec.get_or_insert_default();
        exec.command.clone_from(command);
        exec.args.clear();
    }
    let Some(exec) = exec else { return Ok(()) };
    if let Some(version) = &args.exec_api_version {
        exec.api_version.clone_from(version);
    }
    if !args.exec_arg.is_empty() {
        exec.args.clone_from(&args.exec_arg);
    }
    if let Some(mode) = &args.exec_interactive_mode {
        exec.interactive_mode = match mode.as_str() {
            "Never" => InteractiveMode::Never,
            "IfAvailable" => InteractiveMode::IfAvailable,
            "Always" => InteractiveMode::Always,
            _ => bail!("invalid interactive mode type, can be only IfAvailable, Never, Always"),
        };
    }
    if let Some(provide) = args.exec_provide_cluster_info {
        exec.provide_cluster_info = provide;
    }
    for change in &args.exec_env {
        let (name, value) = change_of(change)?;
        let at = exec.env.iter().position(|variable| variable.name == name);
        match (at, value) {
            (Some(at), Some(value)) => value.clone_into(&mut exec.env[at].value),
            (Some(at), None) => drop(exec.env.remove(at)),
            (None, Some(value)) => {
                exec.env.push(ExecEnv::new(name, value));
            }
            (None, None) => {}
        }
    }
    Ok(())
}

pub(super) fn delete_cluster(files: &Files, args: &NameArgs, streams: &mut Streams<'_>) -> Result<()> {
    let (mut config, name) = (files.read()?, &args.name);
    if config.clusters.remove(name).is_none() {
        bail!("cannot delete cluster {name}, not in {}", files.name());
    }
    files.write(&config)?;
    Ok(writeln!(streams.out, "deleted cluster {name} from {}", files.name())?)
}

pub(super) fn delete_user(files: &Files, args: &NameArgs, streams: &mut Streams<'_>) -> Result<()> {
    let (mut config, name) = (files.read()?, &args.name);
    if config.users.remove(name).is_none() {
        bail!("cannot delete user {name}, not in {}", files.name());
    }
    files.write(&config)?;
    Ok(writeln!(streams.out, "deleted user {name} from {}", files.name())?)
}

/// A path and no content, or content and no path.
fn material(path: &str, embed: bool) -> Result<(String, bytes::Bytes)> {
    if embed {
        let content = std::fs::read(path).with_context(|| format!("could not read {path}"))?;
        return Ok((String::new(), content.into()));
    }
    if path.is_empty() {
        return Ok((String::new(), bytes::Bytes::new()));
    }
    let path = std::path::absolute(Path::new(path)).with_context(|| format!("{path} is not a valid path"))?;
    let path = path.to_str().context("the path is not valid UTF-8")?.to_owned();
    Ok((path, bytes::Bytes::new()))
}

/// `KEY=VALUE`, or `KEY-` to remove it.
fn change_of(text: &str) -> Result<(&str, Option<&str>)> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key, Some(value))),
        None => match text.strip_suffix('-') {
            Some(key) => Ok((key, None)),
            None => bail!("error: {text} is neither KEY=VALUE nor KEY-"),
        },
    }
}
