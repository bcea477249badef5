//! Strategic merge patch: a merge patch by the rules of the type.
//!
//! Objects are merged as in a [JSON merge patch](super::merge_patch). For lists, the type's [`Descriptor`] decides:
//! replace them (the default), or merge them. Lists of objects merge by the value of a key in each element
//! (`containers` by `name`). Lists of plain values merge as sets (`finalizers`).
//!
//! A patch may also contain directives:
//!
//! | directive | where | effect |
//! |---|---|---|
//! | `$patch: replace` | an object | it replaces the existing object |
//! | `$patch: delete` | an object | the existing object becomes empty |
//! | `$patch: delete` | an element of a merged list | the element with that key is removed |
//! | `$patch: replace` | an element of a merged list | the list's other elements in the patch replace the list |
//! | `$deleteFromPrimitiveList/f` | next to list `f` | these values are removed from it |
//! | `$setElementOrder/f` | next to list `f` | the order of the resulting list; elements that it does not name keep their place |
//! | `$retainKeys` | an object | every other key of the existing object is removed first |
//!
//! An object or list that the descriptor does not know (a map with any keys, a field of a newer server) is merged or
//! replaced as in a JSON merge patch. Lists that merge by key expect each key once.
//!
//! The results are those of the API server, down to the order of lists, with these exceptions:
//! - No directive and no `null` of the patch is left in a result. (The API server loses them when it decodes the
//!   result.)
//! - A created patch sets the order of a list of plain values only if the order has changed, and contains an object
//!   that is replaced as a whole only if the object has changed.
//! - With an empty `$setElementOrder`, added elements keep the order of the patch.
//! - Input on which the API server fails because it has no schema, or because a list is empty, is merged.
//!
//! Nothing here panics or grows without bound on hostile input: the work is that of sorting the input.

mod conflict;
mod diff;
mod lists;
mod merge;
mod schema;

use std::fmt;

use super::precondition::{Precondition, PreconditionFailed, check_all};
use crate::wire::Descriptor;
use crate::{Json, JsonType, Map};
use conflict::conflicts;
use diff::{Diff, What, diff_maps};
use merge::{Mode, merge_maps};
use schema::Schema;

const DIRECTIVE: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";
const SET_ORDER: &str = "$setElementOrder";

/// Returns the object with the patch applied.
///
/// ```
/// use client_rs_machinery::{json, meta::v1::ObjectMeta, patch::strategic, wire::Message};
///
/// let metadata = json!({"finalizers": ["a"], "labels": {"app": "web"}});
/// let patch = json!({"finalizers": ["b"], "$deleteFromPrimitiveList/finalizers": ["a"]});
/// let patched = strategic::apply(&metadata, &patch, ObjectMeta::DESCRIPTOR)?;
/// assert_eq!(patched, json!({"finalizers": ["b"], "labels": {"app": "web"}}));
/// # Ok::<(), strategic::StrategicError>(())
/// ```
pub fn apply(original: &Json, patch: &Json, schema: &'static Descriptor) -> Result<Json, StrategicError> {
    merge_maps(&object(original)?, &object(patch)?, Schema::of(schema), Mode::Apply).map(Json::Map)
}

/// Creates a patch that turns `original` into `modified`.
///
/// As in every merge patch, `null` in `modified` means the same as absence.
pub fn two_way(
    original: &Json,
    modified: &Json,
    schema: &'static Descriptor,
    preconditions: &[Precondition],
) -> Result<Json, StrategicError> {
    let options = Diff { order: true, ..Diff::default() };
    let patch =
        diff_maps(&object(original)?, &object(modified)?, Schema::of(schema), options).map(Json::Map)?;
    check_all(preconditions, &patch)?;
    Ok(patch)
}

crate::options! {
    /// How [`three_way`] makes a patch.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ThreeWayOptions<'a> {
        /// Whether the patch may change what others have changed since `original`, in another way. Default: no,
        /// that is [`StrategicErrorKind::Conflict`].
        pub overwrite: bool => with_overwrite,
        /// Fields that the patch must not change. Default: none.
        pub preconditions: &'a [Precondition] => with_preconditions,
    }
}

/// Creates a patch for `current` with the changes from `original` to `modified`. It sets the fields of `modified`,
/// and removes those that `original` has and `modified` lacks. Fields that others have added to `current` stay.
///
/// This is client-side `kubectl apply`; `original` is then the last applied configuration.
pub fn three_way(
    original: &Json,
    modified: &Json,
    current: &Json,
    schema: &'static Descriptor,
    options: ThreeWayOptions<'_>,
) -> Result<Json, StrategicError> {
    let (original, modified, current) = (object(original)?, object(modified)?, object(current)?);
    let schema = Schema::of(schema);
    let only = |what| Diff { what, order: true, ..Diff::default() };
    let changes = diff_maps(&current, &modified, schema, only(What::Changes))?;
    let deletions = diff_maps(&original, &modified, schema, only(What::Deletions))?;
    let patch = merge_maps(&deletions, &changes, schema, Mode::Combine)?;
    check_all(options.preconditions, &Json::Map(patch.clone()))?;
    if !options.overwrite {
        let theirs = diff_maps(&original, &current, schema, Diff::default())?;
        if let Some(path) = conflicts(&patch, &theirs, schema)? {
            return Err(StrategicError { path, kind: StrategicErrorKind::Conflict });
        }
    }
    Ok(Json::Map(patch))
}

/// A strategic merge patch is malformed, does not fit the object, or cannot be created.
///
/// The message names a path and never quotes a value.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategicError {
    /// Innermost first: pushed while the error travels outwards.
    path: Vec<String>,
    kind: StrategicErrorKind,
}

/// The kind of an error in a strategic merge patch, or in the object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategicErrorKind {
    /// A value has another type than the schema or a directive requires.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// The required type.
        expected: JsonType,
        /// The type of the value.
        found: JsonType,
    },
    /// `$patch` is neither `replace` nor `delete`.
    #[error("`$patch` is neither `replace` nor `delete`")]
    UnknownDirective,
    /// The directive is malformed, or two combined patches disagree on it.
    #[error("a malformed `{0}`")]
    MalformedDirective(&'static str),
    /// The patch sets a key that its `$retainKeys` does not name.
    #[error("the patch sets a key that `$retainKeys` does not name")]
    NotRetained,
    /// The patch's list has elements that `$setElementOrder` does not name, or has them in another order.
    #[error("the patch's list does not follow `$setElementOrder`")]
    OrderMismatch,
    /// The elements of a list that is to be merged are not all of one type, or are lists or `null`.
    #[error("a merged list holds plain values of one type or objects")]
    MixedElements,
    /// An element of a list that merges by key lacks the key, or has a list or an object there.
    #[error("an element has no plain value at its merge key `{0}`")]
    NoMergeKey(&'static str),
    /// The descriptor has no key to merge a list of objects by.
    #[error("a list of objects has no merge key")]
    NoMergeKeyDeclared,
    /// The patch would change a field that a precondition protects.
    #[error(transparent)]
    Precondition(#[from] PreconditionFailed),
    /// The patch changes a field that others have changed to another value.
    #[error("others have changed this in another way")]
    Conflict,
}

impl StrategicError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> &StrategicErrorKind {
        &self.kind
    }

    /// Returns the path, such as `spec.containers`; empty for the whole object. It does not contain the index of a
    /// list element.
    pub fn path(&self) -> String {
        let parts: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        parts.join(".")
    }

    fn at(mut self, key: &str) -> Self {
        // A hostile key is cut.
        self.path.push(key.chars().take(64).collect());
        self
    }
}

impl From<StrategicErrorKind> for StrategicError {
    fn from(kind: StrategicErrorKind) -> Self {
        Self { path: Vec::new(), kind }
    }
}

impl From<PreconditionFailed> for StrategicError {
    fn from(failed: PreconditionFailed) -> Self {
        StrategicErrorKind::from(failed).into()
    }
}

impl fmt::Display for StrategicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path().as_str() {
            "" => write!(f, "strategic merge patch: {}", self.kind),
            path => write!(f, "strategic merge patch, {path}: {}", self.kind),
        }
    }
}

impl std::error::Error for StrategicError {}

/// An object; `null` is an empty one.
fn object(value: &Json) -> Result<Map<Json>, StrategicError> {
    match value {
        Json::Map(map) => Ok(map.clone()),
        Json::Null => Ok(Map::EMPTY),
        _ => Err(wrong_type(JsonType::Map, value)),
    }
}

fn wrong_type(expected: JsonType, found: &Json) -> StrategicError {
    StrategicErrorKind::WrongType { expected, found: found.json_type() }.into()
}
