//! Values that are to go.

use anyhow::{Result, anyhow, bail};
use client_rs_transport::kubeconfig::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, Preferences};

use super::Files;
use super::fields::{CLUSTER, CONTEXT, EXTENSIONS, USER};
use crate::Streams;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The property to unset: users.NAME.token, clusters.NAME, contexts.NAME.namespace, current-context; names may contain dots
    property: String,
}

pub(super) fn run(files: &Files, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let mut config = files.read()?;
    unset(&mut config, &args.property)?;
    files.write(&config)?;
    Ok(writeln!(streams.out, "Property {:?} unset.", args.property)?)
}

fn unset(config: &mut Kubeconfig, property: &str) -> Result<()> {
    let (section, rest) = property.split_once('.').unwrap_or((property, ""));
    let invalid = |name: &str| anyhow!("current map key `{name}` is invalid");
    match (section, rest) {
        ("current-context", "") => config.current_context.clear(),
        ("preferences", "") => config.preferences = Preferences::default(),
        ("clusters", "") => config.clusters.clear(),
        ("users", "") => config.users.clear(),
        ("contexts", "") => config.contexts.clear(),
        ("clusters", rest) => match split(rest, &CLUSTER) {
            (name, None) => drop(config.clusters.remove(name)),
            (name, Some(field)) => {
                cluster(config.clusters.get_mut(name).ok_or_else(|| invalid(name))?, field);
            }
        },
        ("users", rest) => match split(rest, &USER) {
            (name, None) => drop(config.users.remove(name)),
            (name, Some(field)) => user(config.users.get_mut(name).ok_or_else(|| invalid(name))?, field),
        },
        ("contexts", rest) => match split(rest, &CONTEXT) {
            (name, None) => drop(config.contexts.remove(name)),
            (name, Some(field)) => {
                context(config.contexts.get_mut(name).ok_or_else(|| invalid(name))?, field);
            }
        },
        _ => bail!(
            "unable to parse {property}: a property is current-context, or begins with clusters., users. or contexts."
        ),
    }
    Ok(())
}

/// A name, which may have dots, and the field behind it, if the last part is one.
fn split<'p>(rest: &'p str, fields: &[&str]) -> (&'p str, Option<&'p str>) {
    match rest.rsplit_once('.') {
        Some((name, field)) if field == EXTENSIONS || fields.contains(&field) => (name, Some(field)),
        _ => (rest, None),
    }
}

fn cluster(cluster: &mut KubeCluster, field: &str) {
    let none = KubeCluster::default();
    match field {
        "server" => cluster.server = none.server,
        "tls-server-name" => cluster.tls_server_name = none.tls_server_name,
        "insecure-skip-tls-verify" => cluster.insecure_skip_tls_verify = false,
        "certificate-authority" => cluster.certificate_authority = none.certificate_authority,
        "certificate-authority-data" => cluster.certificate_authority_data = none.certificate_authority_data,
        "proxy-url" => cluster.proxy_url = none.proxy_url,
        "disable-compression" => cluster.disable_compression = false,
        _ => cluster.extensions = none.extensions,
    }
}

fn user(user: &mut AuthInfo, field: &str) {
    let none = AuthInfo::default();
    match field {
        "client-certificate" => user.client_certificate = none.client_certificate,
        "client-certificate-data" => user.client_certificate_data = none.client_certificate_data,
        "client-key" => user.client_key = none.client_key,
        "client-key-data" => user.client_key_data = none.client_key_data,
        "token" => user.token = none.token,
        "tokenFile" => user.token_file = none.token_file,
        "as" => user.impersonate = none.impersonate,
        "as-uid" => user.impersonate_uid = none.impersonate_uid,
        "as-groups" => user.impersonate_groups = none.impersonate_groups,
        "as-user-extra" => user.impersonate_user_extra = none.impersonate_user_extra,
        "username" => user.username = none.username,
        "password" => user.password = none.password,
        "auth-provider" => user.auth_provider = None,
        "exec" => user.exec = None,
        _ => user.extensions = none.extensions,
    }
}

fn context(context: &mut KubeContext, field: &str) {
    match field {
        "cluster" => context.cluster.clear(),
        "user" => context.user.clear(),
        "namespace" => context.namespace.clear(),
        _ => context.extensions.clear(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_dots() {
        let text = b"clusters: [{name: 10.0.0.1, cluster: {server: s, proxy-url: p}}]\nusers: [{name: u, user: {token: t}}]\n\
                     contexts: [{name: c, context: {cluster: k, namespace: ns}}]\ncurrent-context: c\n";
        let mut config = Kubeconfig::parse(text).unwrap();
        unset(&mut config, "clusters.10.0.0.1.proxy-url").unwrap();
        assert_eq!(
            (&*config.clusters["10.0.0.1"].server, &*config.clusters["10.0.0.1"].proxy_url),
            ("s", "")
        );
        unset(&mut config, "clusters.10.0.0.1").unwrap();
        assert!(config.clusters.is_empty());
        unset(&mut config, "users.u.token").unwrap();
        assert!(config.users["u"].token.is_empty());
        unset(&mut config, "contexts.c.namespace").unwrap();
        assert_eq!(config.contexts["c"].namespace, "");
        unset(&mut config, "current-context").unwrap();
        assert_eq!(config.current_context, "");
        assert!(unset(&mut config, "users.x.token").is_err());
        assert!(unset(&mut config, "nonsense").is_err());
    }
}
