//! The Rust type of a Go type, its size, and the name of its empty value.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::plan::Plan;
use crate::schema::model::{Scalar, Special, Struct, Type, TypeName};

/// A by-value struct of up to this many bytes sits inside its parent; a larger one behind a shared pointer.
const LARGEST_INLINE: usize = 32;

const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// A field's Rust type.
pub(crate) struct RustType {
    /// As written in the struct.
    pub(crate) text: String,
    /// Its empty value, in a constant.
    pub(crate) empty: String,
    /// The message of the field, or of the items of its list or map.
    pub(crate) message: Option<TypeName>,
    /// Names of `client_rs_machinery` that the text uses.
    pub(crate) imports: BTreeSet<&'static str>,
    /// A plain Go struct that has no value here when it is zero there.
    pub(crate) absent_when_zero: bool,
    size: usize,
}

impl RustType {
    fn leaf(text: &'static str, empty: &str, size: usize) -> Self {
        Self {
            text: text.to_owned(),
            empty: empty.to_owned(),
            message: None,
            imports: if text.starts_with(char::is_uppercase) {
                BTreeSet::from([text])
            } else {
                BTreeSet::new()
            },
            absent_when_zero: false,
            size,
        }
    }

    /// By which function of `FieldRef` and `FieldMut` the field is reached.
    pub(crate) fn access(&self) -> &'static str {
        let Some(message) = self.message.as_ref().map(|message| message.name.as_str()) else {
            return "value";
        };
        // In the file of the kind `List`, lists are written with their path.
        let text = self.text.rsplit_once("::").map_or(self.text.as_str(), |(_, text)| text);
        let is = |before: &str, after: &str| {
            text.strip_prefix(before).and_then(|text| text.strip_suffix(after)) == Some(message)
        };
        match () {
            () if is("", "") => "message",
            () if is("Shared<", ">") => "shared",
            () if is("Option<Shared<", ">>") => "optional",
            () if is("List<", ">") => "list",
            () => "value",
        }
    }

    fn wrapped(mut self, wrapper: &'static str, empty: &str, size: usize) -> Self {
        self.text = format!("{wrapper}<{}>", self.text);
        if wrapper != "Option" {
            self.imports.insert(wrapper);
        }
        empty.clone_into(&mut self.empty);
        self.size = size;
        self
    }
}

/// The Rust type of a field.
pub(crate) fn field_type(plan: &Plan<'_>, ty: &Type) -> Result<RustType> {
    Ok(match ty {
        Type::Struct(name) if is_inline(plan, name)? => {
            RustType { size: size_of_struct(plan, name)?, ..item_type(ty)? }
        }
        Type::Struct(_) => item_type(ty)?.wrapped("Shared", "Shared::DEFAULT", 8),
        Type::Special { special: Special::Time | Special::MicroTime, .. } => {
            RustType { absent_when_zero: true, ..item_type(ty)?.wrapped("Option", "None", 16) }
        }
        Type::Ptr(inner) => {
            let item = item_type(inner)?;
            let size = item.size;
            match &**inner {
                Type::Struct(_) => item.wrapped("Shared", "", 8).wrapped("Option", "None", 8),
                Type::Scalar { scalar: Scalar::Int32, .. } => item.wrapped("Option", "None", 8),
                Type::Scalar { scalar: Scalar::Bool, .. } => item.wrapped("Option", "None", 1),
                Type::Scalar { scalar: Scalar::Int64 | Scalar::Float64, .. }
                | Type::Special { special: Special::Duration, .. } => item.wrapped("Option", "None", 16),
                _ => item.wrapped("Option", "None", size),
            }
        }
        Type::Slice { item, .. } => item_type(item)?.wrapped("List", "List::EMPTY", 8),
        Type::Map { value, .. } => item_type(value)?.wrapped("Map", "Map::EMPTY", 8),
        Type::Scalar { .. } | Type::Special { .. } => item_type(ty)?,
    })
}

fn item_type(ty: &Type) -> Result<RustType> {
    Ok(match ty {
        Type::Scalar { scalar, .. } => match scalar {
            Scalar::Bool => RustType::leaf("bool", "false", 1),
            Scalar::Int32 => RustType::leaf("i32", "0", 4),
            Scalar::Int64 => RustType::leaf("i64", "0", 8),
            Scalar::Float64 => RustType::leaf("f64", "0.0", 8),
            Scalar::String => RustType::leaf("Str", "Str::EMPTY", 8),
            Scalar::Bytes => RustType::leaf("Blob", "Blob::EMPTY", 8),
        },
        Type::Special { special, name } => match special {
            Special::Any => RustType::leaf("Json", "Json::Null", 16),
            Special::Json => RustType::leaf("RawJson", "RawJson::EMPTY", 8),
            Special::Duration => RustType::leaf("Duration", "Duration::ZERO", 8),
            Special::FieldsV1 => RustType::leaf("FieldsV1", "FieldsV1::EMPTY", 8),
            Special::IntOrString => RustType::leaf("IntOrString", "IntOrString::ZERO", 16),
            Special::MicroTime => RustType::leaf("MicroTime", "MicroTime::ZERO", 16),
            Special::Quantity => RustType::leaf("Quantity", "Quantity::ZERO", 8),
            Special::RawExtension => RustType::leaf("RawExtension", "RawExtension::EMPTY", 8),
            Special::StringList => RustType::leaf("StringList", "StringList::EMPTY", 8),
            Special::Time => RustType::leaf("Time", "Time::ZERO", 16),
            Special::JsonSchemaPropsOrArray => schema_or("OrArray", name.as_ref())?,
            Special::JsonSchemaPropsOrBool => schema_or("OrBool", name.as_ref())?,
            Special::JsonSchemaPropsOrStringArray => schema_or("OrStringArray", name.as_ref())?,
        },
        Type::Struct(name) => {
            // Its size matters only by value, where Go has no recursion.
            RustType {
                text: name.name.clone(),
                empty: format!("{}::EMPTY", name.name),
                message: Some(name.clone()),
                imports: BTreeSet::new(),
                absent_when_zero: false,
                size: 0,
            }
        }
        Type::Ptr(_) | Type::Slice { .. } | Type::Map { .. } => bail!("a {ty:?} inside another container"),
    })
}

/// One of the three forms of a schema property, over the schema type of the same package.
fn schema_or(form: &'static str, name: Option<&TypeName>) -> Result<RustType> {
    let Some(name) = name else { bail!("a schema property without its package") };
    let schema = TypeName { package: name.package.clone(), name: "JSONSchemaProps".to_owned() };
    Ok(RustType {
        text: format!("{form}<JSONSchemaProps>"),
        empty: String::new(),
        message: Some(schema),
        imports: BTreeSet::from([form]),
        absent_when_zero: false,
        size: 16,
    })
}

/// Whether a by-value struct sits inside its parent.
pub(crate) fn is_inline(plan: &Plan<'_>, name: &TypeName) -> Result<bool> {
    // Every object has its own metadata: a pointer to it would only cost.
    let metadata = name.package == META && (name.name == "ObjectMeta" || name.name == "ListMeta");
    Ok(metadata || size_of_struct(plan, name)? <= LARGEST_INLINE)
}

fn size_of_struct(plan: &Plan<'_>, name: &TypeName) -> Result<usize> {
    let Some(of) = plan.schema.find(name) else { bail!("there is no {name}") };
    size_of_fields(plan, of)
}

fn size_of_fields(plan: &Plan<'_>, of: &Struct) -> Result<usize> {
    let mut bytes = 0;
    for field in &of.fields {
        if !super::emit::is_type_meta(field) && (field.json.is_some() || field.inline) {
            bytes += field_type(plan, &field.ty)?.size;
        }
    }
    Ok(bytes.next_multiple_of(8))
}
