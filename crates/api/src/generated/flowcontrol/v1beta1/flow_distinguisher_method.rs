// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `FlowDistinguisherMethod` of `flowcontrol.apiserver.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct FlowDistinguisherMethod {
    /// `type`: required. Known values: `ByNamespace`, `ByUser`.
    pub type_: Str,
}

impl FlowDistinguisherMethod {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY };
}

client_rs_machinery::message!(FlowDistinguisherMethod, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlowDistinguisherMethod",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for FlowDistinguisherMethod {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            _ => FieldMut::NONE,
        }
    }
}
