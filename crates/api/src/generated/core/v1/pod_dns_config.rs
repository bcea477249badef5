// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodDNSConfigOption;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`PodDNSConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddnsconfig-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDNSConfig {
    /// [`nameservers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddnsconfig-v1-core): optional. Apply replaces the list.
    pub nameservers: List<Str>,
    /// [`searches`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddnsconfig-v1-core): optional. Apply replaces the list.
    pub searches: List<Str>,
    /// [`options`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddnsconfig-v1-core): optional. Apply replaces the list.
    pub options: List<PodDNSConfigOption>,
}

impl PodDNSConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { nameservers: List::EMPTY, searches: List::EMPTY, options: List::EMPTY };
}

client_rs_machinery::message!(PodDNSConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodDNSConfig",
    type_meta: None,
    fields: &[
        Field::new("nameservers", Flags::OMIT_EMPTY),
        Field::new("searches", Flags::OMIT_EMPTY),
        Field::new("options", Flags::OMIT_EMPTY).of::<PodDNSConfigOption>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodDNSConfig {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.nameservers),
            1 => FieldRef::value(&self.searches),
            2 => FieldRef::list(&self.options),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.nameservers),
            1 => FieldMut::value(&mut self.searches),
            2 => FieldMut::list(&mut self.options),
            _ => FieldMut::NONE,
        }
    }
}
