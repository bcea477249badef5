//! One definition with several versions.

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_machinery::Str;

/// The reason why definitions can't be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The list of definitions is empty.
    #[error("there is no definition to merge")]
    Nothing,
    /// They are of different kinds, or their names or scopes differ.
    #[error("{name} is not a version of {of}: they differ in {field}")]
    Different {
        /// The definition.
        name: Str,
        /// The first one.
        of: Str,
        /// The field that differs.
        field: &'static str,
    },
    /// Two definitions have the same version.
    #[error("two definitions have the version {0}")]
    Twice(Str),
    /// No definition has the storage version.
    #[error("no definition has the storage version {0}")]
    NoStorage(Str),
}

/// Merges definitions of one kind into one with all of their versions. Objects are stored in the version `storage`.
///
/// Names and categories come from the first definition; labels and annotations of all are kept. Versions keep their order.
/// The conversion strategy is `None`, which only changes `apiVersion`. Set another one if the schemas differ, with a webhook
/// of `Conversions`.
///
/// # Errors
///
/// [`MergeError`] if they are not versions of one kind.
///
/// ```
/// use client_rs_custom::crds;
///
/// mod v1beta1 {
///     # use client_rs_custom::{CustomResource, Schema};
///     # use serde::{Deserialize, Serialize};
///     #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
///     #[resource(group = "example.com", version = "v1beta1", kind = "Site")]
///     # #[resource(crate = client_rs_custom)]
///     # #[schema(crate = client_rs_custom)]
///     pub struct SiteSpec {}
/// }
/// mod v1 {
///     # use client_rs_custom::{CustomResource, Schema};
///     # use serde::{Deserialize, Serialize};
///     #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
///     #[resource(group = "example.com", version = "v1", kind = "Site")]
///     # #[resource(crate = client_rs_custom)]
///     # #[schema(crate = client_rs_custom)]
///     pub struct SiteSpec {}
/// }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let merged = crds::merge([v1beta1::Site::crd(), v1::Site::crd()], "v1")?;
/// let versions: Vec<_> = merged.spec.versions.iter().map(|v| (v.name.as_str(), v.storage)).collect();
/// assert_eq!(versions, [("v1beta1", false), ("v1", true)]);
/// # Ok(())
/// # }
/// ```
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
