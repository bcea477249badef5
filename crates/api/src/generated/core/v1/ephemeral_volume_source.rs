// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PersistentVolumeClaimTemplate;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EphemeralVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ephemeralvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EphemeralVolumeSource {
    /// [`volumeClaimTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ephemeralvolumesource-v1-core): optional.
    pub volume_claim_template: Option<Shared<PersistentVolumeClaimTemplate>>,
}

impl EphemeralVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { volume_claim_template: None };
}

client_rs_machinery::message!(EphemeralVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EphemeralVolumeSource",
    type_meta: None,
    fields: &[Field::new("volumeClaimTemplate", Flags::OMIT_EMPTY).of::<PersistentVolumeClaimTemplate>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for EphemeralVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.volume_claim_template),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.volume_claim_template),
            _ => FieldMut::NONE,
        }
    }
}
