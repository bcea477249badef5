// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EndpointConditions;
use super::EndpointHints;
use crate::core::v1::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Shared, Str};

/// `Endpoint` of `discovery.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct Endpoint {
    /// `addresses`: required. At most 100 entries. Apply merges entries.
    pub addresses: List<Str>,
    /// `conditions`: optional.
    pub conditions: EndpointConditions,
    /// `hostname`: optional.
    pub hostname: Option<Str>,
    /// `targetRef`: optional.
    pub target_ref: Option<Shared<ObjectReference>>,
    /// `topology`: optional, deprecated.
    pub topology: Map<Str>,
    /// `nodeName`: optional.
    pub node_name: Option<Str>,
    /// `hints`: optional. Feature gate `TopologyAwareHints`.
    pub hints: Option<Shared<EndpointHints>>,
}

impl Endpoint {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        addresses: List::EMPTY,
        conditions: EndpointConditions::EMPTY,
        hostname: None,
        target_ref: None,
        topology: Map::EMPTY,
        node_name: None,
        hints: None,
    };
}

client_rs_machinery::message!(Endpoint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Endpoint",
    type_meta: None,
    fields: &[
        Field::new("addresses", Flags::NONE),
        Field::new("conditions", Flags::OMIT_EMPTY).of::<EndpointConditions>(),
        Field::new("hostname", Flags::OMIT_EMPTY),
        Field::new("targetRef", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("topology", Flags::OMIT_EMPTY),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("hints", Flags::OMIT_EMPTY).of::<EndpointHints>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for Endpoint {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.addresses),
            1 => FieldRef::message(&self.conditions),
            2 => FieldRef::value(&self.hostname),
            3 => FieldRef::optional(&self.target_ref),
            4 => FieldRef::value(&self.topology),
            5 => FieldRef::value(&self.node_name),
            6 => FieldRef::optional(&self.hints),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.addresses),
            1 => FieldMut::message(&mut self.conditions),
            2 => FieldMut::value(&mut self.hostname),
            3 => FieldMut::optional(&mut self.target_ref),
            4 => FieldMut::value(&mut self.topology),
            5 => FieldMut::value(&mut self.node_name),
            6 => FieldMut::optional(&mut self.hints),
            _ => FieldMut::NONE,
        }
    }
}
