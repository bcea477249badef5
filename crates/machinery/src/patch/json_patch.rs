//! JSON patch (RFC 6902): a list of edits.

use std::fmt;

use super::json_patch_apply;
use super::json_patch_diff;
use super::pointer::Pointer;
use crate::wire::DecodeError;
use crate::{Json, Str};

/// A JSON patch: edits that are carried out in order, all or none.
///
/// ```
/// use client_rs_machinery::{json, patch::{JsonPatch, Operation}};
///
/// let before = json!({"spec": {"replicas": 1}});
/// let patch = JsonPatch(vec![
///     Operation::Test { path: ["spec", "replicas"].into(), value: 1.into() },
///     Operation::Replace { path: ["spec", "replicas"].into(), value: 3.into() },
/// ]);
/// let after = patch.apply(&before)?;
/// assert_eq!(after, json!({"spec": {"replicas": 3}}));
/// assert_eq!(JsonPatch::diff(&before, &after).0.len(), 1);
///
/// // The test guards against a change in between.
/// let error = patch.apply(&after).unwrap_err();
/// assert_eq!((error.operation, error.path.as_str()), (Some(0), "/spec/replicas"));
/// # Ok::<(), client_rs_machinery::patch::JsonPatchError>(())
/// ```
///
/// It accepts everything that the API server accepts, also where that is more lenient than the RFC:
/// - `replace` of a missing key of an object adds it.
/// - `copy` of a missing key of an object copies `null`, and `test` finds `null` there.
/// - An `add`, `replace` or `test` without `value` has the value `null`.
/// - A negative index counts from an array's end: -1 is the last element, and for `add` the place behind it.
///
/// Where the RFC is more lenient, it follows the RFC: `add` may name the whole document, `replace` may replace it by
/// any value, and `copy` may copy from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonPatch(pub Vec<Operation>);

/// One edit of a JSON patch.
#[derive(Clone, PartialEq)]
pub enum Operation {
    /// Sets a key of an object, or inserts into an array before an index; `-` is the place behind the last element.
    Add {
        /// The place to add to.
        path: Pointer,
        /// The new value.
        value: Json,
    },
    /// Removes the existing value.
    Remove {
        /// The place of the value.
        path: Pointer,
    },
    /// Sets a key of an object, or an existing element of an array.
    Replace {
        /// The place of the value.
        path: Pointer,
        /// The new value.
        value: Json,
    },
    /// Removes the value at one place and adds it at another.
    Move {
        /// The place to move from.
        from: Pointer,
        /// The place to move to.
        path: Pointer,
    },
    /// Copies the value at one place to another.
    Copy {
        /// The place to copy from.
        from: Pointer,
        /// The place to copy to.
        path: Pointer,
    },
    /// Fails the patch unless the existing value is equal to this one.
    Test {
        /// The place of the value.
        path: Pointer,
        /// The expected value. Numbers are equal if they also have the same type, see [`Json`].
        value: Json,
    },
}

/// A JSON patch is malformed or does not apply. The error names the operation, and never quotes a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JsonPatchError {
    /// The index of the operation in the patch; `None` if the error concerns the whole patch.
    pub operation: Option<usize>,
    /// The path; `""` if the error has none. A very long path is cut.
    pub path: String,
    /// The kind of the error.
    pub kind: JsonPatchErrorKind,
}

/// The kind of an error in a JSON patch, or in the document that it was applied to.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonPatchErrorKind {
    /// The text is not JSON.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Not an array of objects.
    #[error("a JSON patch is an array of objects")]
    NotAPatch,
    /// More than [`JsonPatch::MAX_OPERATIONS`] operations.
    #[error("more than {} operations", JsonPatch::MAX_OPERATIONS)]
    TooManyOperations,
    /// `op` is not one of the six operations.
    #[error("`op` is not one of add, remove, replace, move, copy and test")]
    UnknownOperation,
    /// `path` or `from` is missing or not a string.
    #[error("`{0}` is not a string")]
    MissingPath(&'static str),
    /// `path` or `from` is not a pointer.
    #[error("`{0}` is neither empty nor begins with `/`")]
    InvalidPointer(&'static str),
    /// The document does not contain the place, or an object or array on the way to it.
    #[error("nothing is there")]
    NotFound,
    /// The index is out of range, or not an index.
    #[error("the array has no such index")]
    InvalidIndex,
    /// The whole document cannot be removed or moved.
    #[error("the whole document can't be removed")]
    RemovesDocument,
    /// The existing value is not the one that `test` expects.
    #[error("the test failed")]
    TestFailed,
    /// The result would nest deeper than [`MAX_DEPTH`](crate::wire::MAX_DEPTH).
    #[error("the result would nest deeper than {} levels", crate::wire::MAX_DEPTH)]
    TooDeep,
    /// The copies of a patch add up to more than [`JsonPatch::MAX_COPIED_BYTES`].
    #[error("copies add up to more than {} bytes", JsonPatch::MAX_COPIED_BYTES)]
    CopiesTooLarge,
}

impl JsonPatch {
    /// The maximum number of operations, which is the API server's limit.
    pub const MAX_OPERATIONS: usize = 10_000;
    /// The maximum number of bytes of JSON that the `copy` operations of a patch may add, which is the API server's
    /// limit.
    pub const MAX_COPIED_BYTES: usize = 3 * 1024 * 1024;

    /// Parses a patch from JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, JsonPatchError> {
        let value = Json::parse(text).map_err(|error| whole(error.into()))?;
        Self::from_json(&value)
    }

    /// Converts a patch from a value.
    pub fn from_json(value: &Json) -> Result<Self, JsonPatchError> {
        let operations = value.as_list().ok_or_else(|| whole(JsonPatchErrorKind::NotAPatch))?;
        if operations.len() > Self::MAX_OPERATIONS {
            return Err(whole(JsonPatchErrorKind::TooManyOperations));
        }
        let read =
            |(index, value)| Operation::from_json(value).map_err(|kind| in_operation(index, value, kind));
        operations.iter().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the patch as a value, which is its form on the wire.
    pub fn to_json(&self) -> Json {
        self.0.iter().map(Operation::to_json).collect()
    }

    /// Creates a patch that turns `original` into `modified`.
    ///
    /// It is minimal where objects differ. In arrays, equal elements at both ends stay. The elements in between are
    /// edited by position, and the rest is added or removed.
    pub fn diff(original: &Json, modified: &Json) -> Self {
        Self(json_patch_diff::diff(original, modified))
    }

    /// Carries out all operations and returns the document, or returns an error and no document.
    pub fn apply(&self, document: &Json) -> Result<Json, JsonPatchError> {
        json_patch_apply::apply(&self.0, document)
    }
}

impl Operation {
    /// Returns the name of the operation, as on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
            Self::Copy { .. } => "copy",
            Self::Test { .. } => "test",
        }
    }

    /// Returns the place that it edits or tests.
    pub fn path(&self) -> &Pointer {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. }
            | Self::Copy { path, .. }
            | Self::Test { path, .. } => path,
        }
    }

    fn from_json(value: &Json) -> Result<Self, JsonPatchErrorKind> {
        let object = value.as_map().ok_or(JsonPatchErrorKind::NotAPatch)?;
        let pointer = |member: &'static str| {
            let text = value[member].as_str().ok_or(JsonPatchErrorKind::MissingPath(member))?;
            text.parse::<Pointer>().map_err(|_| JsonPatchErrorKind::InvalidPointer(member))
        };
        let content = || object.get("value").cloned().unwrap_or_default();
        Ok(match value["op"].as_str() {
            Some("add") => Self::Add { path: pointer("path")?, value: content() },
            Some("remove") => Self::Remove { path: pointer("path")? },
            Some("replace") => Self::Replace { path: pointer("path")?, value: content() },
            Some("move") => Self::Move { from: pointer("from")?, path: pointer("path")? },
            Some("copy") => Self::Copy { from: pointer("from")?, path: pointer("path")? },
            Some("test") => Self::Test { path: pointer("path")?, value: content() },
            _ => return Err(JsonPatchErrorKind::UnknownOperation),
        })
    }

    fn to_json(&self) -> Json {
        let mut members: Vec<(&str, Json)> =
            vec![("op", self.name().into()), ("path", self.path().to_string().into())];
        match self {
            Self::Add { value, .. } | Self::Replace { value, .. } | Self::Test { value, .. } => {
                members.push(("value", value.clone()));
            }
            Self::Move { from, .. } | Self::Copy { from, .. } => {
                members.push(("from", from.to_string().into()));
            }
            Self::Remove { .. } => {}
        }
        members.into_iter().collect()
    }
}

/// Leaves out the values, which may be a secret's.
impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.path())?;
        match self {
            Self::Move { from, .. } | Self::Copy { from, .. } => write!(f, " from {from}"),
            Self::Add { value, .. } | Self::Replace { value, .. } | Self::Test { value, .. } => {
                write!(f, " ({})", value.json_type())
            }
            Self::Remove { .. } => Ok(()),
        }
    }
}

impl fmt::Display for JsonPatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operation {
            Some(index) => write!(f, "JSON patch, operation {index} at {:?}: {}", self.path, self.kind),
            None => write!(f, "JSON patch: {}", self.kind),
        }
    }
}

impl std::error::Error for JsonPatchError {}

fn whole(kind: JsonPatchErrorKind) -> JsonPatchError {
    JsonPatchError { operation: None, path: String::new(), kind }
}

fn in_operation(index: usize, value: &Json, kind: JsonPatchErrorKind) -> JsonPatchError {
    JsonPatchError { operation: Some(index), path: shown(value["path"].as_str().unwrap_or_default()), kind }
}

/// A path for a message: a hostile one is cut.
pub(super) fn shown(path: &str) -> String {
    path.chars().take(256).collect()
}

impl From<Vec<Operation>> for JsonPatch {
    fn from(operations: Vec<Operation>) -> Self {
        Self(operations)
    }
}

impl FromIterator<Operation> for JsonPatch {
    fn from_iter<I: IntoIterator<Item = Operation>>(operations: I) -> Self {
        Self(operations.into_iter().collect())
    }
}

/// Creates a pointer from keys and indexes: `Pointer::from(["spec", "replicas"])`.
impl<T: Into<Str>, const N: usize> From<[T; N]> for Pointer {
    fn from(tokens: [T; N]) -> Self {
        Self::new(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn every_operation_has_its_wire_form() {
        let wire = json!([
            {"op": "add", "path": "/a~1b/-", "value": {"x": null}},
            {"op": "remove", "path": "/a"},
            {"op": "replace", "path": "", "value": [1]},
            {"op": "move", "from": "/a", "path": "/b"},
            {"op": "copy", "from": "/a", "path": "/b"},
            {"op": "test", "path": "/a", "value": null},
        ]);
        let patch = JsonPatch::from_json(&wire).unwrap();
        assert_eq!(patch.0[0], Operation::Add { path: ["a/b", "-"].into(), value: json!({"x": null}) });
        assert_eq!(patch.to_json(), wire);
        assert_eq!(JsonPatch::parse(&wire.to_vec()).unwrap(), patch);
    }

    #[test]
    fn an_error_names_the_operation_and_the_path() {
        use JsonPatchErrorKind as Kind;
        for (patch, operation, kind) in [
            (json!({}), None, Kind::NotAPatch),
            (json!([1]), Some(0), Kind::NotAPatch),
            (json!([{"op": "remove", "path": "/a"}, {"path": "/a"}]), Some(1), Kind::UnknownOperation),
            (json!([{"op": "Add", "path": "/a"}]), Some(0), Kind::UnknownOperation),
            (json!([{"op": 1, "path": "/a"}]), Some(0), Kind::UnknownOperation),
            (json!([{"op": "add", "value": 1}]), Some(0), Kind::MissingPath("path")),
            (json!([{"op": "add", "path": ["a"]}]), Some(0), Kind::MissingPath("path")),
            (json!([{"op": "move", "path": "/a"}]), Some(0), Kind::MissingPath("from")),
            (json!([{"op": "add", "path": "a/b"}]), Some(0), Kind::InvalidPointer("path")),
            (json!([{"op": "copy", "path": "/a", "from": "b"}]), Some(0), Kind::InvalidPointer("from")),
        ] {
            let error = JsonPatch::from_json(&patch).unwrap_err();
            assert_eq!((error.operation, error.kind), (operation, kind), "{patch}");
        }
        let many: Json =
            (0..=JsonPatch::MAX_OPERATIONS).map(|_| json!({"op": "remove", "path": "/a"})).collect();
        assert_eq!(JsonPatch::from_json(&many).unwrap_err().kind, Kind::TooManyOperations);
        assert!(matches!(JsonPatch::parse(b"[{").unwrap_err().kind, Kind::Decode(_)));
    }

    #[test]
    fn messages_hold_paths_and_no_values() {
        let patch = JsonPatch::from_json(&json!([
            {"op": "test", "path": "/data/token", "value": "hunter2"},
        ]))
        .unwrap();
        let error = patch.apply(&json!({"data": {"token": "other"}})).unwrap_err();
        assert_eq!(error.to_string(), r#"JSON patch, operation 0 at "/data/token": the test failed"#);
        assert_eq!(format!("{patch:?}"), "JsonPatch([test /data/token (a string)])");
        let long = ["/".to_owned(), "x".repeat(100_000)].concat();
        let patch = JsonPatch::from_json(&json!([{"op": "remove", "path": long}])).unwrap();
        assert!(patch.apply(&json!({})).unwrap_err().to_string().len() < 400);
    }
}
