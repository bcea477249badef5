// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::IntOrString;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `RollingUpdateDaemonSet` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct RollingUpdateDaemonSet {
    /// `maxUnavailable`: optional.
    pub max_unavailable: Option<IntOrString>,
    /// `maxSurge`: optional. Defaults to `0`.
    pub max_surge: Option<IntOrString>,
}

impl RollingUpdateDaemonSet {
    /// Every field empty.
    pub const EMPTY: Self = Self { max_unavailable: None, max_surge: None };
}

client_rs_machinery::message!(RollingUpdateDaemonSet, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RollingUpdateDaemonSet",
    type_meta: None,
    fields: &[Field::new("maxUnavailable", Flags::OMIT_EMPTY), Field::new("maxSurge", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for RollingUpdateDaemonSet {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.max_unavailable),
            1 => FieldRef::value(&self.max_surge),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.max_unavailable),
            1 => FieldMut::value(&mut self.max_surge),
            _ => FieldMut::NONE,
        }
    }
}
