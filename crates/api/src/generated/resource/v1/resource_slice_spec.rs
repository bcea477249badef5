// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CounterSet;
use super::Device;
use super::ResourcePool;
use crate::core::v1::NodeSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`ResourceSliceSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceSliceSpec {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): required, immutable.
    pub driver: Str,
    /// [`pool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): required.
    pub pool: ResourcePool,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional, immutable.
    pub node_name: Option<Str>,
    /// [`nodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional.
    pub node_selector: Option<Shared<NodeSelector>>,
    /// [`allNodes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional.
    pub all_nodes: Option<bool>,
    /// [`devices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional. Apply replaces the list.
    pub devices: List<Device>,
    /// [`perDeviceNodeSelection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional. Feature gate `DRAPartitionableDevices`.
    pub per_device_node_selection: Option<bool>,
    /// [`sharedCounters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional. At most 8 entries. Apply replaces the list. Feature gate `DRAPartitionableDevices`.
    pub shared_counters: List<CounterSet>,
    /// [`partitionTypeAttribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional, since 1.37. Format `k8s-resource-fully-qualified-name`. Feature gate `DRAPartitionableDevicesType`.
    pub partition_type_attribute: Option<Str>,
    /// [`skipNodeOperations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceslicespec-v1-resource-k8s-io): optional, since 1.37. One of `*`, `NodePrepareResources`, `NodeUnprepareResources`. Apply merges entries. Feature gate `DRAOptionalNodeOperations`.
    pub skip_node_operations: List<Str>,
}

impl ResourceSliceSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        pool: ResourcePool::EMPTY,
        node_name: None,
        node_selector: None,
        all_nodes: None,
        devices: List::EMPTY,
        per_device_node_selection: None,
        shared_counters: List::EMPTY,
        partition_type_attribute: None,
        skip_node_operations: List::EMPTY,
    };
}

client_rs_machinery::message!(ResourceSliceSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceSliceSpec",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("pool", Flags::NONE).of::<ResourcePool>(),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("nodeSelector", Flags::OMIT_EMPTY).of::<NodeSelector>(),
        Field::new("allNodes", Flags::OMIT_EMPTY),
        Field::new("devices", Flags::OMIT_EMPTY).of::<Device>(),
        Field::new("perDeviceNodeSelection", Flags::OMIT_EMPTY),
        Field::new("sharedCounters", Flags::OMIT_EMPTY).of::<CounterSet>(),
        Field::new("partitionTypeAttribute", Flags::OMIT_EMPTY),
        Field::new("skipNodeOperations", Flags::OMIT_EMPTY),
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
    ],
};

impl Fields for ResourceSliceSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::message(&self.pool),
            2 => FieldRef::value(&self.node_name),
            3 => FieldRef::optional(&self.node_selector),
            4 => FieldRef::value(&self.all_nodes),
            5 => FieldRef::list(&self.devices),
            6 => FieldRef::value(&self.per_device_node_selection),
            7 => FieldRef::list(&self.shared_counters),
            8 => FieldRef::value(&self.partition_type_attribute),
            9 => FieldRef::value(&self.skip_node_operations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::message(&mut self.pool),
            2 => FieldMut::value(&mut self.node_name),
            3 => FieldMut::optional(&mut self.node_selector),
            4 => FieldMut::value(&mut self.all_nodes),
            5 => FieldMut::list(&mut self.devices),
            6 => FieldMut::value(&mut self.per_device_node_selection),
            7 => FieldMut::list(&mut self.shared_counters),
            8 => FieldMut::value(&mut self.partition_type_attribute),
            9 => FieldMut::value(&mut self.skip_node_operations),
            _ => FieldMut::NONE,
        }
    }
}
