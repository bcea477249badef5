//! What every Kubernetes object has, whatever its Rust type.

use std::fmt;

use crate::collections::map;
use crate::meta::v1::{
    ListMeta, ObjectMeta, OwnerReference, PartialObjectMetadata, PartialObjectMetadataList,
};
use crate::meta::v1beta1::PartialObjectMetadataList as BetaPartialObjectMetadataList;
use crate::{ObjectKey, Str, Time};

/// A Kubernetes object: it has a kind and metadata.
///
/// The accessors borrow and never copy. They speak of texts and times, never of our own `ObjectMeta`, so
/// that types of other crates, dynamic objects and views on wire bytes are objects too. An absent text is
/// `""`, as on the wire.
pub trait Object: Send + Sync + 'static {
    /// The metadata.
    fn meta(&self) -> &dyn Metadata;
    /// What `apiVersion` says, such as `apps/v1`.
    fn api_version(&self) -> &str;
    /// What `kind` says, such as `Deployment`.
    fn kind(&self) -> &str;

    /// The name.
    fn name(&self) -> &str {
        self.meta().name()
    }

    /// The namespace; `""` for a cluster-scoped object.
    fn namespace(&self) -> &str {
        self.meta().namespace()
    }

    /// Namespace and name. Kinds whose metadata is our own `ObjectMeta` share their texts with the key.
    fn key(&self) -> ObjectKey {
        self.meta().key()
    }

    /// The server's identity of this very object; another one of the same name has another.
    fn uid(&self) -> &str {
        self.meta().uid()
    }

    /// The version of the object. Opaque: only equality means something across servers.
    fn resource_version(&self) -> &str {
        self.meta().resource_version()
    }

    /// A label's value.
    fn label(&self, key: &str) -> Option<&str> {
        self.meta().label(key)
    }

    /// An annotation's value.
    fn annotation(&self, key: &str) -> Option<&str> {
        self.meta().annotation(key)
    }

    /// Whether deletion has been asked for and finalizers or a grace period still hold the object.
    fn is_being_deleted(&self) -> bool {
        self.meta().deletion_timestamp().is_some()
    }

    /// The owner that manages this object, if one does.
    fn controller(&self) -> Option<OwnerRef<'_>> {
        self.meta().owner_references().find(|owner| owner.controller)
    }
}

/// The metadata of an object, borrowed.
pub trait Metadata {
    /// The name.
    fn name(&self) -> &str;
    /// The prefix from which the server makes a name.
    fn generate_name(&self) -> &str;
    /// The namespace; `""` for a cluster-scoped object.
    fn namespace(&self) -> &str;
    /// The server's identity of this very object.
    fn uid(&self) -> &str;
    /// The version of the object.
    fn resource_version(&self) -> &str;
    /// How often the desired state has changed.
    fn generation(&self) -> i64;
    /// When the object was created.
    fn creation_timestamp(&self) -> Option<Time>;
    /// When deletion was asked for, plus the grace period.
    fn deletion_timestamp(&self) -> Option<Time>;
    /// A label's value.
    fn label(&self, key: &str) -> Option<&str>;
    /// All labels, sorted by key.
    fn labels(&self) -> Pairs<'_>;
    /// An annotation's value.
    fn annotation(&self, key: &str) -> Option<&str>;
    /// All annotations, sorted by key.
    fn annotations(&self) -> Pairs<'_>;
    /// The finalizers that hold the object when it is deleted.
    fn finalizers(&self) -> Box<dyn Iterator<Item = &str> + '_>;
    /// The objects that this one depends on.
    fn owner_references(&self) -> Box<dyn Iterator<Item = OwnerRef<'_>> + '_>;

    /// Namespace and name. Copies both texts; metadata that holds them as [`Str`] shares them instead.
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
    /// Pairs from elsewhere than our own maps, sorted by key.
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

/// An object that another one depends on, borrowed.
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

/// A list of objects, as a list call gives it.
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

// The kinds of `meta` are objects here and not where they are generated: this module knows theirs, and they do not know it.
object!(PartialObjectMetadata, "meta.k8s.io/v1", "PartialObjectMetadata");
object_list!(PartialObjectMetadataList, PartialObjectMetadata);
object_list!(BetaPartialObjectMetadataList, PartialObjectMetadata);
