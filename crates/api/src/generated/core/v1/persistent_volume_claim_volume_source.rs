// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PersistentVolumeClaimVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeClaimVolumeSource {
    /// [`claimName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimvolumesource-v1-core): required.
    pub claim_name: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimvolumesource-v1-core): optional.
    pub read_only: bool,
}

impl PersistentVolumeClaimVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { claim_name: Str::EMPTY, read_only: false };
}

client_rs_machinery::message!(PersistentVolumeClaimVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeClaimVolumeSource",
    type_meta: None,
    fields: &[Field::new("claimName", Flags::NONE), Field::new("readOnly", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PersistentVolumeClaimVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.claim_name),
            1 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.claim_name),
            1 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
