// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StorageHealth;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `CSINodeStatus` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CSINodeStatus {
    /// `storageHealth`: optional. Apply and strategic merge patch merge entries by `name`. Feature gate `CSIVolumeHealth`.
    pub storage_health: List<StorageHealth>,
}

impl CSINodeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { storage_health: List::EMPTY };
}

client_rs_machinery::message!(CSINodeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSINodeStatus",
    type_meta: None,
    fields: &[Field::new("storageHealth", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
        .of::<StorageHealth>()
        .merged_by("name")],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CSINodeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.storage_health),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.storage_health),
            _ => FieldMut::NONE,
        }
    }
}
