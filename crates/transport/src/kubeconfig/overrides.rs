//! Settings from the command line, or from a program, that take precedence over the files.

use super::{AuthInfo, KubeCluster, KubeContext};
use crate::auth::exec::PluginPolicy;

client_rs_machinery::options! {
    /// Values that take precedence over those of the files. Empty values have no effect.
    ///
    /// See the [module documentation](super) for an example. `args::KubeArgs` (feature `clap`) creates them from kubectl's flags.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Overrides {
        /// Overrides of the user.
        pub user: AuthInfo => with_user,
        /// Defaults of the cluster, for fields that the files do not set.
        pub cluster_defaults: KubeCluster => with_cluster_defaults,
        /// Overrides of the cluster.
        pub cluster: KubeCluster => with_cluster,
        /// Overrides of the context: the names of cluster and user, and the namespace.
        pub context: KubeContext => with_context,
        /// The context to use.
        pub current_context: String => with_current_context,
        /// The time limit of a request: a whole number of seconds, or a duration such as `2m`.
        pub timeout: String => with_timeout,
        /// The exec plugins that may run. Default: none, so that each [`ExecConfig`](crate::auth::exec::ExecConfig) keeps its
        /// policy, which is "all" for one from a file.
        pub plugin_policy: Option<PluginPolicy> => with_plugin_policy,
    }
}

impl Overrides {
    /// Adds client-go's default cluster: the server in `KUBERNETES_MASTER`, else `http://localhost:8080`.
    #[must_use]
    pub fn with_default_cluster(mut self) -> Self {
        let server = std::env::var("KUBERNETES_MASTER").ok().filter(|server| !server.is_empty());
        self.cluster_defaults.server = server.unwrap_or_else(|| "http://localhost:8080".to_owned());
        self
    }
}

/// Removes a resource prefix: users write `-n namespaces/x`, `namespace/x` or `ns/x` and mean `x`.
///
/// ```
/// use client_rs_transport::kubeconfig::remove_namespaces_prefix;
///
/// assert_eq!(remove_namespaces_prefix("ns/web"), "web");
/// assert_eq!(remove_namespaces_prefix("web"), "web");
/// ```
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
