//! What is said on the command line, or by a program, in place of what the files say.

use super::{AuthInfo, KubeCluster, KubeContext};
use crate::auth::exec::PluginPolicy;

/// Values that count more than those of the files. Empty ones count nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Of the user.
    pub user: AuthInfo,
    /// Of the cluster, where the files say nothing.
    pub cluster_defaults: KubeCluster,
    /// Of the cluster.
    pub cluster: KubeCluster,
    /// Of the context: names of cluster and user, namespace.
    pub context: KubeContext,
    /// The context itself.
    pub current_context: String,
    /// How long a request may take: a whole number of seconds, or a duration such as `2m`.
    pub timeout: String,
    /// Which exec plugins may run. Default: none, so that each [`ExecConfig`](crate::auth::exec::ExecConfig) keeps the
    /// policy that it has, which is "all" for what comes from a file.
    pub plugin_policy: Option<PluginPolicy>,
}

impl Overrides {
    /// What client-go takes when nobody says anything: the server of `KUBERNETES_MASTER`, else `http://localhost:8080`.
    #[must_use]
    pub fn with_default_cluster(mut self) -> Self {
        let server = std::env::var("KUBERNETES_MASTER").ok().filter(|server| !server.is_empty());
        self.cluster_defaults.server = server.unwrap_or_else(|| "http://localhost:8080".to_owned());
        self
    }
}

/// People say `-n namespaces/x`, `namespace/x` or `ns/x` and mean `x`.
pub fn remove_namespaces_prefix(namespace: &str) -> &str {
    let stripped = ["namespaces/", "namespace/", "ns/"].into_iter().find_map(|prefix| {
        let (head, rest) = namespace.split_at_checked(prefix.len())?;
        (head.eq_ignore_ascii_case(prefix) && !rest.is_empty()).then_some(rest)
    });
    stripped.unwrap_or(namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t4_5_08_namespace_flag_given_as_namespaces_x_is_reduced_to_x() {
        for (given, meant) in [
            ("x", "x"),
            ("namespaces/x", "x"),
            ("namespace/x", "x"),
            ("ns/x", "x"),
            ("NS/x", "x"),
            ("NameSpaces/x", "x"),
            ("namespacenamespace", "namespacenamespace"),
            ("ns/", "ns/"),
            ("ns/ns/x", "ns/x"),
            ("", ""),
            ("é/x", "é/x"),
        ] {
            assert_eq!(remove_namespaces_prefix(given), meant, "{given:?}");
        }
    }
}
