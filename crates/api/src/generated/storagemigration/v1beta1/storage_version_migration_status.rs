// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`StorageVersionMigrationStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigrationstatus-v1beta1-storagemigration-k8s-io) of `storagemigration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionMigrationStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigrationstatus-v1beta1-storagemigration-k8s-io): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigrationstatus-v1beta1-storagemigration-k8s-io): optional.
    pub resource_version: Str,
}

impl StorageVersionMigrationStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY, resource_version: Str::EMPTY };
}

client_rs_machinery::message!(StorageVersionMigrationStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionMigrationStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for StorageVersionMigrationStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.resource_version),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.resource_version),
            _ => FieldMut::NONE,
        }
    }
}
