// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ManagedFieldsEntry;
use super::OwnerReference;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use crate::{List, Map, Str, Time};

/// [ObjectMeta](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmeta-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectMeta {
    pub name: Str,
    pub generate_name: Str,
    pub namespace: Str,
    pub self_link: Str,
    pub uid: Str,
    pub resource_version: Str,
    pub generation: i64,
    pub creation_timestamp: Option<Time>,
    pub deletion_timestamp: Option<Time>,
    pub deletion_grace_period_seconds: Option<i64>,
    pub labels: Map<Str>,
    pub annotations: Map<Str>,
    pub owner_references: List<OwnerReference>,
    pub finalizers: List<Str>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.generate_name,
            2 => &self.namespace,
            3 => &self.self_link,
            4 => &self.uid,
            5 => &self.resource_version,
            6 => &self.generation,
            7 => &self.creation_timestamp,
            8 => &self.deletion_timestamp,
            9 => &self.deletion_grace_period_seconds,
            10 => &self.labels,
            11 => &self.annotations,
            12 => &self.owner_references,
            13 => &self.finalizers,
            14 => &self.managed_fields,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.generate_name,
            2 => &mut self.namespace,
            3 => &mut self.self_link,
            4 => &mut self.uid,
            5 => &mut self.resource_version,
            6 => &mut self.generation,
            7 => &mut self.creation_timestamp,
            8 => &mut self.deletion_timestamp,
            9 => &mut self.deletion_grace_period_seconds,
            10 => &mut self.labels,
            11 => &mut self.annotations,
            12 => &mut self.owner_references,
            13 => &mut self.finalizers,
            14 => &mut self.managed_fields,
            _ => return None,
        })
    }
}
