//! Data that stored objects would lose by a change of their definition.

use std::fmt;

use client_rs_api::apiextensions::v1::{
    CustomResourceDefinition, CustomResourceDefinitionVersion, JSONSchemaProps,
};
use client_rs_machinery::OrBool;

/// Data of stored objects that would be lost, or no longer be valid, after a change of the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataLoss {
    /// Objects may be stored in this version, which the new definition does not have.
    StoredVersion(String),
    /// The new schema does not have a field: the server drops it at the next write of each object.
    Field {
        /// The version.
        version: String,
        /// The path, such as `spec.parts[].size`.
        path: String,
    },
    /// Unknown fields were kept, and the new schema drops them.
    UnknownFields {
        /// The version.
        version: String,
        /// The path.
        path: String,
    },
    /// A field has another type: stored objects are no longer valid.
    Type {
        /// The version.
        version: String,
        /// The path.
        path: String,
        /// The old type.
        from: String,
        /// The new type.
        to: String,
    },
}

/// Returns the data that stored objects may lose when `old` becomes `new`. [`apply`](super::apply) calls it; call it yourself
/// in a test that compares a new version of your program with the released definition.
///
/// Each version is compared with itself. The old storage version is also compared with the new one, unless a webhook
/// converts. Stricter validation rules are not a loss: stored objects stay, and the next write reports the violation.
///
/// ```
/// use client_rs_api::apiextensions::v1::CustomResourceDefinition;
/// use client_rs_custom::crds::{DataLoss, losses};
///
/// let mut old = CustomResourceDefinition::EMPTY;
/// old.status.stored_versions = ["v1alpha1".into()].into();
/// // The new definition no longer has the version v1alpha1.
/// let found = losses(&old, &CustomResourceDefinition::EMPTY);
/// assert_eq!(found, [DataLoss::StoredVersion("v1alpha1".to_owned())]);
/// ```
pub fn losses(old: &CustomResourceDefinition, new: &CustomResourceDefinition) -> Vec<DataLoss> {
    let mut found = Vec::new();
    let named = |name: &str| new.spec.versions.iter().find(|version| version.name == name);
    for stored in &old.status.stored_versions {
        if named(stored).is_none() {
            found.push(DataLoss::StoredVersion(stored.to_string()));
        }
    }
    let converts = new.spec.conversion.as_ref().is_some_and(|conversion| conversion.strategy == "Webhook");
    for before in &old.spec.versions {
        let storage = new.spec.versions.iter().find(|version| version.storage);
        let moved = storage.filter(|storage| before.storage && storage.name != before.name && !converts);
        for after in named(&before.name).into_iter().chain(moved) {
            compare_versions(before, after, &mut found);
        }
    }
    found.dedup();
    found
}

fn compare_versions(
    before: &CustomResourceDefinitionVersion,
    after: &CustomResourceDefinitionVersion,
    found: &mut Vec<DataLoss>,
) {
    let Some(old) = schema_of(before) else { return };
    let empty = JSONSchemaProps::EMPTY;
    let mut comparison = Comparison { version: &after.name, found };
    comparison.schema(old, schema_of(after).unwrap_or(&empty), &mut String::new());
}

fn schema_of(version: &CustomResourceDefinitionVersion) -> Option<&JSONSchemaProps> {
    version.schema.as_ref()?.open_apiv3_schema.as_deref()
}

struct Comparison<'a> {
    version: &'a str,
    found: &'a mut Vec<DataLoss>,
}

impl Comparison<'_> {
    fn schema(&mut self, old: &JSONSchemaProps, new: &JSONSchemaProps, path: &mut String) {
        let open = |schema: &JSONSchemaProps| schema.x_kubernetes_preserve_unknown_fields == Some(true);
        let (from, to) = (type_of(old), type_of(new));
        // A number accepts every integer; a schema without a type accepts any value.
        let wider = to.is_empty()
            || (from, to) == ("integer", "number")
            || (to == "int-or-string" && from != "object");
        if from != to && !from.is_empty() && !wider {
            self.found.push(DataLoss::Type {
                version: self.version.to_owned(),
                path: path.clone(),
                from: from.to_owned(),
                to: to.to_owned(),
            });
            return;
        }
        if open(old) && !open(new) {
            self.found.push(DataLoss::UnknownFields { version: self.version.to_owned(), path: path.clone() });
        }
        for (name, before) in &old.properties {
            let within = enter(path, name);
            match (new.properties.get(name), values(new)) {
                (Some(after), _) | (None, Some(after)) => self.schema(before, after, path),
                (None, None) if open(new) || any_value(new) => {}
                (None, None) => {
                    self.found.push(DataLoss::Field { version: self.version.to_owned(), path: path.clone() });
                }
            }
            path.truncate(within);
        }
        if let Some(before) = values(old) {
            let within = enter(path, "*");
            match values(new) {
                Some(after) => self.schema(before, after, path),
                None if open(new) || any_value(new) => {}
                None => {
                    self.found.push(DataLoss::Field { version: self.version.to_owned(), path: path.clone() });
                }
            }
            path.truncate(within);
        }
        if let (Some(before), Some(after)) = (items(old), items(new)) {
            let within = path.len();
            path.push_str("[]");
            self.schema(before, after, path);
            path.truncate(within);
        }
    }
}

fn enter(path: &mut String, name: &str) -> usize {
    let length = path.len();
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
    length
}

fn type_of(schema: &JSONSchemaProps) -> &str {
    if schema.x_kubernetes_int_or_string { "int-or-string" } else { &schema.type_ }
}

fn values(schema: &JSONSchemaProps) -> Option<&JSONSchemaProps> {
    match &schema.additional_properties {
        Some(OrBool::Schema(schema, _)) => Some(schema),
        _ => None,
    }
}

fn any_value(schema: &JSONSchemaProps) -> bool {
    matches!(schema.additional_properties, Some(OrBool::Bool(true)))
}

fn items(schema: &JSONSchemaProps) -> Option<&JSONSchemaProps> {
    schema.items.as_ref()?.schema.as_deref()
}

impl fmt::Display for DataLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place =
            |path: &str| if path.is_empty() { "the object itself".to_owned() } else { path.to_owned() };
        match self {
            Self::StoredVersion(version) => {
                write!(f, "objects may be stored in version {version}, which the new definition lacks")
            }
            Self::Field { version, path } => write!(f, "{version}: {} would be dropped", place(path)),
            Self::UnknownFields { version, path } => {
                write!(f, "{version}: unknown fields of {} would be dropped", place(path))
            }
            Self::Type { version, path, from, to } => {
                write!(f, "{version}: the type of {} would change from {from} to {to}", place(path))
            }
        }
    }
}
