//! `auth-provider` by name.

use super::AuthError;

const HELP: &str =
    "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins";

/// Why a provider other than `oidc` can't be used.
pub(super) fn refuse(name: &str) -> AuthError {
    match name {
        "gcp" => AuthError::RemovedProvider {
            name: "gcp",
            plugin: "gke-gcloud-auth-plugin",
            help: "https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-access-for-kubectl#install_plugin",
        },
        "azure" => AuthError::RemovedProvider {
            name: "azure",
            plugin: "kubelogin",
            help: "https://github.com/Azure/kubelogin",
        },
        "openstack" => {
            AuthError::RemovedProvider { name: "openstack", plugin: "client-keystone-auth", help: HELP }
        }
        _ => AuthError::UnknownProvider(name.to_owned()),
    }
}
