//! Views of a kubeconfig, to show it or to pass it on.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::{AuthInfo, Kubeconfig, KubeconfigError, Unknown, loading::base_of};
use crate::{Secret, config::without_user_info, paths::resolve};

impl Kubeconfig {
    /// Keeps only the entries that the current context uses. A missing entry is an error.
    pub fn minify(&mut self) -> Result<(), KubeconfigError> {
        let missing = |what: &str, name: &str| KubeconfigError::View(format!("cannot locate {what} {name}"));
        if self.current_context.is_empty() {
            let reason = "current-context must exist in order to minify";
            return Err(KubeconfigError::View(reason.to_owned()));
        }
        let name = self.current_context.clone();
        let context = self.contexts.get(&name).ok_or_else(|| missing("context", &name))?.clone();
        for (what, wanted, exists) in [
            ("cluster", &context.cluster, self.clusters.contains_key(&context.cluster)),
            ("user", &context.user, self.users.contains_key(&context.user)),
        ] {
            if !wanted.is_empty() && !exists {
                return Err(missing(what, wanted));
            }
        }
        self.clusters.retain(|name, _| !name.is_empty() && *name == context.cluster);
        self.users.retain(|name, _| !name.is_empty() && *name == context.user);
        self.contexts.retain(|entry, _| *entry == name);
        Ok(())
    }

    /// Reads certificates and keys from their files into the config, so that it needs no other files. Token files stay, because
    /// clients read them again and again.
    pub fn flatten(&mut self) -> Result<(), KubeconfigError> {
        for user in self.users.values_mut() {
            let base = base_of(user.origin.as_deref())?.unwrap_or_default();
            inline(&mut user.client_certificate, &mut user.client_certificate_data, &base)?;
            inline(&mut user.client_key, &mut user.client_key_data, &base)?;
        }
        for cluster in self.clusters.values_mut() {
            let base = base_of(cluster.origin.as_deref())?.unwrap_or_default();
            inline(&mut cluster.certificate_authority, &mut cluster.certificate_authority_data, &base)?;
        }
        Ok(())
    }

    /// Replaces everything that may be secret, so that the config can be shown to anyone: tokens, passwords and keys; the
    /// settings of an auth provider, except the issuer and the client id; arguments and environment of an exec plugin; users and
    /// passwords in URLs; and all values in extensions and in unknown fields. Names, paths and certificates stay.
    ///
    /// ```
    /// use client_rs_transport::kubeconfig::Kubeconfig;
    ///
    /// let mut kubeconfig = Kubeconfig::parse(b"users: [{name: jane, user: {token: s3cret}}]")?;
    /// kubeconfig.redact();
    /// assert!(!kubeconfig.to_yaml()?.contains("s3cret"));
    /// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
    /// ```
    pub fn redact(&mut self) {
        self.extensions.values_mut().for_each(redact_value);
        redact_fields(&mut self.unknown);
        self.preferences.extensions.values_mut().for_each(redact_value);
        redact_fields(&mut self.preferences.unknown);
        for cluster in self.clusters.values_mut() {
            cluster.server = without_user_info(&cluster.server);
            cluster.proxy_url = without_user_info(&cluster.proxy_url);
            cluster.extensions.values_mut().for_each(redact_value);
            cluster.unknown.redact();
        }
        for context in self.contexts.values_mut() {
            context.extensions.values_mut().for_each(redact_value);
            context.unknown.redact();
        }
        self.users.values_mut().for_each(AuthInfo::redact);
    }

    /// Like [`redact`](Self::redact), and also replaces long data, so that the config is easy to read.
    pub fn shorten(&mut self) {
        // Its base64 encoding reads DATA+OMITTED.
        const OMITTED: &[u8] = &[0x0c, 0x04, 0xc0, 0xf8, 0xe3, 0x08, 0x4d, 0x31, 0x03];
        let shorten = |data: &mut Bytes| {
            if !data.is_empty() {
                *data = Bytes::from_static(OMITTED);
            }
        };
        self.redact();
        for user in self.users.values_mut() {
            shorten(&mut user.client_key_data);
            shorten(&mut user.client_certificate_data);
        }
        self.clusters.values_mut().for_each(|cluster| shorten(&mut cluster.certificate_authority_data));
    }

    /// Returns `true` if it contains a credential, which other users of the machine must not read.
    pub(super) fn has_secrets(&self) -> bool {
        self.users.values().any(|user| {
            let provider = user.auth_provider.as_ref().is_some_and(|provider| {
                provider.config.keys().any(|name| !HARMLESS_SETTINGS.contains(&name.as_str()))
            });
            let exec = user.exec.as_ref();
            let exec = exec.is_some_and(|exec| exec.env.iter().any(|variable| !variable.value.is_empty()));
            !user.token.is_empty()
                || !user.password.is_empty()
                || !user.client_key_data.is_empty()
                || provider
                || exec
        })
    }
}

impl AuthInfo {
    fn redact(&mut self) {
        for secret in [&mut self.token, &mut self.password] {
            if !secret.is_empty() {
                *secret = Secret::from(REDACTED);
            }
        }
        if !self.client_key_data.is_empty() {
            self.client_key_data = Bytes::from_static(REDACTED.as_bytes());
        }
        if let Some(provider) = &mut self.auth_provider {
            for (name, value) in &mut provider.config {
                if HARMLESS_SETTINGS.contains(&name.as_str()) {
                    *value = without_user_info(value);
                } else {
                    redact_text(value);
                }
            }
            redact_fields(&mut provider.unknown);
        }
        if let Some(exec) = &mut self.exec {
            exec.args.iter_mut().for_each(redact_text);
            for variable in &mut exec.env {
                redact_text(&mut variable.value);
                redact_fields(&mut variable.unknown);
            }
            redact_fields(&mut exec.unknown);
        }
        self.extensions.values_mut().for_each(redact_value);
        self.unknown.redact();
    }
}

impl Unknown {
    fn redact(&mut self) {
        redact_fields(&mut self.inside);
        redact_fields(&mut self.beside);
    }
}

/// The settings of an auth provider that are not secret.
const HARMLESS_SETTINGS: [&str; 2] = ["client-id", "idp-issuer-url"];

const REDACTED: &str = "REDACTED";

fn redact_text(text: &mut String) {
    if !text.is_empty() {
        REDACTED.clone_into(text);
    }
}

fn redact_fields(fields: &mut Map<String, Value>) {
    fields.values_mut().for_each(redact_value);
}

/// Replaces the values and keeps the shape, so that users see which fields are set.
fn redact_value(value: &mut Value) {
    match value {
        Value::Object(fields) => redact_fields(fields),
        Value::Array(values) => values.iter_mut().for_each(redact_value),
        Value::String(text) => redact_text(text),
        Value::Number(_) => *value = REDACTED.into(),
        Value::Bool(_) | Value::Null => {}
    }
}

fn inline(path: &mut String, data: &mut Bytes, base: &std::path::Path) -> Result<(), KubeconfigError> {
    if path.is_empty() {
        return Ok(());
    }
    if !data.is_empty() {
        return Err(KubeconfigError::View("cannot have values for both path and contents".to_owned()));
    }
    let file = resolve(path, base);
    *data = std::fs::read(&file).map_err(|error| KubeconfigError::read(file.as_ref(), error))?.into();
    path.clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        auth::{
            AuthProviderConfig,
            exec::{ExecConfig, ExecEnv, InteractiveMode, PluginPolicy},
        },
        kubeconfig::{KubeCluster, KubeContext, Preferences, decode, encode},
    };

    /// A value in every field, without `..`: a new field does not compile until it is here.
    fn full() -> Kubeconfig {
        let text = |text: &str| text.to_owned();
        let map =
            |name: &str| Map::from_iter([(name.to_owned(), json!({"deep": ["text", 7], "flag": true}))]);
        let unknown = || Unknown { inside: map("future-inside"), beside: map("future-beside") };
        let extensions = || [("extension-name".to_owned(), json!({"deep": ["text", 7]}))].into();
        let cluster = KubeCluster {
            origin: None,
            server: text("https://k"),
            tls_server_name: text("text"),
            insecure_skip_tls_verify: true,
            certificate_authority: text("text"),
            certificate_authority_data: "text".into(),
            proxy_url: text("https://p"),
            disable_compression: true,
            extensions: extensions(),
            unknown: unknown(),
        };
        let provider = AuthProviderConfig {
            name: text("text"),
            config: ["idp-issuer-url", "client-id", "client-secret", "id-token", "refresh-token", "other"]
                .map(|name| (text(name), text("text")))
                .into(),
            unknown: map("future-provider"),
        };
        let exec = ExecConfig {
            command: text("text"),
            args: vec![text("text"), text("--flag=text")],
            env: vec![ExecEnv { name: text("text"), value: text("text"), unknown: map("future-env") }],
            api_version: text("text"),
            install_hint: text("text"),
            provide_cluster_info: true,
            interactive_mode: InteractiveMode::Never,
            unknown: map("future-exec"),
            cluster_extension: None,
            stdin_unavailable: None,
            policy: PluginPolicy::AllowAll,
            timeout: None,
        };
        let user = AuthInfo {
            origin: None,
            client_certificate: text("text"),
            client_certificate_data: "text".into(),
            client_key: text("text"),
            client_key_data: "text".into(),
            token: "text".into(),
            token_file: text("text"),
            impersonate: text("text"),
            impersonate_uid: text("text"),
            impersonate_groups: vec![text("text")],
            impersonate_user_extra: [(text("key"), vec![text("text")])].into(),
            username: text("text"),
            password: "text".into(),
            auth_provider: Some(provider),
            exec: Some(exec),
            extensions: extensions(),
            unknown: unknown(),
        };
        let context = KubeContext {
            origin: None,
            cluster: text("text"),
            user: text("text"),
            namespace: text("text"),
            extensions: extensions(),
            unknown: unknown(),
        };
        let preferences =
            Preferences { colors: true, extensions: extensions(), unknown: map("future-preferences") };
        Kubeconfig {
            preferences,
            clusters: [(text("name"), cluster)].into(),
            users: [(text("name"), user)].into(),
            contexts: [(text("name"), context)].into(),
            current_context: text("text"),
            extensions: extensions(),
            unknown: map("future"),
        }
    }

    /// The values that may be shown: names, paths, and data that is visible on the network.
    const HARMLESS: &[&str] = &[
        "apiVersion",
        "kind",
        "current-context",
        "name",
        "server",
        "tls-server-name",
        "certificate-authority",
        "certificate-authority-data",
        "proxy-url",
        "client-certificate",
        "client-certificate-data",
        "client-key",
        "tokenFile",
        "as",
        "as-uid",
        "as-groups",
        "as-user-extra",
        "username",
        "idp-issuer-url",
        "client-id",
        "command",
        "installHint",
        "interactiveMode",
        "cluster",
        "user",
        "namespace",
    ];

    /// The paths of all texts and numbers.
    fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| leaves(value, &format!("{path}/{name}"), found));
            }
            Value::Array(values) => {
                values
                    .iter()
                    .enumerate()
                    .for_each(|(at, value)| leaves(value, &format!("{path}/{at}"), found));
            }
            Value::String(_) | Value::Number(_) => found.push(path.to_owned()),
            Value::Bool(_) | Value::Null => {}
        }
    }

    /// The last component of a path that is a name.
    fn field(path: &str) -> &str {
        path.rsplit('/').find(|part| part.parse::<usize>().is_err() && *part != "key").unwrap()
    }

    fn harmless(path: &str) -> bool {
        HARMLESS.contains(&field(path)) && !path.contains("/deep")
    }

    #[test]
    fn a_redacted_config_shows_no_value_that_may_be_secret() {
        use base64::{Engine, prelude::BASE64_STANDARD};
        let document = encode::config(&full(), true);
        let mut paths = Vec::new();
        leaves(&document, "", &mut paths);
        assert!(paths.len() > 60, "{}", paths.len());
        for path in paths {
            let marker = if field(&path).ends_with("-data") {
                BASE64_STANDARD.encode("hunter2hunter2")
            } else {
                "hunter2hunter2".to_owned()
            };
            let mut planted = document.clone();
            *planted.pointer_mut(&path).unwrap() = marker.clone().into();
            let Ok(config) = decode::config(planted) else {
                assert!(["/kind", "/apiVersion"].contains(&&*path), "{path}");
                continue;
            };
            let debug = format!("{config:?}");
            let (mut redacted, mut short) = (config.clone(), config.clone());
            redacted.redact();
            short.shorten();
            for (how, text) in [
                ("redacted", redacted.to_yaml().unwrap()),
                ("redacted, as JSON", redacted.to_json().to_string()),
                ("shortened", short.to_yaml().unwrap()),
                ("debug", debug),
            ] {
                let shown = text.contains(&marker) || text.contains("hunter2hunter2");
                assert!(!shown || harmless(&path), "{path} is shown when {how}");
            }
            let kept = redacted.to_yaml().unwrap().contains(&marker);
            assert_eq!(kept, harmless(&path), "{path} when redacted");
        }
    }

    #[test]
    fn passwords_in_urls_are_redacted() {
        let mut config = full();
        for cluster in config.clusters.values_mut() {
            cluster.server = "https://me:hunter2@k".to_owned();
            cluster.proxy_url = "socks5://me:hunter2@p:1080".to_owned();
        }
        for user in config.users.values_mut() {
            let provider = user.auth_provider.as_mut().unwrap();
            provider.config.insert("idp-issuer-url".to_owned(), "https://me:hunter2@issuer".to_owned());
        }
        config.redact();
        let text = config.to_yaml().unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        for place in ["@k", "@p:1080", "@issuer"] {
            assert!(text.contains(place), "{text}");
        }
    }
}
