//! The catalog of served resources, in each of their versions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use client_rs_machinery::wire::DecodeError;
use client_rs_machinery::{
    GroupKind, GroupResource, Kind, ResourceInfo, Scheme, Str, Unstructured, compare_versions,
};
use tokio::sync::watch as signal;

use super::Admission;
use crate::custom::{ConversionError, Convert, Custom};
use crate::kinds::{self, Conversion, Rules};
use crate::object::Info;
use crate::object::{Stored, typed};
use crate::store::{Store, TableId};

/// A resource in one version.
#[derive(Debug)]
pub(crate) struct Served {
    /// Its discovery data.
    pub(crate) info: Info,
    /// Its type; `None` for a custom resource.
    pub(crate) kind: Option<Kind>,
    /// The table of its objects; `None` for a resource without stored objects, such as a review.
    pub(crate) table: Option<TableId>,
    /// The rules of its kind.
    pub(crate) rules: Rules,
    /// The conversion to the stored version, if they differ.
    pub(crate) conversion: Option<&'static Conversion>,
    /// Fields of its spec that are dropped because their feature is off.
    pub(crate) off: &'static [&'static str],
    /// Notified when it is no longer served, or has changed. Its watches end.
    pub(crate) ended: signal::Sender<bool>,
}

impl Served {
    /// A resource of a custom resource definition.
    pub(crate) fn of_definition(info: Info, table: TableId, custom: Arc<Custom>) -> Self {
        let (rules, table, ended) = (Rules::Custom(custom), Some(table), signal::channel(false).0);
        Self { info, kind: None, table, rules, conversion: None, off: &[], ended }
    }

    /// The same resource for another registry. Its watches end separately.
    fn fork(&self) -> Self {
        Self {
            info: self.info.clone(),
            kind: self.kind,
            table: self.table,
            rules: self.rules.clone(),
            conversion: self.conversion,
            off: self.off,
            ended: signal::channel(*self.ended.borrow()).0,
        }
    }

    /// The definition of a custom resource.
    pub(crate) fn custom(&self) -> Option<&Arc<Custom>> {
        self.rules.custom()
    }

    /// The `apiVersion`.
    pub(crate) fn api_version(&self) -> String {
        self.info.api_version()
    }

    /// Its group and plural name.
    pub(crate) fn at(&self) -> (&str, &str) {
        (&self.info.group, &self.info.plural)
    }

    /// The group and resource, for errors about an object.
    pub(crate) fn group_resource(&self) -> GroupResource {
        GroupResource::new(self.info.group.as_str(), self.info.plural.as_str())
    }

    /// The group and kind, for errors about the content of an object. They are those of the stored version.
    pub(crate) fn group_kind(&self) -> GroupKind {
        let group = match self.conversion {
            Some(conversion) => conversion.stored_group(),
            None => self.info.group.as_str(),
        };
        GroupKind::new(group, self.info.kind.as_str())
    }

    /// An object in this version.
    pub(crate) fn shown(
        &self,
        stored: &Arc<Stored>,
        session: Option<&dyn Admission>,
    ) -> Result<Arc<Stored>, ConversionError> {
        let Some(custom) = self.custom() else { return Ok(Arc::clone(stored)) };
        custom.stored_in_version(stored, upcast(session)).map_err(|error| match error {
            ConversionError::Failed(why) => {
                let object = &stored.object;
                let inside =
                    if self.info.namespaced { format!("{}/", object.namespace()) } else { String::new() };
                let (group, plural) = self.at();
                ConversionError::Corrupt {
                    key: format!("{group}/{plural}/{inside}{}", object.name()),
                    revision: object.resource_version().to_owned(),
                    why,
                }
            }
            error => error,
        })
    }

    /// An object in JSON, encoded by its type. A custom object is encoded unchanged.
    pub(crate) fn written(&self, object: &Unstructured) -> Result<Vec<u8>, DecodeError> {
        self.kind.map_or_else(|| Ok(object.to_json()), |kind| self.written_as(kind, object))
    }

    /// An object or its scale in JSON, encoded by a type.
    pub(crate) fn written_as(&self, kind: Kind, object: &Unstructured) -> Result<Vec<u8>, DecodeError> {
        let text = typed(kind, object)?.to_json();
        Ok(match self.rules.rewrite_json {
            Some(rewrite) => rewrite(&text),
            None => text,
        })
    }

    /// A typed object in its stored form: in the stored version, with defaults.
    pub(crate) fn completed(&self, object: Unstructured) -> Unstructured {
        let mut object = match self.conversion {
            Some(conversion) => conversion.to_stored(object),
            None => object,
        };
        (self.rules.defaults)(&mut object.object);
        object
    }

    /// Converts an object of this version to the stored version.
    pub(crate) fn to_stored(
        &self,
        object: Unstructured,
        session: Option<&dyn Admission>,
    ) -> Result<Unstructured, ConversionError> {
        match self.custom() {
            Some(custom) => custom.to_stored(object, upcast(session)),
            None => Ok(object),
        }
    }

    /// Requests the conversion of an object before it is written, for the response. After the write, the request
    /// can't run again.
    pub(crate) fn request_conversion(&self, stored: &Unstructured, session: Option<&dyn Admission>) {
        if let (Some(custom), Some(session)) = (self.custom(), session)
            && custom.converter.is_some()
        {
            // If the conversion fails, the object is written all the same, and the response is the error: as in the
            // real server.
            let _ = custom.shown(stored, Some(session));
        }
    }

    /// Whether it has this subresource.
    pub(crate) fn has(&self, subresource: &str) -> bool {
        self.info.subresources.iter().any(|sub| sub.name == subresource)
    }

    /// Whether it has this verb. A custom resource has all verbs, even if discovery no longer lists some.
    pub(crate) fn can(&self, verb: &str) -> bool {
        self.custom().is_some() || self.info.verbs.contains(&verb)
    }
}

/// All served resources. It is immutable: every change creates a new catalog.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    served: Vec<Arc<Served>>,
    by_path: HashMap<(Str, Str, Str), usize>,
}

/// The groups in the order of the real server's discovery.
const GROUP_ORDER: &[&str] = &[
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "storagemigration.k8s.io",
];

impl Catalog {
    /// The stable versions of the built-in resources, and the versions in `also`. Each resource gets a table in the
    /// store.
    pub(crate) fn built_in(store: &mut Store<Arc<Stored>>, also: &[String]) -> Self {
        let scheme: Scheme = client_rs_api::scheme();
        let all = client_rs_api::served().iter().copied();
        let mut infos: Vec<_> = all.clone().filter(|info| is_served(info)).collect();
        for info in all.filter(|info| !is_served(info)) {
            // Only one version per resource: another would need a conversion.
            let is_known = infos.iter().any(|known| (known.group, known.plural) == (info.group, info.plural));
            if !is_known && also.iter().any(|version| *version == format!("{}/{}", info.group, info.version))
            {
                infos.push(info);
            }
        }
        let resources: HashSet<_> = infos.iter().map(|info| (info.group, info.plural)).collect();
        let rank = |group: &str| GROUP_ORDER.iter().position(|known| *known == group);
        // The sort is stable: versions and resources keep their order within a group.
        infos.sort_by_key(|info| rank(info.group).unwrap_or(GROUP_ORDER.len()));
        let mut served: Vec<Arc<Served>> = Vec::with_capacity(infos.len());
        for info in infos {
            let info = Info::from(info);
            let Some(kind) = scheme.find(&info.api_version(), &info.kind) else { continue };
            let keeps = ["create", "get", "list"].iter().all(|verb| info.verbs.contains(verb));
            let rules = kinds::find(&info.group, &info.plural);
            let conversion = rules.conversion.filter(|conversion| info.version == conversion.version());
            // The stored version comes first: the core group before others, and the preferred version of a group
            // before others.
            let shared = conversion.and_then(|conversion| {
                let stored = (conversion.stored_group(), info.plural.as_str());
                served.iter().find(|known| known.at() == stored && known.conversion.is_none())
            });
            let table = match shared {
                Some(shared) => shared.table,
                None => keeps.then(|| store.add_table()),
            };
            let off: &[&str] = match rules.feature {
                Some(feature) if !resources.contains(&(rules.group, feature.resource)) => feature.fields,
                _ => &[],
            };
            let rules = Rules::BuiltIn(rules);
            let (kind, ended) = (Some(kind), signal::channel(false).0);
            served.push(Arc::new(Served { info, kind, table, rules, conversion, off, ended }));
        }
        Self::of(served)
    }

    /// A catalog with the resources of a definition, which replace its earlier ones.
    ///
    /// Custom groups come after the built-in ones, sorted by name. In each group the preferred version comes first.
    pub(crate) fn with_definition(&self, name: &str, resources: Vec<Arc<Served>>) -> Self {
        let is_its = |served: &Arc<Served>| served.custom().is_some_and(|custom| custom.definition == name);
        let (mut fixed, mut custom): (Vec<_>, Vec<_>) = self
            .served
            .iter()
            .filter(|served| !is_its(served))
            .cloned()
            .chain(resources)
            .partition(|served| served.custom().is_none());
        custom.sort_by(|a, b| {
            let of = |served: &Arc<Served>| (served.info.group.clone(), served.info.plural.clone());
            let (a_at, b_at) = (of(a), of(b));
            let versions = compare_versions(&b.info.version, &a.info.version);
            a_at.0.cmp(&b_at.0).then(versions).then_with(|| a_at.1.cmp(&b_at.1))
        });
        fixed.append(&mut custom);
        Self::of(fixed)
    }

    /// The catalog of a copy of the registry. Built-in resources never change: both share them.
    pub(crate) fn fork(&self) -> Self {
        let fork = |served: &Arc<Served>| match served.custom() {
            Some(_) => Arc::new(served.fork()),
            None => Arc::clone(served),
        };
        Self { served: self.served.iter().map(fork).collect(), by_path: self.by_path.clone() }
    }

    fn of(served: Vec<Arc<Served>>) -> Self {
        let path = |info: &Info| (info.group.clone(), info.version.clone(), info.plural.clone());
        let by_path = served.iter().enumerate().map(|(at, served)| (path(&served.info), at)).collect();
        Self { served, by_path }
    }

    /// All resources by group and version, with the preferred version first.
    pub(crate) fn all(&self) -> &[Arc<Served>] {
        &self.served
    }

    /// Finds the resource of a path.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<Arc<Served>> {
        let path = (group.into(), version.into(), plural.into());
        self.by_path.get(&path).map(|at| Arc::clone(&self.served[*at]))
    }

    /// Finds the resource of an owner reference.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<Arc<Served>> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let is_it = |served: &&Arc<Served>| {
            served.info.kind == kind && served.info.group == group && served.info.version == version
        };
        self.served.iter().find(is_it).cloned()
    }

    /// Finds a resource by group and plural name. For a resource in several versions it is the preferred one.
    pub(crate) fn of_resource(&self, group: &str, plural: &str) -> Option<Arc<Served>> {
        self.served.iter().find(|served| served.at() == (group, plural)).cloned()
    }

    /// Finds a resource of a table. For a custom resource it is the preferred version.
    pub(crate) fn of_table(&self, table: TableId) -> Option<Arc<Served>> {
        self.served.iter().find(|served| served.table == Some(table)).cloned()
    }

    /// The served versions of a definition.
    pub(crate) fn of_definition(&self, name: &str) -> Vec<Arc<Served>> {
        let is_its = |served: &&Arc<Served>| served.custom().is_some_and(|custom| custom.definition == name);
        self.served.iter().filter(is_its).cloned().collect()
    }
}

fn upcast(session: Option<&dyn Admission>) -> Option<&dyn Convert> {
    session.map(|session| session as &dyn Convert)
}

/// Whether a group is built in.
pub(crate) fn is_built_in(group: &str) -> bool {
    GROUP_ORDER.contains(&group)
}

fn is_served(info: &ResourceInfo) -> bool {
    // Versions that are neither alpha nor beta are on by default, as in the real server.
    info.version.trim_start_matches('v').bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_versions_are_served_in_the_order_of_discovery() {
        let catalog = Catalog::built_in(&mut Store::new(1), &[]);
        let mut groups: Vec<&str> = catalog.all().iter().map(|served| served.info.group.as_str()).collect();
        groups.dedup();
        assert_eq!(groups[..3], ["", "apiregistration.k8s.io", "apps"]);
        let unique: std::collections::HashSet<_> = groups.iter().collect();
        assert_eq!(unique.len(), groups.len());
        assert!(catalog.find("", "v1", "pods").is_some());
        assert!(catalog.find("apps", "v1", "deployments").is_some_and(|served| served.has("scale")));
        assert!(catalog.find("resource.k8s.io", "v1beta1", "resourceclaims").is_none());
        let review = catalog.find("authentication.k8s.io", "v1", "tokenreviews").unwrap();
        assert_eq!(review.table, None);
        assert_eq!(
            catalog.of_kind("apps/v1", "Deployment").map(|served| served.info.plural.clone()),
            Some("deployments".into())
        );
        assert!(catalog.find("coordination.k8s.io", "v1beta1", "leasecandidates").is_none());
        let both = ["coordination.k8s.io/v1beta1".to_owned(), "coordination.k8s.io/v1alpha2".to_owned()];
        let catalog = Catalog::built_in(&mut Store::new(1), &both);
        assert!(catalog.find("coordination.k8s.io", "v1beta1", "leasecandidates").is_some());
        // The other version would have separate objects.
        assert!(catalog.find("coordination.k8s.io", "v1alpha2", "leasecandidates").is_none());
        assert_eq!(
            catalog.find("coordination.k8s.io", "v1", "leases").map(|found| found.has("status")),
            Some(false)
        );
    }
}
