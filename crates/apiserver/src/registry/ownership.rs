//! The field managers of objects, during a write.

use std::sync::Arc;

use client_rs_machinery::managed_fields::{ApplyError, FieldManager, FieldPath, FieldSet, TypeRef, Versions};
use client_rs_machinery::{ApiError, Json, Kind, Str, Time, Unstructured, json};

use super::{Catalog, Served, Stored, internal};
use crate::custom::Convert;
use crate::generated::merge_types::{KINDS, SCHEMA};
use crate::kinds::Conversion;

/// Updates `managedFields` for one request.
pub(crate) struct Ownership<'a> {
    catalog: Arc<Catalog>,
    served: &'a Served,
    api_version: String,
    /// The written kind: the resource's, or that of a subresource.
    kind: Str,
    /// The type of that kind; `None` for a custom resource.
    typed: Option<Kind>,
    subresource: &'a str,
    reset: FieldSet,
    now: Time,
    convert: Option<&'a dyn Convert>,
}

/// An object before a write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Live<'a> {
    /// A stored object, with its encodings.
    Stored(&'a Stored),
    /// An object that is computed from a stored one, such as a scale.
    Computed(&'a Unstructured),
}

impl<'a> Ownership<'a> {
    /// The ownership for a write to a resource's objects or to one of their subresources. Without `convert`, no
    /// webhook is called to convert objects.
    pub(crate) fn new(
        catalog: Arc<Catalog>,
        served: &'a Served,
        subresource: &'a str,
        now: Time,
        convert: Option<&'a dyn Convert>,
    ) -> Self {
        let reset = reset_fields(served, subresource);
        let (kind, typed) = (served.info.kind.clone(), served.kind);
        let api_version = served.api_version();
        Self { catalog, served, api_version, kind, typed, subresource, reset, now, convert }
    }

    /// The ownership for a write to the scale of a resource's objects.
    pub(crate) fn of_scale(self, kind: Kind) -> Self {
        let (reset, name) = (FieldSet::EMPTY, kind.name().into());
        Self { api_version: "autoscaling/v1".to_owned(), kind: name, typed: Some(kind), reset, ..self }
    }

    /// The object after a create, an update or a patch by a manager. `live` is the object before, if any.
    pub(crate) fn updated(
        &self,
        live: Option<Live<'_>>,
        new: Unstructured,
        manager: &str,
    ) -> Result<Unstructured, ApiError> {
        let live = self.before(live)?;
        let new = self.to_served(new);
        let new = untyped(self.manager().update(&live, &Json::Map(new.object), manager))?;
        Ok(match self.conversion() {
            Some(conversion) => conversion.to_stored(new),
            None => new,
        })
    }

    /// The object after a manager applied a configuration, in the version of that configuration.
    pub(crate) fn applied(
        &self,
        live: Option<Live<'_>>,
        applied: &Json,
        manager: &str,
        force: bool,
    ) -> Result<Json, ApiError> {
        let live = self.before(live)?;
        let result = self.manager().apply(&live, applied, manager, force);
        result.map_err(|error: ApplyError| error.into())
    }

    fn manager(&self) -> FieldManager<'_> {
        FieldManager {
            versions: self,
            api_version: &self.api_version,
            kind: &self.kind,
            subresource: self.subresource,
            now: self.now,
        }
    }

    /// The conversion between the written and the stored version. The kind of a subresource is never stored.
    fn conversion(&self) -> Option<&'static Conversion> {
        self.served.conversion.filter(|_| self.kind == self.served.info.kind)
    }

    fn to_served(&self, object: Unstructured) -> Unstructured {
        match self.conversion() {
            Some(conversion) => conversion.to_served(object),
            None => object,
        }
    }

    /// The live object as its type encodes it: with the fields that are always present, and without optional empty ones.
    fn before(&self, live: Option<Live<'_>>) -> Result<Json, ApiError> {
        let Some(live) = live else { return Ok(self.empty()) };
        let object = match live {
            Live::Stored(Stored { object, .. }) | Live::Computed(object) => object,
        };
        let Some(kind) = self.typed else { return Ok(Json::Map(object.object.clone())) };
        let parsed = match live {
            // The response to the write before this one has encoded it already, as a rule.
            Live::Stored(stored)
                if self.served.conversion.is_none() && self.kind == self.served.info.kind =>
            {
                let text = stored.json(|object| self.served.written(object));
                Json::parse(&text.map_err(ApiError::internal_error)?)
            }
            _ => {
                let text = self.served.written_as(kind, &self.to_served(object.clone()));
                Json::parse(&text.map_err(ApiError::internal_error)?)
            }
        };
        parsed.map_err(ApiError::internal_error)
    }
}

impl Versions for Ownership<'_> {
    fn empty(&self) -> Json {
        let encoded = self.typed.and_then(|kind| Json::parse(&kind.empty().to_json()).ok());
        encoded
            .unwrap_or_else(|| json!({"apiVersion": self.api_version.as_str(), "kind": self.kind.as_str()}))
    }

    fn type_of(&self, api_version: &str) -> Option<TypeRef<'_>> {
        let own = api_version == self.api_version;
        let kind = self.kind.as_str();
        // Managers in the versions of another group are dropped, as in the real server.
        let group = |version: &str| version.split_once('/').map_or("", |(group, _)| group).to_owned();
        let served = || self.catalog.of_kind(api_version, kind);
        if !own && (group(api_version) != group(&self.api_version) || served().is_none()) {
            return None;
        }
        match self.served.custom() {
            Some(custom) if kind == self.served.info.kind => {
                let version = api_version.rsplit('/').next().unwrap_or_default();
                custom.merge.get(version).map(|(schema, root)| schema.root(*root))
            }
            _ => merge_type(api_version, kind),
        }
    }

    fn convert(&self, object: &Json, api_version: &str) -> Option<Json> {
        let to = self.catalog.of_kind(api_version, &self.kind)?;
        if to.table.is_none() || to.table != self.served.table {
            return None;
        }
        let from = self.catalog.of_kind(object["apiVersion"].as_str()?, &self.kind)?;
        let object = untyped(object.clone()).ok()?;
        if let (Some(from), Some(to)) = (from.custom(), to.custom()) {
            if from.converter.is_some() {
                return Some(Json::Map(from.in_version(object, &to.version, self.convert).ok()?.object));
            }
            let stored = from.to_stored(object, self.convert).ok()?;
            return Some(Json::Map(to.shown(&stored, self.convert).ok()?.object));
        }
        let stored = from.conversion.map_or(object.clone(), |conversion| conversion.to_stored(object));
        let served = to.conversion.map_or(stored.clone(), |conversion| conversion.to_served(stored));
        Json::parse(&to.written(&served).ok()?).ok()
    }

    fn written(&self, _: &str, fields: &FieldSet) -> FieldSet {
        fields.difference_with_below(&self.reset)
    }
}

/// The merge rules of a built-in kind.
pub(crate) fn merge_type(api_version: &str, kind: &str) -> Option<TypeRef<'static>> {
    let at = KINDS.binary_search_by(|(version, of, _)| (*version, *of).cmp(&(api_version, kind))).ok()?;
    Some(SCHEMA.root(KINDS[at].2))
}

fn untyped(object: Json) -> Result<Unstructured, ApiError> {
    Unstructured::try_from(object).map_err(|_| internal("the value is not an object"))
}

/// The fields that a write can't change, according to the strategies of the real server.
fn reset_fields(served: &Served, subresource: &str) -> FieldSet {
    let rules = &served.rules;
    let paths: &[&[&str]] = match subresource {
        "" => rules.resets.unwrap_or(if served.has("status") { &[&["status"]] } else { &[] }),
        "status" => rules.status.resets,
        name => rules.subresource(name).map_or(&[], |subresource| subresource.resets),
    };
    paths.iter().map(|path| FieldPath::of_fields(path)).collect::<Vec<_>>().iter().collect()
}
