// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PersistentVolumeClaimSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PersistentVolumeClaimTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimtemplate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeClaimTemplate {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimtemplate-v1-core): optional.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimtemplate-v1-core): required.
    pub spec: Shared<PersistentVolumeClaimSpec>,
}

impl PersistentVolumeClaimTemplate {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(PersistentVolumeClaimTemplate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeClaimTemplate",
    type_meta: None,
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<PersistentVolumeClaimSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PersistentVolumeClaimTemplate {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}
