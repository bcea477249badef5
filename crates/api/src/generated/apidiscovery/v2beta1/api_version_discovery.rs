// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIResourceDiscovery;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `APIVersionDiscovery` of `apidiscovery.k8s.io/v2beta1`.
#[derive(Clone, PartialEq)]
pub struct APIVersionDiscovery {
    /// `version`: optional.
    pub version: Str,
    /// `resources`: optional. Apply merges entries by `resource`.
    pub resources: List<APIResourceDiscovery>,
    /// `freshness`: optional. Known values: `Current`, `Stale`.
    pub freshness: Str,
}

impl APIVersionDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self { version: Str::EMPTY, resources: List::EMPTY, freshness: Str::EMPTY };
}

client_rs_machinery::message!(APIVersionDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIVersionDiscovery",
    type_meta: None,
    fields: &[
        Field::new("version", Flags::NONE),
        Field::new("resources", Flags::OMIT_EMPTY).of::<APIResourceDiscovery>(),
        Field::new("freshness", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for APIVersionDiscovery {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.version),
            1 => FieldRef::list(&self.resources),
            2 => FieldRef::value(&self.freshness),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.version),
            1 => FieldMut::list(&mut self.resources),
            2 => FieldMut::value(&mut self.freshness),
            _ => FieldMut::NONE,
        }
    }
}
