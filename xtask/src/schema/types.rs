//! Go types as the schema files hold them: packages, structs, fields, constants.

use std::fmt;

use serde::Deserialize;

/// One Go package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    /// The Go import path.
    #[serde(rename = "package")]
    pub(crate) path: String,
    /// The API group of the package's kinds, empty for the core group; none for a package without kinds.
    pub(crate) group: Option<String>,
    pub(crate) version: Option<String>,
    /// Sorted by name.
    pub(crate) structs: Vec<Struct>,
    /// Sorted by name: the named scalars that fields are of, where they have constants.
    #[serde(default)]
    pub(crate) enums: Vec<Enum>,
    /// Sorted by name: exported strings of no named type, such as well-known labels and annotations.
    #[serde(default)]
    pub(crate) constants: Vec<Constant>,
}

impl Package {
    pub(crate) fn find(&self, name: &str) -> Option<&Struct> {
        let at = self.structs.binary_search_by(|of| of.name.as_str().cmp(name)).ok()?;
        self.structs.get(at)
    }
}

/// One Go struct.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// Whether the struct has a protobuf form.
    pub(crate) message: bool,
    #[serde(default)]
    pub(crate) kinds: Vec<Gvk>,
    /// Registered in every group version; `kinds` names the core one alone.
    #[serde(default)]
    pub(crate) everywhere: bool,
    /// The release that the kind came with, where it is known.
    pub(crate) since: Option<String>,
    pub(crate) lifecycle: Option<Lifecycle>,
    #[serde(default)]
    pub(crate) deprecated: bool,
    /// In Go's order, which is also the order that Go writes JSON in. Protobuf is written in the order of numbers.
    pub(crate) fields: Vec<Field>,
}

/// The releases of a kind's version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lifecycle {
    pub(crate) introduced: Option<String>,
    pub(crate) deprecated: Option<String>,
    /// The first release that does not serve it.
    pub(crate) removed: Option<String>,
    /// `group,version,kind`.
    pub(crate) replacement: Option<String>,
}

/// A registered group, version and kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gvk {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

/// A field, by its Go type and tags and by the generated protobuf code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    /// The Go name.
    pub(crate) name: String,
    /// None for a field that is inlined, or not in JSON at all.
    pub(crate) json: Option<String>,
    /// Its fields stand among its owner's in JSON; in protobuf it is a message of its own.
    #[serde(default)]
    pub(crate) inline: bool,
    #[serde(default)]
    pub(crate) omitempty: bool,
    #[serde(default)]
    pub(crate) omitzero: bool,
    /// None for a field that is not on the protobuf wire.
    pub(crate) pb: Option<Protobuf>,
    #[serde(rename = "type")]
    pub(crate) ty: Type,
    #[serde(default, rename = "patchStrategy")]
    pub(crate) patch_strategy: Vec<String>,
    #[serde(rename = "patchMergeKey")]
    pub(crate) patch_merge_key: Option<String>,
    #[serde(default)]
    pub(crate) facts: Facts,
}

/// Properties of a field from the markers and common phrases of its comment.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "they are markers")]
pub(crate) struct Facts {
    /// The release that the field came with, where it is known and later than its struct's.
    pub(crate) since: Option<String>,
    pub(crate) optional: bool,
    pub(crate) required: bool,
    /// The default that the server sets.
    pub(crate) default: Option<serde_json::Value>,
    pub(crate) immutable: Option<Immutable>,
    /// Changes that validation forbids, sorted, such as `NoUnset`.
    pub(crate) update: Vec<String>,
    /// The system sets it.
    pub(crate) read_only: bool,
    pub(crate) deprecated: bool,
    /// Feature gates, sorted.
    pub(crate) gates: Vec<String>,
    pub(crate) list_type: Option<String>,
    pub(crate) list_map_keys: Vec<String>,
    pub(crate) map_type: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) minimum: Option<String>,
    pub(crate) maximum: Option<String>,
    pub(crate) max_items: Option<String>,
    pub(crate) max_length: Option<String>,
    pub(crate) max_bytes: Option<String>,
}

/// When a field can't change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Immutable {
    AfterCreation,
    OnceSet,
    /// In a pod, but not in the template of a workload.
    InPod,
    /// There are exceptions.
    Conditional,
}

/// How a field is written to protobuf.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Protobuf {
    pub(crate) number: u32,
    pub(crate) wire: Wire,
    pub(crate) write: Write,
}

/// A protobuf wire type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wire {
    Varint,
    Fixed64,
    Bytes,
}

/// When Go's encoder writes a field to protobuf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Write {
    /// Always, including zeros and empty messages.
    Always,
    /// Unless it is nil; an empty value that is not nil is written.
    NonNil,
    /// Unless the list or map is empty.
    NonEmpty,
}

/// A Go type.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawType")]
pub(crate) enum Type {
    /// With the Go name of a named type, which may have constants: see [`Package::enums`].
    Scalar {
        scalar: Scalar,
        name: Option<TypeName>,
    },
    Struct(TypeName),
    /// A type that is mapped by hand; `Any` has no name.
    Special {
        special: Special,
        name: Option<TypeName>,
    },
    Ptr(Box<Type>),
    Slice {
        item: Box<Type>,
        name: Option<TypeName>,
    },
    /// The key is a plain string, or the named string type given.
    Map {
        key: Option<Box<Type>>,
        value: Box<Type>,
        name: Option<TypeName>,
    },
}

impl Type {
    pub(super) fn wire(&self) -> Wire {
        match self {
            Self::Scalar { scalar, .. } => match scalar {
                Scalar::Bool | Scalar::Int32 | Scalar::Int64 => Wire::Varint,
                Scalar::Float64 => Wire::Fixed64,
                Scalar::String | Scalar::Bytes => Wire::Bytes,
            },
            Self::Struct(_) | Self::Special { .. } | Self::Map { .. } => Wire::Bytes,
            Self::Ptr(inner) | Self::Slice { item: inner, .. } => inner.wire(),
        }
    }

    pub(super) fn write(&self) -> Write {
        match self {
            Self::Ptr(_)
            | Self::Scalar { scalar: Scalar::Bytes, .. }
            | Self::Special { special: Special::StringList, .. } => Write::NonNil,
            Self::Scalar { .. } | Self::Struct(_) | Self::Special { .. } => Write::Always,
            Self::Slice { .. } | Self::Map { .. } => Write::NonEmpty,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scalar {
    Bool,
    Int32,
    Int64,
    Float64,
    String,
    /// `[]byte`: base64 in JSON.
    Bytes,
}

/// The types that the schema names and does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) enum Special {
    /// Any JSON value; not in protobuf.
    Any,
    Duration,
    FieldsV1,
    IntOrString,
    #[serde(rename = "JSON")]
    Json,
    #[serde(rename = "JSONSchemaPropsOrArray")]
    JsonSchemaPropsOrArray,
    #[serde(rename = "JSONSchemaPropsOrBool")]
    JsonSchemaPropsOrBool,
    #[serde(rename = "JSONSchemaPropsOrStringArray")]
    JsonSchemaPropsOrStringArray,
    MicroTime,
    Quantity,
    RawExtension,
    /// A list of strings that is a message of its own in protobuf, and a plain list in JSON.
    StringList,
    Time,
}

/// A Go type's name: import path, dot, name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TypeName {
    pub(crate) package: String,
    pub(crate) name: String,
}

impl TryFrom<String> for TypeName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.rsplit_once('.') {
            Some((package, name)) if !package.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { package: package.to_owned(), name: name.to_owned() })
            }
            _ => Err(format!("`{text}` is no Go type's name")),
        }
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.package, self.name)
    }
}

/// A named scalar type and its constants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) scalar: Scalar,
    /// No other value is allowed.
    #[serde(default)]
    pub(crate) closed: bool,
    /// Sorted by name.
    pub(crate) values: Vec<Constant>,
}

/// An exported Go constant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: Literal,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Literal {
    String(String),
    Int(i64),
}

/// [`Type`] as the files hold it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawType {
    scalar: Option<Scalar>,
    r#struct: Option<TypeName>,
    special: Option<Special>,
    ptr: Option<Box<Type>>,
    slice: Option<Box<Type>>,
    map: Option<Box<Type>>,
    key: Option<Box<Type>>,
    name: Option<TypeName>,
}

impl TryFrom<RawType> for Type {
    type Error = &'static str;

    fn try_from(raw: RawType) -> Result<Self, &'static str> {
        match raw {
            RawType {
                scalar: Some(scalar),
                r#struct: None,
                special: None,
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name,
            } => Ok(Self::Scalar { scalar, name }),
            RawType {
                scalar: None,
                r#struct: Some(of),
                special: None,
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name: None,
            } => Ok(Self::Struct(of)),
            RawType {
                scalar: None,
                r#struct: None,
                special: Some(special),
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name,
            } => Ok(Self::Special { special, name }),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: Some(inner),
                slice: None,
                map: None,
                key: None,
                name: None,
            } => Ok(Self::Ptr(inner)),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: None,
                slice: Some(item),
                map: None,
                key: None,
                name,
            } => Ok(Self::Slice { item, name }),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: None,
                slice: None,
                map: Some(value),
                key,
                name,
            } => Ok(Self::Map { key, value, name }),
            _ => Err("a type is exactly one of scalar, struct, special, ptr, slice and map"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_two_forms_is_refused() {
        let error =
            serde_json::from_str::<Type>(r#"{"scalar":"string","ptr":{"scalar":"string"}}"#).unwrap_err();
        assert!(error.to_string().contains("exactly one"), "{error}");
    }
}
