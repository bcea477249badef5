// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [StatefulSetPersistentVolumeClaimRetentionPolicy](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetpersistentvolumeclaimretentionpolicy-v1beta2-apps) of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetPersistentVolumeClaimRetentionPolicy {
    pub when_deleted: Str,
    pub when_scaled: Str,
}

impl StatefulSetPersistentVolumeClaimRetentionPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { when_deleted: Str::EMPTY, when_scaled: Str::EMPTY };
}

client_rs_machinery::message!(StatefulSetPersistentVolumeClaimRetentionPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetPersistentVolumeClaimRetentionPolicy",
    type_meta: None,
    fields: &[Field::new("whenDeleted", Flags::OMIT_EMPTY), Field::new("whenScaled", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for StatefulSetPersistentVolumeClaimRetentionPolicy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.when_deleted,
            1 => &self.when_scaled,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.when_deleted,
            1 => &mut self.when_scaled,
            _ => return None,
        })
    }
}
