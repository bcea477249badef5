//! One definition of several versions.

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_machinery::Str;

/// Why definitions are not versions of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is none.
    #[error("there is no definition to merge")]
    Nothing,
    /// They are of different kinds, or disagree about names or scope.
    #[error("{name} is not a version of {of}: they differ in {field}")]
    Different {
        /// The definition.
        name: Str,
        /// The first one.
        of: Str,
        /// What differs.
        field: &'static str,
    },
    /// One version is there twice.
    #[error("version {0} is there twice")]
    Twice(Str),
    /// The version to be stored is not there.
    #[error("there is no version {0} to be stored")]
    NoStorage(Str),
}

/// One definition of all the versions of the given ones; objects are stored in `storage`.
///
/// What they share (names, categories) is the first one's; labels and annotations of all are kept. Versions keep their order.
/// Conversion is none unless the caller sets it: then versions differ in their schemas alone.
pub fn merge(
    definitions: impl IntoIterator<Item = CustomResourceDefinition>,
    storage: &str,
) -> Result<CustomResourceDefinition, MergeError> {
    let mut definitions = definitions.into_iter();
    let mut merged = definitions.next().ok_or(MergeError::Nothing)?;
    for other in definitions {
        let (one, two) = (&merged.spec, &other.spec);
        let field = match () {
            () if one.group != two.group => Some("group"),
            () if one.names.kind != two.names.kind => Some("kind"),
            () if one.names.plural != two.names.plural => Some("plural"),
            () if one.scope != two.scope => Some("scope"),
            () => None,
        };
        if let Some(field) = field {
            return Err(MergeError::Different { name: other.metadata.name, of: merged.metadata.name, field });
        }
        for version in &two.versions {
            if one.versions.iter().any(|known| known.name == version.name) {
                return Err(MergeError::Twice(version.name.clone()));
            }
        }
        let versions = two.versions.clone();
        versions.iter().for_each(|version| merged.spec.versions.push(version.clone()));
        for (key, value) in &other.metadata.labels {
            merged.metadata.labels.insert(key.clone(), value.clone());
        }
        for (key, value) in &other.metadata.annotations {
            merged.metadata.annotations.insert(key.clone(), value.clone());
        }
    }
    if !merged.spec.versions.iter().any(|version| version.name == storage) {
        return Err(MergeError::NoStorage(storage.into()));
    }
    for version in merged.spec.versions.make_mut() {
        version.storage = version.name == storage;
    }
    Ok(merged)
}
