// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `IngressPortStatus` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressPortStatus {
    /// `port`: optional.
    pub port: i32,
    /// `protocol`: optional. One of `SCTP`, `TCP`, `UDP`.
    pub protocol: Str,
    /// `error`: optional. At most 316 characters.
    pub error: Option<Str>,
}

impl IngressPortStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { port: 0, protocol: Str::EMPTY, error: None };
}

client_rs_machinery::message!(IngressPortStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressPortStatus",
    type_meta: None,
    fields: &[
        Field::new("port", Flags::NONE),
        Field::new("protocol", Flags::NONE),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for IngressPortStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.port),
            1 => FieldRef::value(&self.protocol),
            2 => FieldRef::value(&self.error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.port),
            1 => FieldMut::value(&mut self.protocol),
            2 => FieldMut::value(&mut self.error),
            _ => FieldMut::NONE,
        }
    }
}
