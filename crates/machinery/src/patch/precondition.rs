//! Fields that a created patch must not change.

use crate::{Json, Str};

/// A condition on a patch that is being created: a key that it must not change.
///
/// The condition fails if the patch contains the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// A key of the object itself, such as `kind`.
    KeyUnchanged(Str),
    /// A key of the object's `metadata`, such as `name`.
    MetadataKeyUnchanged(Str),
}

/// A patch would change a field that a [`Precondition`] protects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the patch would change {key}")]
pub struct PreconditionFailed {
    /// The key, such as `metadata.name`.
    pub key: String,
}

impl Precondition {
    /// The object's `apiVersion`, `kind`, `name` and `namespace` must stay. For clients that update an object that
    /// they have read.
    pub fn same_object() -> [Self; 4] {
        [
            Self::KeyUnchanged("apiVersion".into()),
            Self::KeyUnchanged("kind".into()),
            Self::MetadataKeyUnchanged("name".into()),
            Self::MetadataKeyUnchanged("namespace".into()),
        ]
    }

    fn check(&self, patch: &Json) -> Result<(), PreconditionFailed> {
        let (found, key) = match self {
            Self::KeyUnchanged(key) => (patch.get(key.as_str()), key.to_string()),
            Self::MetadataKeyUnchanged(key) => {
                (patch.path(&["metadata", key.as_str()]), ["metadata", key.as_str()].join("."))
            }
        };
        if found.is_some() { Err(PreconditionFailed { key }) } else { Ok(()) }
    }
}

/// Fails if a patch changes a field that one of them protects.
pub(super) fn check_all(preconditions: &[Precondition], patch: &Json) -> Result<(), PreconditionFailed> {
    preconditions.iter().try_for_each(|precondition| precondition.check(patch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_key_in_the_patch_fails() {
        let all = Precondition::same_object();
        assert_eq!(check_all(&all, &json!({"spec": {"name": "x"}, "metadata": {"labels": {}}})), Ok(()));
        for (patch, key) in [
            (json!({"kind": "Pod"}), "kind"),
            (json!({"apiVersion": null}), "apiVersion"),
            (json!({"metadata": {"name": "x"}}), "metadata.name"),
            (json!({"metadata": {"namespace": null}}), "metadata.namespace"),
        ] {
            assert_eq!(check_all(&all, &patch).unwrap_err().key, key);
        }
        // Without an object there is no key.
        assert_eq!(check_all(&all, &json!({"metadata": null})), Ok(()));
        assert_eq!(check_all(&all, &json!([])), Ok(()));
    }
}
