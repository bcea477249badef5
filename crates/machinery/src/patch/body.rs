//! [`Patch`]: the body of a patch request.

use std::fmt;

use super::{JsonPatch, JsonPatchError, StrategicError, merge_patch, strategic};
use crate::Json;
use crate::wire::{DecodeError, Descriptor};

/// A patch of one of the four kinds that an API server accepts.
///
/// The field manager and the dry run are options of the request, not of the patch.
///
/// ```
/// use client_rs_machinery::{json, patch::{JsonPatch, Patch, PatchType}};
///
/// let label = Patch::Merge(json!({"metadata": {"labels": {"track": "canary"}}}));
/// assert_eq!(label.patch_type(), PatchType::Merge);
///
/// let edit = Patch::parse(PatchType::Json, br#"[{"op": "replace", "path": "/spec/replicas", "value": 3}]"#)?;
/// let scaled = edit.apply_to(&json!({"spec": {"replicas": 1}}), None)?;
/// assert_eq!(scaled, json!({"spec": {"replicas": 3}}));
///
/// // A JSON patch is a list of operations, not an object.
/// assert!(Patch::parse(PatchType::Json, b"{}").is_err());
///
/// let owned = Patch::force_apply(json!({
///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"level": "debug"},
/// }));
/// assert!(owned.is_forced());
/// # Ok::<(), client_rs_machinery::patch::PatchError>(())
/// ```
#[derive(Clone, PartialEq)]
pub enum Patch {
    /// Edits, carried out in order.
    Json(JsonPatch),
    /// A document that is merged into the object. The only merge for custom resources.
    Merge(Json),
    /// A merge by the type's rules: lists merge by key. Not for custom resources.
    Strategic(Json),
    /// The fields that the sender wants to own, and their values: server-side apply.
    Apply {
        /// The object, with `apiVersion`, `kind`, `metadata.name` and the fields to own.
        object: Json,
        /// Whether to take over fields that other managers own, instead of failing with a conflict.
        force: bool,
    },
}

/// The kind of a [`Patch`], which is its media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatchType {
    /// `application/json-patch+json`
    Json,
    /// `application/merge-patch+json`
    Merge,
    /// `application/strategic-merge-patch+json`
    Strategic,
    /// `application/apply-patch+yaml`
    Apply,
}

/// A patch is malformed, or does not apply.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The body is not JSON.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The body of every kind except a JSON patch must be an object.
    #[error("the patch is {0} and not an object")]
    NotAnObject(crate::JsonType),
    /// The JSON patch is malformed or does not apply.
    #[error(transparent)]
    Json(#[from] JsonPatchError),
    /// The strategic merge patch is malformed or does not apply.
    #[error(transparent)]
    Strategic(#[from] StrategicError),
    /// A strategic merge patch needs the fields of the type, which are not known: it is a custom resource.
    #[error("a strategic merge patch needs a type that is known")]
    NoSchema,
    /// Server-side apply needs the owners of the fields: it is more than a patch of one object.
    #[error("server-side apply is no patch of an object alone")]
    ServerSideApply,
}

impl Patch {
    /// Creates a server-side apply of the fields of a typed object.
    pub fn apply(object: impl Into<Json>) -> Self {
        Self::Apply { object: object.into(), force: false }
    }

    /// Creates a server-side apply that takes over fields of other managers.
    pub fn force_apply(object: impl Into<Json>) -> Self {
        Self::Apply { object: object.into(), force: true }
    }

    /// Parses the body of a patch request, which must be JSON. This also holds for `application/apply-patch+yaml`:
    /// this module does not parse YAML. The result is not forced.
    pub fn parse(patch_type: PatchType, body: &[u8]) -> Result<Self, PatchError> {
        if patch_type == PatchType::Json {
            return Ok(Self::Json(JsonPatch::parse(body)?));
        }
        let document = Json::parse(body)?;
        if document.as_map().is_none() {
            return Err(PatchError::NotAnObject(document.json_type()));
        }
        Ok(match patch_type {
            PatchType::Json | PatchType::Merge => Self::Merge(document),
            PatchType::Strategic => Self::Strategic(document),
            PatchType::Apply => Self::apply(document),
        })
    }

    /// Returns the kind.
    pub fn patch_type(&self) -> PatchType {
        match self {
            Self::Json(_) => PatchType::Json,
            Self::Merge(_) => PatchType::Merge,
            Self::Strategic(_) => PatchType::Strategic,
            Self::Apply { .. } => PatchType::Apply,
        }
    }

    /// Returns the content type of the request.
    pub fn media_type(&self) -> &'static str {
        self.patch_type().media_type()
    }

    /// Returns the body of the request. That of [`Apply`](Self::Apply) is JSON, which is also YAML.
    pub fn body(&self) -> Vec<u8> {
        match self {
            Self::Json(patch) => patch.to_json().to_vec(),
            Self::Merge(document) | Self::Strategic(document) | Self::Apply { object: document, .. } => {
                document.to_vec()
            }
        }
    }

    /// Whether it takes over fields of other managers; only [`Apply`](Self::Apply) can.
    pub fn is_forced(&self) -> bool {
        matches!(self, Self::Apply { force: true, .. })
    }

    /// Returns the object with the patch applied. `schema` describes its type; `None` if that is not known.
    ///
    /// # Errors
    ///
    /// The patch does not apply. [`Apply`](Self::Apply) is always refused: see [`PatchError::ServerSideApply`].
    pub fn apply_to(&self, object: &Json, schema: Option<&'static Descriptor>) -> Result<Json, PatchError> {
        match self {
            Self::Json(patch) => Ok(patch.apply(object)?),
            Self::Merge(patch) => Ok(merge_patch::apply(object, patch)),
            Self::Strategic(patch) => {
                Ok(strategic::apply(object, patch, schema.ok_or(PatchError::NoSchema)?)?)
            }
            Self::Apply { .. } => Err(PatchError::ServerSideApply),
        }
    }
}

impl PatchType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Json, Self::Merge, Self::Strategic, Self::Apply];

    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json-patch+json",
            Self::Merge => "application/merge-patch+json",
            Self::Strategic => "application/strategic-merge-patch+json",
            Self::Apply => "application/apply-patch+yaml",
        }
    }

    /// Returns the kind with this media type. Parameters such as `; charset=utf-8` are ignored.
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|kind| kind.media_type().eq_ignore_ascii_case(essence))
    }
}

/// Leaves out the content, which may be a secret's.
impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(patch) => f.debug_tuple("Json").field(&patch.0).finish(),
            other => write!(f, "{:?}({} bytes)", other.patch_type(), other.body().len()),
        }
    }
}

impl From<JsonPatch> for Patch {
    fn from(patch: JsonPatch) -> Self {
        Self::Json(patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    static NOTHING: Descriptor = Descriptor { name: "Nothing", type_meta: None, fields: &[], wire: &[] };

    #[test]
    fn every_kind_has_its_media_type_and_body() {
        let operations = json!([{"op": "add", "path": "/a", "value": 1}]);
        let document = json!({"a": 1, "b": null});
        for (patch, media_type, body) in [
            (
                Patch::Json(JsonPatch::from_json(&operations).unwrap()),
                "application/json-patch+json",
                &operations,
            ),
            (Patch::Merge(document.clone()), "application/merge-patch+json", &document),
            (Patch::Strategic(document.clone()), "application/strategic-merge-patch+json", &document),
            (Patch::apply(document.clone()), "application/apply-patch+yaml", &document),
        ] {
            assert_eq!(patch.media_type(), media_type);
            assert_eq!(Json::parse(&patch.body()).unwrap(), *body);
            assert_eq!(PatchType::from_media_type(media_type), Some(patch.patch_type()));
            assert_eq!(Patch::parse(patch.patch_type(), &patch.body()), Ok(patch.clone()));
            assert!(!patch.is_forced());
        }
        assert!(Patch::force_apply(document).is_forced());
        assert_eq!(
            PatchType::from_media_type("Application/Merge-Patch+JSON ; charset=utf-8"),
            Some(PatchType::Merge)
        );
        assert_eq!(PatchType::from_media_type("application/json"), None);
        assert_eq!(PatchType::from_media_type(""), None);
    }

    #[test]
    fn a_body_of_another_type_than_object_is_refused() {
        for kind in [PatchType::Merge, PatchType::Strategic, PatchType::Apply] {
            assert!(matches!(Patch::parse(kind, b"[]"), Err(PatchError::NotAnObject(_))));
            assert!(matches!(Patch::parse(kind, b"{"), Err(PatchError::Decode(_))));
        }
        assert!(matches!(Patch::parse(PatchType::Json, b"{}"), Err(PatchError::Json(_))));
    }

    #[test]
    fn applies_by_kind() {
        let object = json!({"a": {"b": 1}});
        let merge = json!({"a": {"c": 2}});
        let merged = json!({"a": {"b": 1, "c": 2}});
        assert_eq!(Patch::Merge(merge.clone()).apply_to(&object, None), Ok(merged.clone()));
        assert_eq!(Patch::Strategic(merge.clone()).apply_to(&object, Some(&NOTHING)), Ok(merged.clone()));
        assert_eq!(Patch::Strategic(merge.clone()).apply_to(&object, None), Err(PatchError::NoSchema));
        assert_eq!(Patch::from(JsonPatch::diff(&object, &merged)).apply_to(&object, None), Ok(merged));
        assert_eq!(Patch::apply(merge).apply_to(&object, None), Err(PatchError::ServerSideApply));
    }

    #[test]
    fn debug_shows_no_content() {
        let text = format!("{:?}", Patch::Merge(json!({"data": {"token": "hunter2"}})));
        assert_eq!(text, "Merge(28 bytes)");
    }
}
