// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::IntOrString;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `RollingUpdateStatefulSetStrategy` of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct RollingUpdateStatefulSetStrategy {
    /// `partition`: optional. Defaults to `0`.
    pub partition: Option<i32>,
    /// `maxUnavailable`: optional. Defaults to `1`. Feature gate `MaxUnavailableStatefulSet`.
    pub max_unavailable: Option<IntOrString>,
}

impl RollingUpdateStatefulSetStrategy {
    /// Every field empty.
    pub const EMPTY: Self = Self { partition: None, max_unavailable: None };
}

client_rs_machinery::message!(RollingUpdateStatefulSetStrategy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RollingUpdateStatefulSetStrategy",
    type_meta: None,
    fields: &[Field::new("partition", Flags::OMIT_EMPTY), Field::new("maxUnavailable", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for RollingUpdateStatefulSetStrategy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.partition),
            1 => FieldRef::value(&self.max_unavailable),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.partition),
            1 => FieldMut::value(&mut self.max_unavailable),
            _ => FieldMut::NONE,
        }
    }
}
