//! Overrides of one config by another.
//!
//! The rules, per field: an empty, false or missing value overrides nothing; lists and structs in an `Option` are replaced as a
//! whole; maps are merged by key.

use super::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, Unknown};
use client_rs_machinery::collections::VecMap;

/// Overrides the fields of `self` with those of `over`.
pub(super) trait Cover {
    fn cover(&mut self, over: &Self);
}

impl Kubeconfig {
    /// Adds the entries of another file that this one does not have. Of entries with the same name, this one's stay unchanged.
    pub fn add_missing(&mut self, other: &Self) {
        let mut merged = other.clone();
        merged.current_context.cover(&self.current_context);
        merged.preferences.colors.cover(&self.preferences.colors);
        merged.preferences.extensions.cover(&self.preferences.extensions);
        merged.preferences.unknown.extend(self.preferences.unknown.clone());
        merged.clusters.cover(&self.clusters);
        merged.users.cover(&self.users);
        merged.contexts.cover(&self.contexts);
        merged.extensions.cover(&self.extensions);
        merged.unknown.extend(self.unknown.clone());
        *self = merged;
    }
}

impl Cover for KubeCluster {
    fn cover(&mut self, over: &Self) {
        self.origin.cover(&over.origin);
        self.server.cover(&over.server);
        self.tls_server_name.cover(&over.tls_server_name);
        self.insecure_skip_tls_verify.cover(&over.insecure_skip_tls_verify);
        self.certificate_authority.cover(&over.certificate_authority);
        self.certificate_authority_data.cover(&over.certificate_authority_data);
        self.proxy_url.cover(&over.proxy_url);
        self.disable_compression.cover(&over.disable_compression);
        self.extensions.cover(&over.extensions);
        self.unknown.cover(&over.unknown);
    }
}

impl Cover for AuthInfo {
    fn cover(&mut self, over: &Self) {
        self.origin.cover(&over.origin);
        self.client_certificate.cover(&over.client_certificate);
        self.client_certificate_data.cover(&over.client_certificate_data);
        self.client_key.cover(&over.client_key);
        self.client_key_data.cover(&over.client_key_data);
        if !over.token.is_empty() {
            self.token = over.token.clone();
        }
        self.token_file.cover(&over.token_file);
        self.impersonate.cover(&over.impersonate);
        self.impersonate_uid.cover(&over.impersonate_uid);
        if !over.impersonate_groups.is_empty() {
            self.impersonate_groups.clone_from(&over.impersonate_groups);
        }
        self.impersonate_user_extra.cover(&over.impersonate_user_extra);
        self.username.cover(&over.username);
        if !over.password.is_empty() {
            self.password = over.password.clone();
        }
        self.auth_provider.cover(&over.auth_provider);
        self.exec.cover(&over.exec);
        self.extensions.cover(&over.extensions);
        self.unknown.cover(&over.unknown);
    }
}

impl Cover for KubeContext {
    fn cover(&mut self, over: &Self) {
        self.origin.cover(&over.origin);
        self.cluster.cover(&over.cluster);
        self.user.cover(&over.user);
        self.namespace.cover(&over.namespace);
        self.extensions.cover(&over.extensions);
        self.unknown.cover(&over.unknown);
    }
}

impl Cover for Unknown {
    fn cover(&mut self, over: &Self) {
        self.inside.extend(over.inside.clone());
        self.beside.extend(over.beside.clone());
    }
}

impl Cover for String {
    fn cover(&mut self, over: &Self) {
        if !over.is_empty() {
            self.clone_from(over);
        }
    }
}

impl Cover for bytes::Bytes {
    fn cover(&mut self, over: &Self) {
        if !over.is_empty() {
            self.clone_from(over);
        }
    }
}

impl Cover for bool {
    fn cover(&mut self, over: &Self) {
        *self |= over;
    }
}

impl<T: Clone> Cover for Option<T> {
    fn cover(&mut self, over: &Self) {
        if over.is_some() {
            self.clone_from(over);
        }
    }
}

impl<T: Clone> Cover for VecMap<String, T> {
    fn cover(&mut self, over: &Self) {
        self.extend(over.iter().map(|(name, entry)| (name.clone(), entry.clone())));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::auth::{AuthProviderConfig, exec::ExecConfig};

    #[test]
    fn t4_3_01_zero_values_never_overwrite_maps_merge_by_key_slices_and_pointers_replace() {
        let full = AuthInfo {
            client_certificate: "cert".into(),
            client_key_data: "key".into(),
            token: "token".into(),
            impersonate_groups: vec!["a".into(), "b".into()],
            impersonate_user_extra: [
                ("k".into(), vec!["1".into(), "2".into()]),
                ("l".into(), vec!["3".into()]),
            ]
            .into(),
            exec: Some(ExecConfig {
                command: "plugin".into(),
                install_hint: "hint".into(),
                ..ExecConfig::default()
            }),
            auth_provider: Some(AuthProviderConfig { name: "oidc".into(), ..AuthProviderConfig::default() }),
            extensions: [("x".into(), json!(1))].into(),
            ..AuthInfo::default()
        };
        let mut merged = full.clone();
        merged.cover(&AuthInfo::default());
        assert_eq!(merged, full, "an empty value overrides nothing");
        let mut merged = AuthInfo::default();
        merged.cover(&full);
        assert_eq!(merged, full, "a value overrides an empty one");

        let mut merged = full.clone();
        merged.cover(&AuthInfo {
            token: "other".into(),
            impersonate_groups: vec!["c".into()],
            impersonate_user_extra: [("k".into(), vec!["9".into()])].into(),
            exec: Some(ExecConfig { command: "other".into(), ..ExecConfig::default() }),
            extensions: [("y".into(), json!(2))].into(),
            ..AuthInfo::default()
        });
        assert_eq!(merged.token.expose(), "other");
        assert_eq!(merged.client_certificate, "cert");
        assert_eq!(merged.impersonate_groups, ["c"], "a list replaces a list");
        assert_eq!(merged.impersonate_user_extra["k"], ["9"]);
        assert_eq!(merged.impersonate_user_extra["l"], ["3"], "maps merge by key");
        let exec = merged.exec.unwrap();
        assert_eq!((&*exec.command, &*exec.install_hint), ("other", ""), "structs replace as a whole");
        assert_eq!(merged.extensions, [("x".into(), json!(1)), ("y".into(), json!(2))].into());

        let mut cluster = KubeCluster { insecure_skip_tls_verify: true, ..KubeCluster::default() };
        cluster.cover(&KubeCluster::default());
        assert!(cluster.insecure_skip_tls_verify, "false never clears");
    }
}
