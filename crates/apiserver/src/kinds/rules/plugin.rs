//! The admission plugins that a server can run without.

use std::fmt;
use std::str::FromStr;

/// An admission plugin of the real server that can be turned off here: see
/// [`StorageOptions::disable_plugins`](crate::StorageOptions::disable_plugins).
///
/// Other plugins that are on by default are always on.
///
/// ```
/// use client_rs_apiserver::AdmissionPlugin;
///
/// let plugin: AdmissionPlugin = "ServiceAccount".parse()?;
/// assert_eq!(plugin, AdmissionPlugin::ServiceAccount);
/// assert_eq!(plugin.to_string(), "ServiceAccount");
/// assert!("NodeRestriction".parse::<AdmissionPlugin>().is_err());
/// # Ok::<(), client_rs_apiserver::UnknownPlugin>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AdmissionPlugin {
    /// Sets the class of an ingress without one.
    DefaultIngressClass,
    /// Sets the storage class of a claim without one.
    DefaultStorageClass,
    /// Applies limit ranges.
    LimitRanger,
    /// Evaluates mutating admission policies.
    MutatingAdmissionPolicy,
    /// Calls mutating webhooks.
    MutatingAdmissionWebhook,
    /// Enforces the pod security labels of namespaces.
    PodSecurity,
    /// Sets the priority of a pod from its class.
    Priority,
    /// Enforces resource quotas.
    ResourceQuota,
    /// Applies the runtime class of a pod.
    RuntimeClass,
    /// Sets the service account of a pod, and mounts its token.
    ServiceAccount,
    /// Adds the finalizers of claims and volumes.
    StorageObjectInUseProtection,
    /// Evaluates validating admission policies.
    ValidatingAdmissionPolicy,
    /// Calls validating webhooks.
    ValidatingAdmissionWebhook,
}

/// No plugin that can be turned off has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the admission plugin {0:?} can't be turned off")]
pub struct UnknownPlugin(pub String);

impl AdmissionPlugin {
    /// All of them, by name.
    pub const ALL: &'static [Self] = &[
        Self::DefaultIngressClass,
        Self::DefaultStorageClass,
        Self::LimitRanger,
        Self::MutatingAdmissionPolicy,
        Self::MutatingAdmissionWebhook,
        Self::PodSecurity,
        Self::Priority,
        Self::ResourceQuota,
        Self::RuntimeClass,
        Self::ServiceAccount,
        Self::StorageObjectInUseProtection,
        Self::ValidatingAdmissionPolicy,
        Self::ValidatingAdmissionWebhook,
    ];
}

impl fmt::Display for AdmissionPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The names of the variants are those of the plugins.
        fmt::Debug::fmt(self, f)
    }
}

impl FromStr for AdmissionPlugin {
    type Err = UnknownPlugin;

    fn from_str(name: &str) -> Result<Self, UnknownPlugin> {
        let found = Self::ALL.iter().find(|plugin| plugin.to_string() == name);
        found.copied().ok_or_else(|| UnknownPlugin(name.to_owned()))
    }
}

/// A set of plugins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plugins(u32);

impl Plugins {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn contains(self, plugin: AdmissionPlugin) -> bool {
        self.0 & Self::bit(plugin) != 0
    }

    fn bit(plugin: AdmissionPlugin) -> u32 {
        1 << plugin as u32
    }
}

impl FromIterator<AdmissionPlugin> for Plugins {
    fn from_iter<I: IntoIterator<Item = AdmissionPlugin>>(plugins: I) -> Self {
        Self(plugins.into_iter().fold(0, |bits, plugin| bits | Self::bit(plugin)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_plugins_that_were_put_in() {
        let set: Plugins = [AdmissionPlugin::Priority, AdmissionPlugin::ServiceAccount].into_iter().collect();
        for plugin in AdmissionPlugin::ALL {
            let put = matches!(plugin, AdmissionPlugin::Priority | AdmissionPlugin::ServiceAccount);
            assert_eq!(set.contains(*plugin), put, "{plugin}");
            assert_eq!(plugin.to_string().parse(), Ok(*plugin));
            assert!(!Plugins::NONE.contains(*plugin));
        }
    }
}
