// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ExemptPriorityLevelConfiguration;
use super::LimitedPriorityLevelConfiguration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `PriorityLevelConfigurationSpec` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct PriorityLevelConfigurationSpec {
    /// `type`: required. Known values: `Exempt`, `Limited`.
    pub type_: Str,
    /// `limited`: optional.
    pub limited: Option<Shared<LimitedPriorityLevelConfiguration>>,
    /// `exempt`: optional.
    pub exempt: Option<Shared<ExemptPriorityLevelConfiguration>>,
}

impl PriorityLevelConfigurationSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, limited: None, exempt: None };
}

client_rs_machinery::message!(PriorityLevelConfigurationSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityLevelConfigurationSpec",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("limited", Flags::OMIT_EMPTY).of::<LimitedPriorityLevelConfiguration>(),
        Field::new("exempt", Flags::OMIT_EMPTY).of::<ExemptPriorityLevelConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PriorityLevelConfigurationSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::optional(&self.limited),
            2 => FieldRef::optional(&self.exempt),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::optional(&mut self.limited),
            2 => FieldMut::optional(&mut self.exempt),
            _ => FieldMut::NONE,
        }
    }
}
