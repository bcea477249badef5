//! The types of expressions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::patch_types::is_object_type;

/// The type of a question about a resource to an authorizer.
pub(super) const RESOURCE_CHECK: &str = "kubernetes.authorization.ResourceCheck";

/// The type of an expression. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any type: it is known only during an evaluation.
    Dyn,
    /// `null`.
    Null,
    /// A boolean.
    Bool,
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Uint,
    /// A floating point number.
    Double,
    /// A text.
    Text,
    /// Bytes.
    Bytes,
    /// A span of time.
    Duration,
    /// A point in time.
    Timestamp,
    /// A list of one type.
    List(Arc<Type>),
    /// A map from one type to another.
    Map(Arc<(Type, Type)>),
    /// An object: its name, and its fields as expressions name them.
    Object(Arc<(String, BTreeMap<String, Type>)>),
    /// A value that may be absent.
    Optional(Arc<Type>),
    /// A type as a value.
    Type,
    /// A type of a library, by its name.
    Library(&'static str),
}

impl Type {
    /// Creates the type of a list.
    pub fn list(of: Self) -> Self {
        Self::List(Arc::new(of))
    }

    /// Creates the type of a map whose keys are texts.
    pub fn map(of: Self) -> Self {
        Self::Map(Arc::new((Self::Text, of)))
    }

    /// Creates the type of an object with these fields. Names that are not identifiers are escaped as Kubernetes
    /// does.
    pub fn object<'n>(name: impl Into<String>, fields: impl IntoIterator<Item = (&'n str, Self)>) -> Self {
        Self::object_of(name.into(), fields.into_iter().map(|(name, of)| (name.to_owned(), of)).collect())
    }

    // Not generic: the tree of the fields is compiled once.
    fn object_of(name: String, fields: Vec<(String, Self)>) -> Self {
        Self::Object(Arc::new((name, fields.into_iter().collect())))
    }

    /// The type of the variable `authorizer` of admission policies.
    pub fn authorizer() -> Self {
        Self::object(
            "kubernetes.authorization.Authorizer",
            [("requestResource", Self::Library(RESOURCE_CHECK))],
        )
    }

    /// Returns the name that cel-go's types have outside of its checker: `null_type`, not `null`.
    pub fn go_name(&self) -> String {
        match self {
            Self::Null => "null_type".to_owned(),
            Self::Duration => "google.protobuf.Duration".to_owned(),
            Self::Timestamp => "google.protobuf.Timestamp".to_owned(),
            Self::List(of) => format!("list({})", of.go_name()),
            Self::Map(of) => format!("map({}, {})", of.0.go_name(), of.1.go_name()),
            Self::Optional(of) => format!("optional_type({})", of.go_name()),
            of => of.to_string(),
        }
    }

    /// Creates the type of a value that may be absent.
    pub fn optional(of: Self) -> Self {
        Self::Optional(Arc::new(of))
    }

    /// Returns the type of a field; an error if the object has no such field, `None` if the type has no fields.
    pub(super) fn field(&self, name: &str) -> Option<Result<Self, ()>> {
        match self {
            Self::Dyn => Some(Ok(Self::Dyn)),
            Self::Object(object) if is_object_type(&object.0) => Some(Ok(Self::Dyn)),
            Self::Object(object) => {
                let found = object.1.get(name).or_else(|| object.1.get(&unescaped(name)));
                Some(found.filter(|_| !RESERVED.contains(&name)).cloned().ok_or(()))
            }
            Self::Map(of) if fits(&of.0, &Self::Text) => Some(Ok(of.1.clone())),
            _ => None,
        }
    }
}

/// Reserved words, which an expression cannot use as the name of a field.
const RESERVED: [&str; 4] = ["true", "false", "null", "in"];

/// Returns the name of a field without the escapes that make it an identifier.
pub(super) fn unescaped(name: &str) -> String {
    if let Some(word) = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"))
        && !word.is_empty()
        && word.bytes().all(|letter| letter.is_ascii_lowercase())
        && !["dot", "dash", "slash", "underscores"].contains(&word)
    {
        return word.to_owned();
    }
    name.replace("__dash__", "-")
        .replace("__dot__", ".")
        .replace("__slash__", "/")
        .replace("__underscores__", "__")
}

/// Whether a value of one type can be used as the other type, in either direction.
pub(super) fn fits(a: &Type, b: &Type) -> bool {
    match (a, b) {
        // A dynamic value, or one that may be null.
        (Type::Dyn, _)
        | (_, Type::Dyn)
        | (Type::Null, Type::Object(_) | Type::Duration | Type::Timestamp | Type::Library(_))
        | (Type::Object(_) | Type::Duration | Type::Timestamp | Type::Library(_), Type::Null) => true,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => fits(a, b),
        (Type::Map(a), Type::Map(b)) => fits(&a.0, &b.0) && fits(&a.1, &b.1),
        (Type::Object(a), Type::Object(b)) => a.0 == b.0,
        (a, b) => a == b,
    }
}

/// Returns the common type of two alternatives.
pub(super) fn joined(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::List(x), Type::List(y)) => Type::list(joined(x, y)),
        (Type::Optional(x), Type::Optional(y)) => Type::optional(joined(x, y)),
        (Type::Map(x), Type::Map(y)) => Type::Map(Arc::new((joined(&x.0, &y.0), joined(&x.1, &y.1)))),
        (Type::Dyn, known) | (known, Type::Dyn) => known.clone(),
        (a, _) => a.clone(),
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dyn => "dyn",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Duration => "duration",
            Self::Timestamp => "timestamp",
            Self::Type => "type",
            Self::Library(name) => name,
            Self::List(of) => return write!(f, "list({of})"),
            Self::Map(of) => return write!(f, "map({}, {})", of.0, of.1),
            Self::Object(object) => &object.0,
            Self::Optional(of) => return write!(f, "optional_type({of})"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_kubernetes_does() {
        let object = Type::object("t", [("in", Type::Int), ("namespace", Type::Int), ("x-y.z", Type::Int)]);
        for name in ["__in__", "namespace", "__namespace__", "x__dash__y__dot__z"] {
            assert_eq!(object.field(name), Some(Ok(Type::Int)), "{name}");
        }
        assert_eq!(object.field("in"), Some(Err(())));
    }
}
