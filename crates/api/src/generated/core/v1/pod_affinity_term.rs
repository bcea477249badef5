// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PodAffinityTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodAffinityTerm {
    /// [`labelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): optional.
    pub label_selector: Option<Shared<LabelSelector>>,
    /// [`namespaces`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): optional. Apply replaces the list.
    pub namespaces: List<Str>,
    /// [`topologyKey`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): required.
    pub topology_key: Str,
    /// [`namespaceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): optional, since 1.21.
    pub namespace_selector: Option<Shared<LabelSelector>>,
    /// [`matchLabelKeys`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): optional, since 1.29. Apply replaces the list.
    pub match_label_keys: List<Str>,
    /// [`mismatchLabelKeys`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podaffinityterm-v1-core): optional, since 1.29. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.label_selector),
            1 => FieldRef::value(&self.namespaces),
            2 => FieldRef::value(&self.topology_key),
            3 => FieldRef::optional(&self.namespace_selector),
            4 => FieldRef::value(&self.match_label_keys),
            5 => FieldRef::value(&self.mismatch_label_keys),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.label_selector),
            1 => FieldMut::value(&mut self.namespaces),
            2 => FieldMut::value(&mut self.topology_key),
            3 => FieldMut::optional(&mut self.namespace_selector),
            4 => FieldMut::value(&mut self.match_label_keys),
            5 => FieldMut::value(&mut self.mismatch_label_keys),
            _ => FieldMut::NONE,
        }
    }
}
