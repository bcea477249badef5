// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [PodAffinityTerm](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodAffinityTerm {
    pub label_selector: Option<Shared<LabelSelector>>,
    pub namespaces: List<Str>,
    pub topology_key: Str,
    pub namespace_selector: Option<Shared<LabelSelector>>,
    pub match_label_keys: List<Str>,
    pub mismatch_label_keys: List<Str>,
}

impl PodAffinityTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        label_selector: None,
        namespaces: List::EMPTY,
        topology_key: Str::EMPTY,
        namespace_selector: None,
        match_label_keys: List::EMPTY,
        mismatch_label_keys: List::EMPTY,
    };
}

client_rs_machinery::message!(PodAffinityTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodAffinityTerm",
    type_meta: None,
    fields: &[
        Field::new("labelSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("namespaces", Flags::OMIT_EMPTY),
        Field::new("topologyKey", Flags::NONE),
        Field::new("namespaceSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("matchLabelKeys", Flags::OMIT_EMPTY),
        Field::new("mismatchLabelKeys", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for PodAffinityTerm {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.label_selector,
            1 => &self.namespaces,
            2 => &self.topology_key,
            3 => &self.namespace_selector,
            4 => &self.match_label_keys,
            5 => &self.mismatch_label_keys,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.label_selector,
            1 => &mut self.namespaces,
            2 => &mut self.topology_key,
            3 => &mut self.namespace_selector,
            4 => &mut self.match_label_keys,
            5 => &mut self.mismatch_label_keys,
            _ => return None,
        })
    }
}
