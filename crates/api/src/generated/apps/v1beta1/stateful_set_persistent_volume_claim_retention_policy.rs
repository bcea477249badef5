// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `StatefulSetPersistentVolumeClaimRetentionPolicy` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetPersistentVolumeClaimRetentionPolicy {
    /// `whenDeleted`: optional. Known values: `Delete`, `Retain`.
    pub when_deleted: Str,
    /// `whenScaled`: optional. Known values: `Delete`, `Retain`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.when_deleted),
            1 => FieldRef::value(&self.when_scaled),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.when_deleted),
            1 => FieldMut::value(&mut self.when_scaled),
            _ => FieldMut::NONE,
        }
    }
}
