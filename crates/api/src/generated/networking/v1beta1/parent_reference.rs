// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ParentReference` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ParentReference {
    /// `group`: optional.
    pub group: Str,
    /// `resource`: required.
    pub resource: Str,
    /// `namespace`: optional.
    pub namespace: Str,
    /// `name`: required.
    pub name: Str,
}

impl ParentReference {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { group: Str::EMPTY, resource: Str::EMPTY, namespace: Str::EMPTY, name: Str::EMPTY };
}

client_rs_machinery::message!(ParentReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ParentReference",
    type_meta: None,
    fields: &[
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ParentReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group),
            1 => FieldRef::value(&self.resource),
            2 => FieldRef::value(&self.namespace),
            3 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group),
            1 => FieldMut::value(&mut self.resource),
            2 => FieldMut::value(&mut self.namespace),
            3 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
