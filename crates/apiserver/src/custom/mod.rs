//! Custom resources: what a definition makes the server serve, and the versions of their objects.
//!
//! Schemas and their checks are the crate `client-rs-schema`, which knows no server.

mod conversion;
mod resources;

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::managed_fields;
use client_rs_machinery::{FieldError, Json, Str, Unstructured};
use client_rs_schema::{ObjectRules, PrinterColumn, Read, Scale, Schema};

use crate::object::Stored;

pub(crate) use conversion::{ConversionError, Convert, Converter, pending};
pub(crate) use resources::resources;

/// A custom resource in one version, as its definition has it.
#[derive(Debug)]
pub(crate) struct Custom {
    /// The name of the definition.
    pub(crate) definition: Str,
    /// Tells it from every other, also from what the definition was before it changed.
    pub(crate) id: u64,
    pub(crate) version: Str,
    /// The version that objects are stored in.
    pub(crate) storage: Str,
    pub(crate) group: Str,
    /// The schemas of all versions, served or not.
    pub(crate) schemas: Arc<BTreeMap<Str, Schema>>,
    /// The same as far as ownership needs them.
    pub(crate) merge: Arc<BTreeMap<Str, (managed_fields::MergeSchema, u32)>>,
    /// The schema as the definition holds it.
    pub(crate) written: Json,
    /// Unknown fields are kept, as definitions once could ask.
    pub(crate) preserve_unknown: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<PrinterColumn>,
    /// What can be selected by besides name and namespace: the label and where it is.
    pub(crate) selectable: Vec<(Str, JsonPath)>,
    /// What a client of the version is warned of.
    pub(crate) warning: Option<String>,
    /// Who converts its objects; `None` where versions differ in name alone.
    pub(crate) converter: Option<Arc<Converter>>,
    /// The definition is being deleted: nothing is created any more.
    pub(crate) terminating: bool,
}

impl Custom {
    /// The rules of this version.
    fn rules(&self) -> ObjectRules<'_> {
        ObjectRules { scale: self.scale.as_ref(), ..self.rules_of(&self.version) }
    }

    /// The rules of any version, served or not.
    fn rules_of(&self, version: &str) -> ObjectRules<'_> {
        let (schema, preserve_unknown) = (self.schemas.get(version), self.preserve_unknown);
        ObjectRules { schema, scale: None, preserve_unknown }
    }

    /// Brings an object that a client sent into the form of its schema: unknown fields gone, defaults filled in.
    pub(crate) fn read(&self, object: Unstructured) -> Result<Read, String> {
        self.rules().read(object)
    }

    /// A stored object as this version shows it, converted at most once where that may be reused.
    pub(crate) fn stored_in_version(
        &self,
        stored: &Arc<Stored>,
        convert: Option<&dyn Convert>,
    ) -> Result<Arc<Stored>, ConversionError> {
        let reuse = self.converter.is_none() || convert.is_some_and(Convert::reuses_conversions);
        stored.in_version(self.id, reuse, |object| self.shown(object, convert))
    }

    /// A stored object as this version shows it. Without a converter nobody is asked: what would need a webhook stays in
    /// the version that it is stored in.
    pub(crate) fn shown(
        &self,
        stored: &Unstructured,
        convert: Option<&dyn Convert>,
    ) -> Result<Unstructured, ConversionError> {
        let mut object = stored.clone();
        let stored_in = stored.api_version().rsplit('/').next().unwrap_or_default();
        let rules = self.rules_of(stored_in);
        rules.prune(&mut object);
        rules.apply_defaults(&mut object);
        if stored_in != self.version {
            match self.converted(object, &self.api_version(&self.version), convert)? {
                (converted, true) => object = converted,
                (as_stored, false) => return Ok(as_stored),
            }
            // Defaults are those of the stored version alone, as in the real server.
            self.rules().prune(&mut object);
        }
        Ok(object)
    }

    /// An object of this version as it is stored.
    pub(crate) fn to_stored(
        &self,
        mut object: Unstructured,
        convert: Option<&dyn Convert>,
    ) -> Result<Unstructured, ConversionError> {
        if object.object.values().any(has_float) {
            object.object.values_mut().for_each(whole_numbers);
        }
        self.in_version(object, &self.storage, convert)
    }

    /// An object in another version, straight from the one that it is in.
    pub(crate) fn in_version(
        &self,
        object: Unstructured,
        version: &str,
        convert: Option<&dyn Convert>,
    ) -> Result<Unstructured, ConversionError> {
        let desired = self.api_version(version);
        if object.api_version() == desired {
            return Ok(object);
        }
        let (mut object, converted) = self.converted(object, &desired, convert)?;
        if converted {
            self.rules_of(version).prune_fields(&mut object);
        }
        Ok(object)
    }

    /// An object with another `apiVersion`, and whether it was converted: without somebody to ask a webhook, it stays as
    /// it is.
    fn converted(
        &self,
        mut object: Unstructured,
        desired: &str,
        convert: Option<&dyn Convert>,
    ) -> Result<(Unstructured, bool), ConversionError> {
        match (&self.converter, convert) {
            (Some(converter), Some(convert)) => {
                // As in the real server's storage, where the revision is not part of the object.
                let revision = object.resource_version().to_owned();
                drop(object.remove_nested(&["metadata", "resourceVersion"]));
                object = convert.convert(converter, &object, desired)?;
                if !revision.is_empty() {
                    object.set_resource_version(revision);
                }
            }
            (Some(_), None) => return Ok((object, false)),
            (None, _) => object.set_api_version(desired),
        }
        Ok((object, true))
    }

    fn api_version(&self, version: &str) -> String {
        format!("{}/{version}", self.group)
    }

    /// What is wrong with an object, or with its change from an old one.
    pub(crate) fn check(&self, object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
        self.rules().validate(object, old)
    }

    /// What is wrong with a change of the status.
    pub(crate) fn check_status(&self, object: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
        self.rules().validate_status(object, old)
    }

    /// What a client is warned of: finalizers without a domain.
    pub(crate) fn finalizer_warnings(new: &Unstructured, old: Option<&Unstructured>) -> Vec<String> {
        let mut added: Vec<&str> = new
            .finalizers()
            .filter(|name| !old.is_some_and(|old| old.finalizers().any(|had| had == *name)))
            .collect();
        added.sort_unstable();
        added.dedup();
        let plain = added.into_iter().filter(|name| {
            !name.contains('/') && !["orphan", "foregroundDeletion", "kubernetes"].contains(name)
        });
        plain
            .map(|name| {
                let including = if name.contains('.') { " including a path (/)" } else { "" };
                format!(
                    "metadata.finalizers: {name:?}: prefer a domain-qualified finalizer name{including} to avoid \
                     accidental conflicts with other finalizer writers"
                )
            })
            .collect()
    }
}

/// Go writes a float that is whole without a fraction, and so reads it back as an integer.
#[allow(clippy::cast_possible_truncation)]
fn whole_numbers(value: &mut Json) {
    match value {
        Json::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            *value = Json::Int(*number as i64);
        }
        Json::List(list) if list.iter().any(has_float) => list.make_mut().iter_mut().for_each(whole_numbers),
        Json::Map(map) if map.values().any(has_float) => map.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

fn has_float(value: &Json) -> bool {
    match value {
        Json::Float(_) => true,
        Json::List(list) => list.iter().any(has_float),
        Json::Map(map) => map.values().any(has_float),
        _ => false,
    }
}
