// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::GroupResource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`StorageVersionMigrationSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigrationspec-v1-storagemigration-k8s-io) of `storagemigration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionMigrationSpec {
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigrationspec-v1-storagemigration-k8s-io): required, immutable.
    pub resource: GroupResource,
}

impl StorageVersionMigrationSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource: GroupResource::EMPTY };
}

client_rs_machinery::message!(StorageVersionMigrationSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionMigrationSpec",
    type_meta: None,
    fields: &[Field::new("resource", Flags::NONE).of::<GroupResource>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for StorageVersionMigrationSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.resource),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.resource),
            _ => FieldMut::NONE,
        }
    }
}
