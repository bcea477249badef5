//! Custom resources: the resources of a definition, and the versions of their objects.
//!
//! Schemas and their checks are in the crate `client-rs-schema`, which does not depend on a server.

mod conversion;
mod resources;

use std::sync::Arc;

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::managed_fields;
use client_rs_machinery::{FieldError, Json, Str, Unstructured, collections::VecMap};
use client_rs_schema::{ObjectRules, PrinterColumn, Read, Scale, Schema};

use crate::object::Stored;

pub(crate) use conversion::{ConversionError, Convert, Converter, pending};
pub(crate) use resources::resources;

/// One version of a custom resource.
#[derive(Debug)]
pub(crate) struct Custom {
    /// The name of the definition.
    pub(crate) definition: Str,
    /// A unique number. It changes with every change of the definition.
    pub(crate) id: u64,
    pub(crate) version: Str,
    /// The version in which objects are stored.
    pub(crate) storage: Str,
    pub(crate) group: Str,
    /// The schemas of all versions, served or not.
    pub(crate) schemas: Arc<VecMap<Str, Schema>>,
    /// The merge schemas of all versions, for field ownership.
    pub(crate) merge: Arc<VecMap<Str, (managed_fields::MergeSchema, u32)>>,
    /// The schema as the definition contains it.
    pub(crate) written: Json,
    /// Whether unknown fields are kept: `preserveUnknownFields` of old definitions.
    pub(crate) preserve_unknown: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<PrinterColumn>,
    /// The selectable fields in addition to name and namespace: each label, and its path.
    pub(crate) selectable: Vec<(Str, JsonPath)>,
    /// The warning for clients that use this version.
    pub(crate) warning: Option<String>,
    /// Converts objects between versions; `None` if versions differ only in their name.
    pub(crate) converter: Option<Arc<Converter>>,
    /// Whether the definition is being deleted. Then nothing can be created.
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

    /// Reads an object that a client sent: removes unknown fields and sets defaults.
    pub(crate) fn read(&self, object: Unstructured) -> Result<Read, String> {
        self.rules().read(object)
    }

    /// Converts a stored object to this version. The result may be cached and reused.
    pub(crate) fn stored_in_version(
        &self,
        stored: &Arc<Stored>,
        convert: Option<&dyn Convert>,
    ) -> Result<Arc<Stored>, ConversionError> {
        let reuse = self.converter.is_none() || convert.is_some_and(Convert::reuses_conversions);
        stored.in_version(self.id, reuse, |object| self.shown(object, convert))
    }

    /// Converts a stored object to this version. Without a converter it calls no webhook; an object that would need
    /// one stays in its stored version.
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
            // Only the defaults of the stored version apply, as in the real server.
            self.rules().prune(&mut object);
        }
        Ok(object)
    }

    /// Converts an object of this version to the stored version.
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

    /// Converts an object directly from its version to another.
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

    /// An object with another `apiVersion`, and whether it was converted. Without a converter that can call
    /// webhooks, it is unchanged.
    fn converted(
        &self,
        mut object: Unstructured,
        desired: &str,
        convert: Option<&dyn Convert>,
    ) -> Result<(Unstructured, bool), ConversionError> {
        match (&self.converter, convert) {
            (Some(converter), Some(convert)) => {
                // As in the real server's storage, the resource version is not part of the stored object.
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

    /// The errors of an object, or of its change from an old one.
    pub(crate) fn check(&self, object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
        self.rules().validate(object, old)
    }

    /// The errors of a change of the status.
    pub(crate) fn check_status(&self, object: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
        self.rules().validate_status(object, old)
    }

    /// The warnings for finalizers without a domain.
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

/// Go writes a whole float without a fraction, so it reads the number back as an integer.
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
