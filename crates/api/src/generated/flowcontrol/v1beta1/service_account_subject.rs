// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ServiceAccountSubject` of `flowcontrol.apiserver.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ServiceAccountSubject {
    /// `namespace`: required.
    pub namespace: Str,
    /// `name`: required.
    pub name: Str,
}

impl ServiceAccountSubject {
    /// Every field empty.
    pub const EMPTY: Self = Self { namespace: Str::EMPTY, name: Str::EMPTY };
}

client_rs_machinery::message!(ServiceAccountSubject, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceAccountSubject",
    type_meta: None,
    fields: &[Field::new("namespace", Flags::NONE), Field::new("name", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ServiceAccountSubject {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.namespace),
            1 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.namespace),
            1 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
