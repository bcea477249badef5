//! Groups that another server is to serve, by what `APIService` objects say. No request is passed on here: each such
//! server counts as one that does not answer.

use client_rs_machinery::{ApiError, Json, Str, Unstructured, json};

use super::{Part, Precondition, Registry, Stored, WriteOptions};
use crate::store::Range;

/// A version of a group that is served elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    pub(crate) group: Str,
    pub(crate) version: Str,
}

impl Registry {
    /// The versions that are served elsewhere: by group, and in a group the preferred one first.
    pub(crate) fn elsewhere(&self) -> Vec<Elsewhere> {
        let served = self.catalog().find("apiregistration.k8s.io", "v1", "apiservices");
        let Some(table) = served.and_then(|served| served.table) else { return Vec::new() };
        let state = self.read();
        let Ok(objects) = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX) else {
            return Vec::new();
        };
        let mut found: Vec<(i64, i64, Elsewhere)> = objects
            .filter_map(|(_, _, stored)| {
                let spec = stored.object.object.get("spec")?;
                spec.get("service").filter(|service| !service.is_null())?;
                let text = |key: &str| Str::from(spec[key].as_str().unwrap_or_default());
                let priority = |key: &str| -spec[key].as_i64().unwrap_or_default();
                let version = Elsewhere { group: text("group"), version: text("version") };
                Some((priority("groupPriorityMinimum"), priority("versionPriority"), version))
            })
            .collect();
        found.sort_by(|a, b| (a.0, &a.2.group, a.1).cmp(&(b.0, &b.2.group, b.1)));
        found.into_iter().map(|(_, _, version)| version).collect()
    }

    /// Whether a group is served elsewhere, in this version or, without one, in any.
    pub(crate) fn is_elsewhere(&self, group: &str, version: Option<&str>) -> bool {
        self.elsewhere()
            .iter()
            .any(|one| one.group == group && version.is_none_or(|version| one.version == version))
    }

    /// Writes into an `APIService` whether its server answers. `books` notes who wrote what.
    pub(crate) fn judge_service(
        &self,
        name: &str,
        books: &dyn Fn(&Unstructured, Unstructured) -> Result<Unstructured, ApiError>,
    ) {
        let Some(served) = self.catalog().find("apiregistration.k8s.io", "v1", "apiservices") else { return };
        let now = self.clock().now().to_string();
        let mut make = |stored: Option<&Stored>| {
            let old = &stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), name))?.object;
            let service = old.object.get("spec").map(|spec| spec["service"].clone()).unwrap_or_default();
            let condition = self.availability(&service, &now);
            let mut new = old.clone();
            drop(new.set_nested(&["status", "conditions"], Json::from(vec![condition])));
            books(old, new)
        };
        let (part, options) = (Part::Status, WriteOptions::default());
        // It may be gone already.
        let _ = self.update(&served, "", name, part, Precondition::SameUid, options, &mut make);
    }

    fn availability(&self, service: &Json, now: &str) -> Json {
        let (status, reason, message) = if service.is_null() {
            ("True", "Local", "Local APIServices are always available".to_owned())
        } else {
            let text = |key: &str| service[key].as_str().unwrap_or_default();
            let (name, namespace) = (text("name"), text("namespace"));
            let services = self.catalog().find("", "v1", "services");
            if services.is_some_and(|services| self.get(&services, namespace, name).is_ok()) {
                let why =
                    format!("no response from {name}.{namespace}: requests are not passed on by this server");
                ("False", "FailedDiscoveryCheck", why)
            } else {
                ("False", "ServiceNotFound", format!("service/{name} in {namespace:?} is not present"))
            }
        };
        json!({
            "type": "Available", "status": status, "lastTransitionTime": now, "reason": reason, "message": message,
        })
    }
}
