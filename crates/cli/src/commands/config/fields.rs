//! The fields of a kubeconfig, in the order in which kubectl writes them.

/// The fields of a cluster, a user and a context, in addition to [`EXTENSIONS`].
pub(super) const CLUSTER: [&str; 7] = [
    "server",
    "tls-server-name",
    "insecure-skip-tls-verify",
    "certificate-authority",
    "certificate-authority-data",
    "proxy-url",
    "disable-compression",
];
pub(super) const USER: [&str; 14] = [
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
    "token",
    "tokenFile",
    "as",
    "as-uid",
    "as-groups",
    "as-user-extra",
    "username",
    "password",
    "auth-provider",
    "exec",
];
pub(super) const CONTEXT: [&str; 3] = ["cluster", "user", "namespace"];

pub(super) const EXTENSIONS: &str = "extensions";

const FILE: [&str; 12] = [
    "command",
    "args",
    "env",
    "kind",
    "apiVersion",
    "preferences",
    "clusters",
    "users",
    "contexts",
    "current-context",
    "name",
    "context",
];
const PLUGIN: [&str; 7] =
    ["config", "value", "installHint", "provideClusterInfo", "interactiveMode", "colors", "extension"];

/// All of them: of two in one object, the one that stands first here is written first.
pub(super) fn order() -> Vec<&'static str> {
    [&FILE[..], &CONTEXT, &CLUSTER, &USER, &PLUGIN, &[EXTENSIONS]].concat()
}
