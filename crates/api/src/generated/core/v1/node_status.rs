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
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [NodeStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeStatus {
    pub capacity: Map<Quantity>,
    pub allocatable: Map<Quantity>,
    pub phase: Str,
    pub conditions: List<NodeCondition>,
    pub addresses: List<NodeAddress>,
    pub daemon_endpoints: NodeDaemonEndpoints,
    pub node_info: Shared<NodeSystemInfo>,
    pub images: List<ContainerImage>,
    pub volumes_in_use: List<Str>,
    pub volumes_attached: List<AttachedVolume>,
    pub config: Option<Shared<NodeConfigStatus>>,
    pub runtime_handlers: List<NodeRuntimeHandler>,
    pub features: Option<Shared<NodeFeatures>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.capacity,
            1 => &self.allocatable,
            2 => &self.phase,
            3 => &self.conditions,
            4 => &self.addresses,
            5 => &self.daemon_endpoints,
            6 => &self.node_info,
            7 => &self.images,
            8 => &self.volumes_in_use,
            9 => &self.volumes_attached,
            10 => &self.config,
            11 => &self.runtime_handlers,
            12 => &self.features,
            13 => &self.declared_features,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.capacity,
            1 => &mut self.allocatable,
            2 => &mut self.phase,
            3 => &mut self.conditions,
            4 => &mut self.addresses,
            5 => &mut self.daemon_endpoints,
            6 => &mut self.node_info,
            7 => &mut self.images,
            8 => &mut self.volumes_in_use,
            9 => &mut self.volumes_attached,
            10 => &mut self.config,
            11 => &mut self.runtime_handlers,
            12 => &mut self.features,
            13 => &mut self.declared_features,
            _ => return None,
        })
    }
}
