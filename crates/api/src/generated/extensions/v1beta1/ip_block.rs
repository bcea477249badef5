// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `IPBlock` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IPBlock {
    /// `cidr`: required.
    pub cidr: Str,
    /// `except`: optional. Apply replaces the list.
    pub except: List<Str>,
}

impl IPBlock {
    /// Every field empty.
    pub const EMPTY: Self = Self { cidr: Str::EMPTY, except: List::EMPTY };
}

client_rs_machinery::message!(IPBlock, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IPBlock",
    type_meta: None,
    fields: &[Field::new("cidr", Flags::NONE), Field::new("except", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IPBlock {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.cidr),
            1 => FieldRef::value(&self.except),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.cidr),
            1 => FieldMut::value(&mut self.except),
            _ => FieldMut::NONE,
        }
    }
}
