//! Converts the model to JSON values in kubectl's format.

use base64::{Engine, prelude::BASE64_STANDARD};
use client_rs_machinery::collections::VecMap;
use serde_json::{Map, Value, json};

use super::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, Unknown};
use crate::auth::{AuthProviderConfig, exec::ExecConfig};

/// With or without unknown fields.
pub(super) fn config(config: &Kubeconfig, unknown: bool) -> Value {
    let mut out = Object::new(unknown.then_some(&config.unknown));
    out.set("kind", "Config");
    out.set("apiVersion", "v1");
    let mut preferences = Object::new(unknown.then_some(&config.preferences.unknown));
    preferences.flag("colors", config.preferences.colors);
    preferences.extensions(&config.preferences.extensions);
    if !preferences.0.is_empty() {
        out.set("preferences", preferences.0);
    }
    out.set("clusters", named("cluster", &config.clusters, unknown, |cluster| &cluster.unknown, cluster));
    out.set("users", named("user", &config.users, unknown, |user| &user.unknown, auth_info));
    out.set("contexts", named("context", &config.contexts, unknown, |context| &context.unknown, context));
    out.set("current-context", config.current_context.clone());
    out.extensions(&config.extensions);
    out.0.into()
}

fn cluster(cluster: &KubeCluster, out: &mut Object) {
    out.set("server", cluster.server.clone());
    out.text("tls-server-name", &cluster.tls_server_name);
    out.flag("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify);
    out.text("certificate-authority", &cluster.certificate_authority);
    out.bytes("certificate-authority-data", &cluster.certificate_authority_data);
    out.text("proxy-url", &cluster.proxy_url);
    out.flag("disable-compression", cluster.disable_compression);
    out.extensions(&cluster.extensions);
}

fn auth_info(user: &AuthInfo, out: &mut Object) {
    out.text("client-certificate", &user.client_certificate);
    out.bytes("client-certificate-data", &user.client_certificate_data);
    out.text("client-key", &user.client_key);
    out.bytes("client-key-data", &user.client_key_data);
    out.text("token", user.token.expose());
    out.text("tokenFile", &user.token_file);
    out.text("as", &user.impersonate);
    out.text("as-uid", &user.impersonate_uid);
    if !user.impersonate_groups.is_empty() {
        out.set("as-groups", user.impersonate_groups.clone());
    }
    if !user.impersonate_user_extra.is_empty() {
        out.set("as-user-extra", json!(user.impersonate_user_extra));
    }
    out.text("username", &user.username);
    out.text("password", user.password.expose());
    if let Some(AuthProviderConfig { name, config, unknown }) = &user.auth_provider {
        let mut provider = Object::new(out.1.then_some(unknown));
        provider.set("name", name.clone());
        provider.set("config", if config.is_empty() { Value::Null } else { json!(config) });
        out.set("auth-provider", provider.0);
    }
    if let Some(config) = &user.exec {
        out.set("exec", exec(config, out.1));
    }
    out.extensions(&user.extensions);
}

fn context(context: &KubeContext, out: &mut Object) {
    out.set("cluster", context.cluster.clone());
    out.set("user", context.user.clone());
    out.text("namespace", &context.namespace);
    out.extensions(&context.extensions);
}

fn exec(exec: &ExecConfig, unknown: bool) -> Map<String, Value> {
    let mut out = Object::new(unknown.then_some(&exec.unknown));
    let env = exec.env.iter().map(|variable| {
        let mut entry = Object::new(unknown.then_some(&variable.unknown));
        entry.set("name", variable.name.clone());
        entry.set("value", variable.value.clone());
        Value::from(entry.0)
    });
    out.set("command", exec.command.clone());
    out.set("args", list(exec.args.iter().cloned().map(Value::from)));
    out.set("env", list(env));
    out.text("apiVersion", &exec.api_version);
    out.text("installHint", &exec.install_hint);
    out.set("provideClusterInfo", exec.provide_cluster_info);
    out.text("interactiveMode", exec.interactive_mode.as_str());
    out.0
}

/// Go writes a nil list as `null`.
fn list(values: impl Iterator<Item = Value>) -> Value {
    let values: Vec<_> = values.collect();
    if values.is_empty() { Value::Null } else { values.into() }
}

fn named<T>(
    inner: &str,
    entries: &VecMap<String, T>,
    unknown: bool,
    unknown_of: impl Fn(&T) -> &Unknown,
    encode: impl Fn(&T, &mut Object),
) -> Value {
    list(entries.iter().map(|(name, entry)| {
        let others = unknown_of(entry);
        let mut inside = Object::new(unknown.then_some(&others.inside));
        encode(entry, &mut inside);
        let mut out = Object::new(unknown.then_some(&others.beside));
        out.set("name", name.clone());
        out.set(inner, inside.0);
        out.0.into()
    }))
}

/// An object under construction, and whether unknown fields are included.
struct Object(Map<String, Value>, bool);

impl Object {
    fn new(unknown: Option<&Map<String, Value>>) -> Self {
        Self(unknown.cloned().unwrap_or_default(), unknown.is_some())
    }

    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.set(name, text);
        }
    }

    fn flag(&mut self, name: &str, flag: bool) {
        if flag {
            self.set(name, true);
        }
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.set(name, BASE64_STANDARD.encode(bytes));
        }
    }

    fn extensions(&mut self, extensions: &VecMap<String, Value>) {
        if !extensions.is_empty() {
            let extensions =
                extensions.iter().map(|(name, extension)| json!({"name": name, "extension": extension}));
            self.set("extensions", extensions.collect::<Vec<_>>());
        }
    }
}
