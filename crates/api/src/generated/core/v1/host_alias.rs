// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`HostAlias`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostalias-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct HostAlias {
    /// [`ip`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostalias-v1-core): required.
    pub ip: Str,
    /// [`hostnames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostalias-v1-core): optional. Apply replaces the list.
    pub hostnames: List<Str>,
}

impl HostAlias {
    /// Every field empty.
    pub const EMPTY: Self = Self { ip: Str::EMPTY, hostnames: List::EMPTY };
}

client_rs_machinery::message!(HostAlias, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HostAlias",
    type_meta: None,
    fields: &[Field::new("ip", Flags::NONE), Field::new("hostnames", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for HostAlias {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ip),
            1 => FieldRef::value(&self.hostnames),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ip),
            1 => FieldMut::value(&mut self.hostnames),
            _ => FieldMut::NONE,
        }
    }
}
