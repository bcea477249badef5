// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CSINodeDriver;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CSINodeSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodespec-v1-storage-k8s-io) of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CSINodeSpec {
    /// [`drivers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodespec-v1-storage-k8s-io): required. Apply and strategic merge patch merge entries by `name`.
    pub drivers: List<CSINodeDriver>,
}

impl CSINodeSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { drivers: List::EMPTY };
}

client_rs_machinery::message!(CSINodeSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSINodeSpec",
    type_meta: None,
    fields: &[Field::new("drivers", Flags::PATCH_MERGE).of::<CSINodeDriver>().merged_by("name")],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CSINodeSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.drivers),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.drivers),
            _ => FieldMut::NONE,
        }
    }
}
