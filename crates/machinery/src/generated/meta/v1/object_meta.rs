// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ManagedFieldsEntry;
use super::OwnerReference;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Map, Str, Time};

/// [`ObjectMeta`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectMeta {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, immutable.
    pub name: Str,
    /// [`generateName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional.
    pub generate_name: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, immutable.
    pub namespace: Str,
    /// [`selfLink`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, deprecated.
    pub self_link: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system, immutable.
    pub uid: Str,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system.
    pub resource_version: Str,
    /// [`generation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system. At least 0.
    pub generation: i64,
    /// [`creationTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system, immutable.
    pub creation_timestamp: Option<Time>,
    /// [`deletionTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system, immutable.
    pub deletion_timestamp: Option<Time>,
    /// [`deletionGracePeriodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional, set by the system, immutable.
    pub deletion_grace_period_seconds: Option<i64>,
    /// [`labels`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional.
    pub labels: Map<Str>,
    /// [`annotations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional.
    pub annotations: Map<Str>,
    /// [`ownerReferences`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional. Apply and strategic merge patch merge entries by `uid`.
    pub owner_references: List<OwnerReference>,
    /// [`finalizers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional. Apply and strategic merge patch merge entries.
    pub finalizers: List<Str>,
    /// [`managedFields`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta): optional. Apply replaces the list.
    pub managed_fields: List<ManagedFieldsEntry>,
}

impl ObjectMeta {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        generate_name: Str::EMPTY,
        namespace: Str::EMPTY,
        self_link: Str::EMPTY,
        uid: Str::EMPTY,
        resource_version: Str::EMPTY,
        generation: 0,
        creation_timestamp: None,
        deletion_timestamp: None,
        deletion_grace_period_seconds: None,
        labels: Map::EMPTY,
        annotations: Map::EMPTY,
        owner_references: List::EMPTY,
        finalizers: List::EMPTY,
        managed_fields: List::EMPTY,
    };
}

crate::message!(ObjectMeta, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectMeta",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("generateName", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("selfLink", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("generation", Flags::OMIT_EMPTY),
        Field::new("creationTimestamp", Flags::OMIT_ZERO),
        Field::new("deletionTimestamp", Flags::OMIT_EMPTY),
        Field::new("deletionGracePeriodSeconds", Flags::OMIT_EMPTY),
        Field::new("labels", Flags::OMIT_EMPTY),
        Field::new("annotations", Flags::OMIT_EMPTY),
        Field::new("ownerReferences", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<OwnerReference>()
            .merged_by("uid"),
        Field::new("finalizers", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)),
        Field::new("managedFields", Flags::OMIT_EMPTY.and(Flags::MANAGED_FIELDS)).of::<ManagedFieldsEntry>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::always(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(17, 14),
    ],
};

impl Fields for ObjectMeta {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.generate_name),
            2 => FieldRef::value(&self.namespace),
            3 => FieldRef::value(&self.self_link),
            4 => FieldRef::value(&self.uid),
            5 => FieldRef::value(&self.resource_version),
            6 => FieldRef::value(&self.generation),
            7 => FieldRef::value(&self.creation_timestamp),
            8 => FieldRef::value(&self.deletion_timestamp),
            9 => FieldRef::value(&self.deletion_grace_period_seconds),
            10 => FieldRef::value(&self.labels),
            11 => FieldRef::value(&self.annotations),
            12 => FieldRef::list(&self.owner_references),
            13 => FieldRef::value(&self.finalizers),
            14 => FieldRef::list(&self.managed_fields),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.generate_name),
            2 => FieldMut::value(&mut self.namespace),
            3 => FieldMut::value(&mut self.self_link),
            4 => FieldMut::value(&mut self.uid),
            5 => FieldMut::value(&mut self.resource_version),
            6 => FieldMut::value(&mut self.generation),
            7 => FieldMut::value(&mut self.creation_timestamp),
            8 => FieldMut::value(&mut self.deletion_timestamp),
            9 => FieldMut::value(&mut self.deletion_grace_period_seconds),
            10 => FieldMut::value(&mut self.labels),
            11 => FieldMut::value(&mut self.annotations),
            12 => FieldMut::list(&mut self.owner_references),
            13 => FieldMut::value(&mut self.finalizers),
            14 => FieldMut::list(&mut self.managed_fields),
            _ => FieldMut::NONE,
        }
    }
}
