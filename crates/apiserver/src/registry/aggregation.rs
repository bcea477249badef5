//! The groups of aggregated API servers, from `APIService` objects. This server does not proxy to them; each is
//! reported as unavailable.

use client_rs_machinery::Str;

use super::Registry;
use crate::store::Range;

/// A version of a group that an aggregated API server serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AggregatedVersion {
    pub(crate) group: Str,
    pub(crate) version: Str,
}

impl Registry {
    /// The versions of aggregated API servers, by group, with the preferred version first.
    pub(crate) fn aggregated_versions(&self) -> Vec<AggregatedVersion> {
        let served = self.catalog().find("apiregistration.k8s.io", "v1", "apiservices");
        let Some(table) = served.and_then(|served| served.table) else { return Vec::new() };
        let state = self.read();
        let Ok(objects) = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX) else {
            return Vec::new();
        };
        let mut found: Vec<(i64, i64, AggregatedVersion)> = objects
            .filter_map(|(_, _, stored)| {
                let spec = stored.object.object.get("spec")?;
                spec.get("service").filter(|service| !service.is_null())?;
                let text = |key: &str| Str::from(spec[key].as_str().unwrap_or_default());
                let priority = |key: &str| -spec[key].as_i64().unwrap_or_default();
                let version = AggregatedVersion { group: text("group"), version: text("version") };
                Some((priority("groupPriorityMinimum"), priority("versionPriority"), version))
            })
            .collect();
        found.sort_by(|a, b| (a.0, &a.2.group, a.1).cmp(&(b.0, &b.2.group, b.1)));
        found.into_iter().map(|(_, _, version)| version).collect()
    }

    /// Whether an aggregated API server serves this version of a group, or any version if it is `None`.
    pub(crate) fn is_aggregated(&self, group: &str, version: Option<&str>) -> bool {
        self.aggregated_versions()
            .iter()
            .any(|one| one.group == group && version.is_none_or(|version| one.version == version))
    }
}
