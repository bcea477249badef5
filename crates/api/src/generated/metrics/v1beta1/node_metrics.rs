// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Duration, Map, Quantity, Time};

/// `NodeMetrics` of `metrics.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NodeMetrics {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `timestamp`: optional.
    pub timestamp: Option<Time>,
    /// `window`: optional.
    pub window: Duration,
    /// `usage`: optional.
    pub usage: Map<Quantity>,
}

impl NodeMetrics {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, timestamp: None, window: Duration::ZERO, usage: Map::EMPTY };
}

client_rs_machinery::message!(NodeMetrics, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeMetrics",
    type_meta: Some(TypeMeta {
        api_version: "metrics.k8s.io/v1beta1",
        kind: "NodeMetrics",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("timestamp", Flags::NONE),
        Field::new("window", Flags::NONE),
        Field::new("usage", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::always(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for NodeMetrics {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.timestamp),
            2 => FieldRef::value(&self.window),
            3 => FieldRef::value(&self.usage),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.timestamp),
            2 => FieldMut::value(&mut self.window),
            3 => FieldMut::value(&mut self.usage),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(NodeMetrics, "metrics.k8s.io/v1beta1", "NodeMetrics");

impl client_rs_machinery::Resource for NodeMetrics {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "metrics.k8s.io",
        version: "v1beta1",
        kind: "NodeMetrics",
        plural: "nodes",
        singular: "nodemetrics",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["get", "list", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(NodeMetrics: Get, List, Watch);
