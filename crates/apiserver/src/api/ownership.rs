//! Who owns which field of the objects of a resource, as a write sees it.

use client_rs_machinery::managed_fields::{ApplyError, FieldManager, FieldPath, FieldSet, TypeRef, Versions};
use client_rs_machinery::{ApiError, Json, Kind, Unstructured};

use crate::generated::merge_types::{KINDS, SCHEMA};
use crate::registry::{Catalog, Conversion, Served, internal, typed};

/// Keeps `managedFields` for one request.
pub(super) struct Ownership<'a> {
    catalog: &'a Catalog,
    served: &'a Served,
    api_version: String,
    /// What the request writes: the resource's kind, or that of a subresource.
    kind: Kind,
    subresource: &'a str,
    reset: FieldSet,
    now: client_rs_machinery::Time,
}

impl<'a> Ownership<'a> {
    /// The ownership of a resource's objects, as a write of them or of one of their subresources sees it.
    pub(super) fn new(
        catalog: &'a Catalog,
        served: &'a Served,
        subresource: &'a str,
        now: client_rs_machinery::Time,
    ) -> Self {
        let reset = reset_fields(served, subresource);
        Self {
            catalog,
            served,
            api_version: served.api_version(),
            kind: served.kind,
            subresource,
            reset,
            now,
        }
    }

    /// The ownership of the scale of a resource's objects.
    pub(super) fn of_scale(self, kind: Kind) -> Self {
        Self { api_version: "autoscaling/v1".to_owned(), kind, reset: FieldSet::EMPTY, ..self }
    }

    /// The object after a create, an update or a patch by a manager; `live` is the one before, if there is one.
    pub(super) fn updated(
        &self,
        live: Option<&Unstructured>,
        new: Unstructured,
        manager: &str,
    ) -> Result<Unstructured, ApiError> {
        let (empty, live) = self.before(live)?;
        let new = self.to_served(new);
        let new = untyped(self.manager(&empty).update(&live, &Json::Map(new.object), manager))?;
        Ok(match self.conversion() {
            Some(conversion) => conversion.to_stored(new),
            None => new,
        })
    }

    /// What becomes of the object that is there when a manager applies a part of it, in the version that is applied.
    pub(super) fn applied(
        &self,
        live: Option<&Unstructured>,
        applied: &Json,
        manager: &str,
        force: bool,
    ) -> Result<Json, ApiError> {
        let (empty, live) = self.before(live)?;
        let result = self.manager(&empty).apply(&live, applied, manager, force);
        result.map_err(|error: ApplyError| error.into())
    }

    fn manager<'m>(&'m self, empty: &'m Json) -> FieldManager<'m> {
        FieldManager {
            versions: self,
            api_version: &self.api_version,
            kind: self.kind.name(),
            empty,
            subresource: self.subresource,
            now: self.now,
        }
    }

    /// How what the request writes differs from what is stored: a subresource's kind is never stored.
    fn conversion(&self) -> Option<Conversion> {
        self.served.conversion.filter(|_| self.kind.name() == self.served.kind.name())
    }

    fn to_served(&self, object: Unstructured) -> Unstructured {
        match self.conversion() {
            Some(conversion) => conversion.to_served(object),
            None => object,
        }
    }

    /// An empty object, and the one that is there as its type writes it: with what is always there, and nothing that
    /// is empty and may be left out.
    fn before(&self, live: Option<&Unstructured>) -> Result<(Json, Json), ApiError> {
        let empty = Json::parse(&self.kind.empty().to_json()).map_err(ApiError::internal_error)?;
        let live = match live {
            Some(live) => {
                let text = typed(self.kind, &self.to_served(live.clone()))
                    .map_err(ApiError::internal_error)?
                    .to_json();
                Json::parse(&text).map_err(ApiError::internal_error)?
            }
            None => empty.clone(),
        };
        Ok((empty, live))
    }
}

impl Versions for Ownership<'_> {
    fn type_of(&self, api_version: &str) -> Option<TypeRef<'_>> {
        let own = api_version == self.api_version;
        let kind = self.kind.name();
        // Managers of another group's version are forgotten, as the real server does.
        let group = |version: &str| version.split_once('/').map_or("", |(group, _)| group).to_owned();
        let served = || self.catalog.of_kind(api_version, kind);
        if !own && (group(api_version) != group(&self.api_version) || served().is_none()) {
            return None;
        }
        built_in(api_version, kind)
    }

    fn convert(&self, object: &Json, api_version: &str) -> Option<Json> {
        let to = self.catalog.of_kind(api_version, self.kind.name())?;
        if to.table.is_none() || to.table != self.served.table {
            return None;
        }
        let from = self.catalog.of_kind(object["apiVersion"].as_str()?, self.kind.name())?;
        let object = untyped(object.clone()).ok()?;
        let stored = from.conversion.map_or(object.clone(), |conversion| conversion.to_stored(object));
        let served = to.conversion.map_or(stored.clone(), |conversion| conversion.to_served(stored));
        Json::parse(&typed(to.kind, &served).ok()?.to_json()).ok()
    }

    fn written(&self, _: &str, fields: &FieldSet) -> FieldSet {
        fields.difference_with_below(&self.reset)
    }
}

/// How a built-in kind is merged and owned.
pub(super) fn built_in(api_version: &str, kind: &str) -> Option<TypeRef<'static>> {
    let at = KINDS.binary_search_by(|(version, of, _)| (*version, *of).cmp(&(api_version, kind))).ok()?;
    Some(SCHEMA.root(KINDS[at].2))
}

fn untyped(object: Json) -> Result<Unstructured, ApiError> {
    Unstructured::try_from(object).map_err(|_| internal("the object is none"))
}

/// What a write has no say in, by the strategies of the real server.
fn reset_fields(served: &Served, subresource: &str) -> FieldSet {
    const CONDITIONS: &[&str] = &["status", "conditions"];
    let at = (served.info.group, served.info.plural, subresource);
    let paths: &[&[&str]] = match at {
        ("certificates.k8s.io", "certificatesigningrequests", "") => &[&["spec"], &["status"]],
        ("certificates.k8s.io", "certificatesigningrequests", "status") => &[&["spec"], CONDITIONS],
        ("certificates.k8s.io", "certificatesigningrequests", "approval") => {
            &[&["spec"], &["status", "certificate"]]
        }
        ("", "pods", "status") => {
            &[&["spec"], &["metadata", "deletionTimestamp"], &["metadata", "ownerReferences"]]
        }
        ("apps", "deployments", "status") => &[&["spec"], &["metadata", "labels"]],
        ("", "namespaces", "finalize") | ("storage.k8s.io", "csinodes", "") => &[&["status"]],
        (_, _, "") if served.has("status") => &[&["status"]],
        // Their metadata is not the status' writer's either.
        (
            "certificates.k8s.io"
            | "scheduling.k8s.io"
            | "storagemigration.k8s.io"
            | "resource.k8s.io"
            | "internal.apiserver.k8s.io"
            | "storage.k8s.io"
            | "flowcontrol.apiserver.k8s.io"
            | "admissionregistration.k8s.io"
            | "apiregistration.k8s.io"
            | "lifecycle.k8s.io",
            _,
            "status",
        )
        | ("networking.k8s.io", "servicecidrs", "status") => &[&["metadata"], &["spec"]],
        (_, _, "status") => &[&["spec"]],
        _ => &[],
    };
    paths.iter().map(|path| FieldPath::of_fields(path)).collect::<Vec<_>>().iter().collect()
}
