// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PersistentVolumeClaimSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PersistentVolumeClaimTemplate](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimtemplate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeClaimTemplate {
    pub metadata: ObjectMeta,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.spec,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.spec,
            _ => return None,
        })
    }
}
