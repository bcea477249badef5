// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AttachedVolume;
use super::ContainerImage;
use super::NodeAddress;
use super::NodeCondition;
use super::NodeConfigStatus;
use super::NodeDaemonEndpoints;
use super::NodeFeatures;
use super::NodeRuntimeHandler;
use super::NodeSystemInfo;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`NodeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeStatus {
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional.
    pub capacity: Map<Quantity>,
    /// [`allocatable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional.
    pub allocatable: Map<Quantity>,
    /// [`phase`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. One of `Pending`, `Running`, `Terminated`.
    pub phase: Str,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<NodeCondition>,
    /// [`addresses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub addresses: List<NodeAddress>,
    /// [`daemonEndpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional.
    pub daemon_endpoints: NodeDaemonEndpoints,
    /// [`nodeInfo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional.
    pub node_info: Shared<NodeSystemInfo>,
    /// [`images`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. Apply replaces the list.
    pub images: List<ContainerImage>,
    /// [`volumesInUse`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. Apply replaces the list.
    pub volumes_in_use: List<Str>,
    /// [`volumesAttached`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional. Apply replaces the list.
    pub volumes_attached: List<AttachedVolume>,
    /// [`config`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional.
    pub config: Option<Shared<NodeConfigStatus>>,
    /// [`runtimeHandlers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional, since 1.30. Apply replaces the list.
    pub runtime_handlers: List<NodeRuntimeHandler>,
    /// [`features`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional, since 1.31. Feature gate `SupplementalGroupsPolicy`.
    pub features: Option<Shared<NodeFeatures>>,
    /// [`declaredFeatures`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core): optional, since 1.35. Apply replaces the list. Feature gate `NodeDeclaredFeatures`.
    pub declared_features: List<Str>,
}

impl NodeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        capacity: Map::EMPTY,
        allocatable: Map::EMPTY,
        phase: Str::EMPTY,
        conditions: List::EMPTY,
        addresses: List::EMPTY,
        daemon_endpoints: NodeDaemonEndpoints::EMPTY,
        node_info: Shared::DEFAULT,
        images: List::EMPTY,
        volumes_in_use: List::EMPTY,
        volumes_attached: List::EMPTY,
        config: None,
        runtime_handlers: List::EMPTY,
        features: None,
        declared_features: List::EMPTY,
    };
}

client_rs_machinery::message!(NodeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeStatus",
    type_meta: None,
    fields: &[
        Field::new("capacity", Flags::OMIT_EMPTY),
        Field::new("allocatable", Flags::OMIT_EMPTY),
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NodeCondition>()
            .merged_by("type"),
        Field::new("addresses", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NodeAddress>()
            .merged_by("type"),
        Field::new("daemonEndpoints", Flags::OMIT_EMPTY).of::<NodeDaemonEndpoints>(),
        Field::new("nodeInfo", Flags::OMIT_EMPTY).of::<NodeSystemInfo>(),
        Field::new("images", Flags::OMIT_EMPTY).of::<ContainerImage>(),
        Field::new("volumesInUse", Flags::OMIT_EMPTY),
        Field::new("volumesAttached", Flags::OMIT_EMPTY).of::<AttachedVolume>(),
        Field::new("config", Flags::OMIT_EMPTY).of::<NodeConfigStatus>(),
        Field::new("runtimeHandlers", Flags::OMIT_EMPTY).of::<NodeRuntimeHandler>(),
        Field::new("features", Flags::OMIT_EMPTY).of::<NodeFeatures>(),
        Field::new("declaredFeatures", Flags::OMIT_EMPTY),
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
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
    ],
};

impl Fields for NodeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.capacity),
            1 => FieldRef::value(&self.allocatable),
            2 => FieldRef::value(&self.phase),
            3 => FieldRef::list(&self.conditions),
            4 => FieldRef::list(&self.addresses),
            5 => FieldRef::message(&self.daemon_endpoints),
            6 => FieldRef::shared(&self.node_info),
            7 => FieldRef::list(&self.images),
            8 => FieldRef::value(&self.volumes_in_use),
            9 => FieldRef::list(&self.volumes_attached),
            10 => FieldRef::optional(&self.config),
            11 => FieldRef::list(&self.runtime_handlers),
            12 => FieldRef::optional(&self.features),
            13 => FieldRef::value(&self.declared_features),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.capacity),
            1 => FieldMut::value(&mut self.allocatable),
            2 => FieldMut::value(&mut self.phase),
            3 => FieldMut::list(&mut self.conditions),
            4 => FieldMut::list(&mut self.addresses),
            5 => FieldMut::message(&mut self.daemon_endpoints),
            6 => FieldMut::shared(&mut self.node_info),
            7 => FieldMut::list(&mut self.images),
            8 => FieldMut::value(&mut self.volumes_in_use),
            9 => FieldMut::list(&mut self.volumes_attached),
            10 => FieldMut::optional(&mut self.config),
            11 => FieldMut::list(&mut self.runtime_handlers),
            12 => FieldMut::optional(&mut self.features),
            13 => FieldMut::value(&mut self.declared_features),
            _ => FieldMut::NONE,
        }
    }
}
