// Made by `cargo xtask codegen` from schema: change those, not this.
use super::RollingUpdateStatefulSetStrategy;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `StatefulSetUpdateStrategy` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetUpdateStrategy {
    /// `type`: optional. Known values: `OnDelete`, `RollingUpdate`.
    pub type_: Str,
    /// `rollingUpdate`: optional.
    pub rolling_update: Option<Shared<RollingUpdateStatefulSetStrategy>>,
}

impl StatefulSetUpdateStrategy {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, rolling_update: None };
}

client_rs_machinery::message!(StatefulSetUpdateStrategy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetUpdateStrategy",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("rollingUpdate", Flags::OMIT_EMPTY).of::<RollingUpdateStatefulSetStrategy>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for StatefulSetUpdateStrategy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::optional(&self.rolling_update),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::optional(&mut self.rolling_update),
            _ => FieldMut::NONE,
        }
    }
}
