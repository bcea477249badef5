// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ForNode;
use super::ForZone;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `EndpointHints` of `discovery.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct EndpointHints {
    /// `forZones`: optional. Apply replaces the list.
    pub for_zones: List<ForZone>,
    /// `forNodes`: optional. Apply replaces the list.
    pub for_nodes: List<ForNode>,
}

impl EndpointHints {
    /// Every field empty.
    pub const EMPTY: Self = Self { for_zones: List::EMPTY, for_nodes: List::EMPTY };
}

client_rs_machinery::message!(EndpointHints, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointHints",
    type_meta: None,
    fields: &[
        Field::new("forZones", Flags::OMIT_EMPTY).of::<ForZone>(),
        Field::new("forNodes", Flags::OMIT_EMPTY).of::<ForNode>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EndpointHints {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.for_zones),
            1 => FieldRef::list(&self.for_nodes),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.for_zones),
            1 => FieldMut::list(&mut self.for_nodes),
            _ => FieldMut::NONE,
        }
    }
}
