//! [`FieldError`]: a validation error of one field.

use crate::{Str, quote::Quoted};
use std::fmt;

/// A validation error of one field of an object, with the API server's message.
///
/// ```
/// use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind};
///
/// let errors = FieldErrors(vec![
///     FieldError::required("spec.selector", ""),
///     FieldError::invalid("metadata.name", "Web", "must be lower case"),
/// ]);
/// assert_eq!(errors.0[0].to_string(), "spec.selector: Required value");
///
/// let error = ApiError::invalid(&GroupKind::new("apps", "Deployment"), "Web", &errors);
/// assert!(error.is_invalid());
/// assert_eq!(error.causes()[1].field, "metadata.name");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldError {
    kind: FieldErrorKind,
    field: Str,
    /// The value as the message shows it.
    value: Option<Str>,
    detail: Str,
}

/// The kind of a field error. On the wire it has the name of a status cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldErrorKind {
    /// Refers to an object or value that does not exist.
    NotFound,
    /// Must have a value.
    Required,
    /// Has the same value as another element, but must be unique.
    Duplicate,
    /// Malformed.
    Invalid,
    /// Not one of the supported values.
    NotSupported,
    /// Well-formed, but not allowed here.
    Forbidden,
    /// Longer than the limit.
    TooLong,
    /// Shorter than the minimum.
    TooShort,
    /// More items than the limit.
    TooMany,
    /// Fewer items than the minimum.
    TooFew,
    /// A type that differs from the schema's.
    TypeInvalid,
    /// A failure of the server, not of the input.
    Internal,
}

/// Several field errors as one error. Its text is that of the one error, or `[first, second]`. Equal errors appear
/// once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldErrorKind {
    /// Returns the name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "FieldValueNotFound",
            Self::Required => "FieldValueRequired",
            Self::Duplicate => "FieldValueDuplicate",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Forbidden => "FieldValueForbidden",
            Self::TooLong => "FieldValueTooLong",
            Self::TooShort => "FieldValueTooShort",
            Self::TooMany => "FieldValueTooMany",
            Self::TooFew => "FieldValueTooFew",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::Internal => "InternalError",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::NotFound => "Not found",
            Self::Required => "Required value",
            Self::Duplicate => "Duplicate value",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Forbidden => "Forbidden",
            Self::TooLong => "Too long",
            Self::TooShort => "Too short",
            Self::TooMany => "Too many",
            Self::TooFew => "Too few",
            Self::Internal => "Internal error",
        }
    }
}

impl FieldError {
    /// A malformed value, shown in quotes.
    pub fn invalid(field: impl Into<Str>, value: &str, detail: impl Into<Str>) -> Self {
        Self::invalid_json(field, Quoted(value).to_string(), detail)
    }

    /// A malformed value, given as JSON (a number, a list, an object) and shown unchanged.
    pub fn invalid_json(field: impl Into<Str>, json: impl Into<Str>, detail: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::Invalid, field.into(), Some(json.into()), detail.into())
    }

    /// A malformed value that is too large to show, such as an object or a list.
    pub fn invalid_omitted(field: impl Into<Str>, detail: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::Invalid, field.into(), None, detail.into())
    }

    /// A value whose type differs from the schema's. `json` is shown unchanged.
    pub fn type_invalid(field: impl Into<Str>, json: impl Into<Str>, detail: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::TypeInvalid, field.into(), Some(json.into()), detail.into())
    }

    /// A field that must have a value.
    pub fn required(field: impl Into<Str>, detail: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::Required, field.into(), None, detail.into())
    }

    /// A value that is not allowed here.
    pub fn forbidden(field: impl Into<Str>, detail: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::Forbidden, field.into(), None, detail.into())
    }

    /// A reference to an object or value that does not exist.
    pub fn not_found(field: impl Into<Str>, value: &str) -> Self {
        Self::new(FieldErrorKind::NotFound, field.into(), Some(Quoted(value).to_string().into()), Str::EMPTY)
    }

    /// A value that another element already has.
    pub fn duplicate(field: impl Into<Str>, value: &str) -> Self {
        Self::new(FieldErrorKind::Duplicate, field.into(), Some(Quoted(value).to_string().into()), Str::EMPTY)
    }

    /// A value that another element already has. `json` is shown unchanged.
    pub fn duplicate_json(field: impl Into<Str>, json: impl Into<Str>) -> Self {
        Self::new(FieldErrorKind::Duplicate, field.into(), Some(json.into()), Str::EMPTY)
    }

    /// A value that is not one of the `supported` values.
    pub fn not_supported(field: impl Into<Str>, value: &str, supported: &[&str]) -> Self {
        Self::not_supported_json(field, Quoted(value).to_string(), supported)
    }

    /// Like [`not_supported`](Self::not_supported), for a value of another JSON type than string.
    pub fn not_supported_json(field: impl Into<Str>, value: impl Into<Str>, supported: &[&str]) -> Self {
        let quoted: Vec<_> = supported.iter().map(|value| Quoted(value).to_string()).collect();
        let detail = if quoted.is_empty() {
            Str::EMPTY
        } else {
            format!("supported values: {}", quoted.join(", ")).into()
        };
        Self::new(FieldErrorKind::NotSupported, field.into(), Some(value.into()), detail)
    }

    /// A value of more than `max` bytes. The text does not show the value.
    pub fn too_long(field: impl Into<Str>, max: usize) -> Self {
        let unit = if max == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {max} {unit}");
        Self::new(FieldErrorKind::TooLong, field.into(), None, detail.into())
    }

    /// A list of more than `max` items.
    pub fn too_many(field: impl Into<Str>, count: usize, max: usize) -> Self {
        let unit = if max == 1 { "item" } else { "items" };
        let detail = format!("must have at most {max} {unit}");
        Self::new(FieldErrorKind::TooMany, field.into(), Some(count.to_string().into()), detail.into())
    }

    /// A list of fewer than `min` items.
    pub fn too_few(field: impl Into<Str>, count: usize, min: usize) -> Self {
        let unit = if min == 1 { "item" } else { "items" };
        let detail = format!("must have at least {min} {unit}");
        Self::new(FieldErrorKind::TooFew, field.into(), Some(count.to_string().into()), detail.into())
    }

    /// A value of fewer than `min` characters.
    pub fn too_short(field: impl Into<Str>, min: usize) -> Self {
        let unit = if min == 1 { "character" } else { "characters" };
        let detail = format!("must be at least {min} {unit}");
        Self::new(FieldErrorKind::TooShort, field.into(), None, detail.into())
    }

    /// A failure of the server, not of the input.
    pub fn internal(field: impl Into<Str>, error: impl fmt::Display) -> Self {
        Self::new(FieldErrorKind::Internal, field.into(), None, error.to_string().into())
    }

    fn new(kind: FieldErrorKind, field: Str, value: Option<Str>, detail: Str) -> Self {
        Self { kind, field, value, detail }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> FieldErrorKind {
        self.kind
    }

    /// Returns the path of the field, such as `spec.ports[0].name`.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the text without the path of the field.
    pub fn body(&self) -> String {
        let mut text = String::from(self.kind.words());
        let detail = Some(self.detail.as_str()).filter(|detail| !detail.is_empty());
        for part in self.value.as_deref().into_iter().chain(detail) {
            text.push_str(": ");
            text.push_str(part);
        }
        text
    }
}

impl std::error::Error for FieldError {}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body())
    }
}

impl FieldErrors {
    /// Returns `Err` if there is at least one error.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl std::error::Error for FieldErrors {}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut distinct: Vec<&FieldError> = Vec::with_capacity(self.0.len());
        for error in &self.0 {
            if !distinct.contains(&error) {
                distinct.push(error);
            }
        }
        if let [only] = distinct[..] {
            return fmt::Display::fmt(only, f);
        }
        f.write_str("[")?;
        for (i, error) in distinct.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            fmt::Display::fmt(error, f)?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_servers() {
        for (error, want) in [
            (FieldError::invalid("a.b", "x y", "no spaces"), r#"a.b: Invalid value: "x y": no spaces"#),
            (FieldError::invalid_json("a", "5", ""), "a: Invalid value: 5"),
            (FieldError::type_invalid("a", "5", "not a string"), "a: Invalid value: 5: not a string"),
            (FieldError::required("a", ""), "a: Required value"),
            (FieldError::required("a", "name it"), "a: Required value: name it"),
            (FieldError::forbidden("a", "not now"), "a: Forbidden: not now"),
            (FieldError::not_found("a[0]", "x"), r#"a[0]: Not found: "x""#),
            (FieldError::duplicate("a[1]", "x"), r#"a[1]: Duplicate value: "x""#),
            (
                FieldError::not_supported("a", "z", &["x", "y"]),
                r#"a: Unsupported value: "z": supported values: "x", "y""#,
            ),
            (FieldError::not_supported("a", "z", &[]), r#"a: Unsupported value: "z""#),
            (FieldError::too_long("a", 63), "a: Too long: may not be more than 63 bytes"),
            (FieldError::too_long("a", 1), "a: Too long: may not be more than 1 byte"),
            (FieldError::too_many("a", 3, 2), "a: Too many: 3: must have at most 2 items"),
            (FieldError::too_many("a", 3, 1), "a: Too many: 3: must have at most 1 item"),
            (FieldError::too_few("a", 0, 1), "a: Too few: 0: must have at least 1 item"),
            (FieldError::too_short("a", 2), "a: Too short: must be at least 2 characters"),
            (FieldError::internal("a", "disk on fire"), "a: Internal error: disk on fire"),
        ] {
            assert_eq!(error.to_string(), want);
            assert!(want.ends_with(&error.body()) && want.starts_with(error.field()));
        }
    }

    #[test]
    fn several_are_listed_once_each() {
        let (a, b) = (FieldError::required("a", ""), FieldError::required("b", ""));
        assert_eq!(FieldErrors(vec![a.clone()]).to_string(), "a: Required value");
        assert_eq!(FieldErrors(vec![a.clone(), a.clone()]).to_string(), "a: Required value");
        assert_eq!(FieldErrors(vec![a.clone(), b, a]).to_string(), "[a: Required value, b: Required value]");
        assert_eq!(FieldErrors(vec![]).into_result(), Ok(()));
    }

    #[test]
    fn kinds_have_their_wire_names() {
        assert_eq!(FieldErrorKind::TooMany.as_str(), "FieldValueTooMany");
        assert_eq!(FieldErrorKind::Internal.as_str(), "InternalError");
        assert_eq!(FieldError::required("a", "").kind(), FieldErrorKind::Required);
    }
}
