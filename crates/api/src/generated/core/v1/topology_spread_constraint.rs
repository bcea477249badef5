// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`TopologySpreadConstraint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TopologySpreadConstraint {
    /// [`maxSkew`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): required.
    pub max_skew: i32,
    /// [`topologyKey`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): required.
    pub topology_key: Str,
    /// [`whenUnsatisfiable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): required. One of `DoNotSchedule`, `ScheduleAnyway`.
    pub when_unsatisfiable: Str,
    /// [`labelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): optional.
    pub label_selector: Option<Shared<LabelSelector>>,
    /// [`minDomains`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): optional, since 1.24.
    pub min_domains: Option<i32>,
    /// [`nodeAffinityPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): optional, since 1.25. One of `Honor`, `Ignore`.
    pub node_affinity_policy: Option<Str>,
    /// [`nodeTaintsPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): optional, since 1.25. One of `Honor`, `Ignore`.
    pub node_taints_policy: Option<Str>,
    /// [`matchLabelKeys`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyspreadconstraint-v1-core): optional, since 1.25. Apply replaces the list.
    pub match_label_keys: List<Str>,
}

impl TopologySpreadConstraint {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        max_skew: 0,
        topology_key: Str::EMPTY,
        when_unsatisfiable: Str::EMPTY,
        label_selector: None,
        min_domains: None,
        node_affinity_policy: None,
        node_taints_policy: None,
        match_label_keys: List::EMPTY,
    };
}

client_rs_machinery::message!(TopologySpreadConstraint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TopologySpreadConstraint",
    type_meta: None,
    fields: &[
        Field::new("maxSkew", Flags::NONE),
        Field::new("topologyKey", Flags::NONE),
        Field::new("whenUnsatisfiable", Flags::NONE),
        Field::new("labelSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("minDomains", Flags::OMIT_EMPTY),
        Field::new("nodeAffinityPolicy", Flags::OMIT_EMPTY),
        Field::new("nodeTaintsPolicy", Flags::OMIT_EMPTY),
        Field::new("matchLabelKeys", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for TopologySpreadConstraint {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.max_skew),
            1 => FieldRef::value(&self.topology_key),
            2 => FieldRef::value(&self.when_unsatisfiable),
            3 => FieldRef::optional(&self.label_selector),
            4 => FieldRef::value(&self.min_domains),
            5 => FieldRef::value(&self.node_affinity_policy),
            6 => FieldRef::value(&self.node_taints_policy),
            7 => FieldRef::value(&self.match_label_keys),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.max_skew),
            1 => FieldMut::value(&mut self.topology_key),
            2 => FieldMut::value(&mut self.when_unsatisfiable),
            3 => FieldMut::optional(&mut self.label_selector),
            4 => FieldMut::value(&mut self.min_domains),
            5 => FieldMut::value(&mut self.node_affinity_policy),
            6 => FieldMut::value(&mut self.node_taints_policy),
            7 => FieldMut::value(&mut self.match_label_keys),
            _ => FieldMut::NONE,
        }
    }
}
