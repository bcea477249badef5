// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerMetrics;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Duration, List, Time};

/// `PodMetrics` of `metrics.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PodMetrics {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `timestamp`: optional.
    pub timestamp: Option<Time>,
    /// `window`: optional.
    pub window: Duration,
    /// `containers`: optional. Apply replaces the list.
    pub containers: List<ContainerMetrics>,
}

impl PodMetrics {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        timestamp: None,
        window: Duration::ZERO,
        containers: List::EMPTY,
    };
}

client_rs_machinery::message!(PodMetrics, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodMetrics",
    type_meta: Some(TypeMeta {
        api_version: "metrics.k8s.io/v1beta1",
        kind: "PodMetrics",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("timestamp", Flags::NONE),
        Field::new("window", Flags::NONE),
        Field::new("containers", Flags::NONE).of::<ContainerMetrics>(),
    ],
    wire: &[Wire::field(1, 0), Wire::always(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PodMetrics {
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
            3 => FieldRef::list(&self.containers),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.timestamp),
            2 => FieldMut::value(&mut self.window),
            3 => FieldMut::list(&mut self.containers),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PodMetrics, "metrics.k8s.io/v1beta1", "PodMetrics");

impl client_rs_machinery::Resource for PodMetrics {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "metrics.k8s.io",
        version: "v1beta1",
        kind: "PodMetrics",
        plural: "pods",
        singular: "podmetrics",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["get", "list", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(PodMetrics: Get, List, Watch);
