//! The parts that every Kubernetes object has, for any Rust type.

use std::fmt;

use crate::collections::map;
use crate::meta::v1::{
    ListMeta, ObjectMeta, OwnerReference, PartialObjectMetadata, PartialObjectMetadataList,
};
use crate::meta::v1beta1::PartialObjectMetadataList as BetaPartialObjectMetadataList;
use crate::{ObjectKey, Str, Time};

/// A Kubernetes object: it has a kind and metadata.
///
/// Generic code takes `&impl Object` or `&dyn Object` to work with every kind: built-in types, custom resources, and
/// [`Unstructured`](crate::Unstructured).
///
/// ```
/// use client_rs_machinery::{Object, meta::v1::{ObjectMeta, PartialObjectMetadata}};
///
/// fn describe(object: &dyn Object) -> String {
///     format!("{} {} at version {}", object.kind(), object.key(), object.resource_version())
/// }
///
/// let object = PartialObjectMetadata {
///     metadata: ObjectMeta {
///         name: "web".into(),
///         namespace: "shop".into(),
///         resource_version: "42".into(),
///         ..ObjectMeta::default()
///     },
/// };
/// assert_eq!(describe(&object), "PartialObjectMetadata shop/web at version 42");
/// assert!(!object.is_being_deleted());
/// ```
///
/// The accessors borrow and never copy. They return texts and times, not our own `ObjectMeta`, so that types of other
/// crates, dynamic objects and views of wire bytes can implement the trait. An absent text is `""`, as on the wire.
pub trait Object: Send + Sync + 'static {
    /// Returns the metadata.
    fn meta(&self) -> &dyn Metadata;
    /// Returns `apiVersion`, such as `apps/v1`.
    fn api_version(&self) -> &str;
    /// Returns `kind`, such as `Deployment`.
    fn kind(&self) -> &str;

    /// Returns the name.
    fn name(&self) -> &str {
        self.meta().name()
    }

    /// Returns the namespace; `""` for a cluster-scoped object.
    fn namespace(&self) -> &str {
        self.meta().namespace()
    }

    /// Returns the namespace and name. For kinds whose metadata is our own `ObjectMeta`, the key shares their texts.
    fn key(&self) -> ObjectKey {
        self.meta().key()
    }

    /// Returns the unique identity that the server gave this object. A later object with the same name has another
    /// one.
    fn uid(&self) -> &str {
        self.meta().uid()
    }

    /// Returns the version of the object. It is opaque: compare it for equality only.
    fn resource_version(&self) -> &str {
        self.meta().resource_version()
    }

    /// Returns the value of a label.
    fn label(&self, key: &str) -> Option<&str> {
        self.meta().label(key)
    }

    /// Returns the value of an annotation.
    fn annotation(&self, key: &str) -> Option<&str> {
        self.meta().annotation(key)
    }

    /// Whether the object is marked for deletion, while finalizers or a grace period still keep it.
    fn is_being_deleted(&self) -> bool {
        self.meta().deletion_timestamp().is_some()
    }

    /// Returns the owner that manages this object, if it has one.
    fn controller(&self) -> Option<OwnerRef<'_>> {
        self.meta().owner_references().find(|owner| owner.controller)
    }
}

/// The metadata of an object, borrowed.
pub trait Metadata {
    /// Returns the name.
    fn name(&self) -> &str;
    /// Returns the prefix from which the server generates a name.
    fn generate_name(&self) -> &str;
    /// Returns the namespace; `""` for a cluster-scoped object.
    fn namespace(&self) -> &str;
    /// Returns the unique identity that the server gave this object.
    fn uid(&self) -> &str;
    /// Returns the version of the object.
    fn resource_version(&self) -> &str;
    /// Returns the number of changes of the desired state so far.
    fn generation(&self) -> i64;
    /// Returns when the object was created.
    fn creation_timestamp(&self) -> Option<Time>;
    /// Returns when the object is due to be deleted: the time of the request plus the grace period.
    fn deletion_timestamp(&self) -> Option<Time>;
    /// Returns the value of a label.
    fn label(&self, key: &str) -> Option<&str>;
    /// Returns all labels, sorted by key.
    fn labels(&self) -> Pairs<'_>;
    /// Returns the value of an annotation.
    fn annotation(&self, key: &str) -> Option<&str>;
    /// Returns all annotations, sorted by key.
    fn annotations(&self) -> Pairs<'_>;
    /// Returns the finalizers that keep the object while it is being deleted.
    fn finalizers(&self) -> Box<dyn Iterator<Item = &str> + '_>;
    /// Returns the owners of this object.
    fn owner_references(&self) -> Box<dyn Iterator<Item = OwnerRef<'_>> + '_>;

    /// Returns the field managers of the object, each with the time of its last write, if that is known. Default: none, for a type
    /// without managed fields.
    fn field_managers(&self) -> Box<dyn Iterator<Item = (Str, Option<Time>)> + '_> {
        Box::new(std::iter::empty())
    }

    /// Returns the metadata as our own type, if it is that: comparing two of them is cheap. Default: `None`.
    fn as_object_meta(&self) -> Option<&ObjectMeta> {
        None
    }

    /// Returns the namespace and name. Copies both texts; metadata that holds them as [`Str`] shares them instead.
    fn key(&self) -> ObjectKey {
        ObjectKey::new(self.namespace(), self.name())
    }
}

/// Keys and values, sorted by key, borrowed from an object.
pub struct Pairs<'a>(Source<'a>);

enum Source<'a> {
    Map(map::Iter<'a, Str>),
    Other(Box<dyn Iterator<Item = (&'a str, &'a str)> + 'a>),
}

impl<'a> Pairs<'a> {
    /// Creates pairs from another source than our own maps. They must be sorted by key.
    pub fn from_sorted(pairs: impl Iterator<Item = (&'a str, &'a str)> + 'a) -> Self {
        Self(Source::Other(Box::new(pairs)))
    }
}

impl<'a> From<&'a crate::Map<Str>> for Pairs<'a> {
    fn from(map: &'a crate::Map<Str>) -> Self {
        Self(Source::Map(map.iter()))
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Map(pairs) => pairs.next().map(|(key, value)| (key.as_str(), value.as_str())),
            Source::Other(pairs) => pairs.next(),
        }
    }
}

impl fmt::Debug for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pairs")
    }
}

/// An owner of an object, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerRef<'a> {
    /// The owner's `apiVersion`.
    pub api_version: &'a str,
    /// The owner's kind.
    pub kind: &'a str,
    /// The owner's name; it is in the same namespace, or cluster-scoped.
    pub name: &'a str,
    /// The owner's UID.
    pub uid: &'a str,
    /// Whether the owner manages the object. At most one does.
    pub controller: bool,
    /// Whether the owner's foreground deletion waits for the object.
    pub block_owner_deletion: bool,
}

/// A list of objects, the result of a list request.
pub trait ObjectList {
    /// The kind of the items.
    type Item: Object;

    /// The items.
    fn items(&self) -> &[Self::Item];
    /// The list's own metadata.
    fn list_meta(&self) -> &ListMeta;
}

impl Metadata for ObjectMeta {
    fn name(&self) -> &str {
        &self.name
    }

    fn generate_name(&self) -> &str {
        &self.generate_name
    }

    fn namespace(&self) -> &str {
        &self.namespace
    }

    fn uid(&self) -> &str {
        &self.uid
    }

    fn resource_version(&self) -> &str {
        &self.resource_version
    }

    fn generation(&self) -> i64 {
        self.generation
    }

    fn creation_timestamp(&self) -> Option<Time> {
        self.creation_timestamp
    }

    fn deletion_timestamp(&self) -> Option<Time> {
        self.deletion_timestamp
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.labels.get(key).map(Str::as_str)
    }

    fn labels(&self) -> Pairs<'_> {
        (&self.labels).into()
    }

    fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.get(key).map(Str::as_str)
    }

    fn annotations(&self) -> Pairs<'_> {
        (&self.annotations).into()
    }

    fn finalizers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.finalizers.iter().map(Str::as_str))
    }

    fn owner_references(&self) -> Box<dyn Iterator<Item = OwnerRef<'_>> + '_> {
        Box::new(self.owner_references.iter().map(OwnerRef::from))
    }

    fn field_managers(&self) -> Box<dyn Iterator<Item = (Str, Option<Time>)> + '_> {
        Box::new(self.managed_fields.iter().map(|entry| (entry.manager.clone(), entry.time)))
    }

    fn as_object_meta(&self) -> Option<&ObjectMeta> {
        Some(self)
    }

    fn key(&self) -> ObjectKey {
        ObjectKey { namespace: self.namespace.clone(), name: self.name.clone() }
    }
}

impl<'a> From<&'a OwnerReference> for OwnerRef<'a> {
    fn from(owner: &'a OwnerReference) -> Self {
        Self {
            api_version: &owner.api_version,
            kind: &owner.kind,
            name: &owner.name,
            uid: &owner.uid,
            controller: owner.controller == Some(true),
            block_owner_deletion: owner.block_owner_deletion == Some(true),
        }
    }
}

/// Implements [`Object`] for a generated kind with a field `metadata: ObjectMeta`.
#[macro_export]
macro_rules! object {
    ($name:ident, $api_version:literal, $kind:literal) => {
        impl $crate::Object for $name {
            #[inline]
            fn meta(&self) -> &dyn $crate::Metadata {
                &self.metadata
            }

            #[inline]
            fn api_version(&self) -> &str {
                $api_version
            }

            #[inline]
            fn kind(&self) -> &str {
                $kind
            }
        }
    };
}

/// Implements [`ObjectList`] for a generated list kind.
#[macro_export]
macro_rules! object_list {
    ($name:ident, $item:ty) => {
        impl $crate::ObjectList for $name {
            type Item = $item;

            #[inline]
            fn items(&self) -> &[$item] {
                &self.items
            }

            #[inline]
            fn list_meta(&self) -> &$crate::meta::v1::ListMeta {
                &self.metadata
            }
        }
    };
}

// The kinds of `meta` implement the trait here, not where they are generated: the generated module does not depend on
// this one.
object!(PartialObjectMetadata, "meta.k8s.io/v1", "PartialObjectMetadata");
object_list!(PartialObjectMetadataList, PartialObjectMetadata);
object_list!(BetaPartialObjectMetadataList, PartialObjectMetadata);
