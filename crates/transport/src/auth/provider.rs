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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legacy_provider_is_refused_with_the_plugin_to_use() {
        for (name, plugin) in
            [("gcp", "gke-gcloud-auth-plugin"), ("azure", "kubelogin"), ("openstack", "client-keystone-auth")]
        {
            let error = refuse(name).to_string();
            assert!(
                error.contains(&format!("the {name} auth provider")) && error.contains(plugin),
                "{error}"
            );
            assert!(error.contains("https://"), "{error}");
        }
        assert_eq!(refuse("x").to_string(), "no auth provider of the name \"x\"; use an exec plugin instead");
    }
}
