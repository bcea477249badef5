// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceAttribute;
use super::DeviceCapacity;
use super::DeviceCounterConsumption;
use super::DeviceTaint;
use super::NodeAllocatableResource;
use crate::core::v1::NodeSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Shared, Str};

/// [`Device`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct Device {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): required.
    pub name: Str,
    /// [`attributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional.
    pub attributes: Map<DeviceAttribute>,
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional.
    pub capacity: Map<DeviceCapacity>,
    /// [`consumesCounters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional. At most 2 entries. Apply replaces the list. Feature gate `DRAPartitionableDevices`.
    pub consumes_counters: List<DeviceCounterConsumption>,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional. Feature gate `DRAPartitionableDevices`.
    pub node_name: Option<Str>,
    /// [`nodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional. Feature gate `DRAPartitionableDevices`.
    pub node_selector: Option<Shared<NodeSelector>>,
    /// [`allNodes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional. Feature gate `DRAPartitionableDevices`.
    pub all_nodes: Option<bool>,
    /// [`taints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional. Apply replaces the list. Feature gate `DRADeviceTaints`.
    pub taints: List<DeviceTaint>,
    /// [`bindsToNode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional, since 1.34. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub binds_to_node: Option<bool>,
    /// [`bindingConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional, since 1.34. At most 4 entries. Apply replaces the list. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub binding_conditions: List<Str>,
    /// [`bindingFailureConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional, since 1.34. At most 4 entries. Apply replaces the list. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub binding_failure_conditions: List<Str>,
    /// [`allowMultipleAllocations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional, since 1.34. Feature gate `DRAConsumableCapacity`.
    pub allow_multiple_allocations: Option<bool>,
    /// [`nodeAllocatableResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta2-resource-k8s-io): optional, since 1.37. Feature gate `DRANodeAllocatableResources`.
    pub node_allocatable_resources: Map<NodeAllocatableResource>,
}

impl Device {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        attributes: Map::EMPTY,
        capacity: Map::EMPTY,
        consumes_counters: List::EMPTY,
        node_name: None,
        node_selector: None,
        all_nodes: None,
        taints: List::EMPTY,
        binds_to_node: None,
        binding_conditions: List::EMPTY,
        binding_failure_conditions: List::EMPTY,
        allow_multiple_allocations: None,
        node_allocatable_resources: Map::EMPTY,
    };
}

client_rs_machinery::message!(Device, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Device",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("attributes", Flags::OMIT_EMPTY).of::<DeviceAttribute>(),
        Field::new("capacity", Flags::OMIT_EMPTY).of::<DeviceCapacity>(),
        Field::new("consumesCounters", Flags::OMIT_EMPTY).of::<DeviceCounterConsumption>(),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("nodeSelector", Flags::OMIT_EMPTY).of::<NodeSelector>(),
        Field::new("allNodes", Flags::OMIT_EMPTY),
        Field::new("taints", Flags::OMIT_EMPTY).of::<DeviceTaint>(),
        Field::new("bindsToNode", Flags::OMIT_EMPTY),
        Field::new("bindingConditions", Flags::OMIT_EMPTY),
        Field::new("bindingFailureConditions", Flags::OMIT_EMPTY),
        Field::new("allowMultipleAllocations", Flags::OMIT_EMPTY),
        Field::new("nodeAllocatableResources", Flags::OMIT_EMPTY).of::<NodeAllocatableResource>(),
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
        Wire::field(14, 12),
    ],
};

impl Fields for Device {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.attributes),
            2 => FieldRef::value(&self.capacity),
            3 => FieldRef::list(&self.consumes_counters),
            4 => FieldRef::value(&self.node_name),
            5 => FieldRef::optional(&self.node_selector),
            6 => FieldRef::value(&self.all_nodes),
            7 => FieldRef::list(&self.taints),
            8 => FieldRef::value(&self.binds_to_node),
            9 => FieldRef::value(&self.binding_conditions),
            10 => FieldRef::value(&self.binding_failure_conditions),
            11 => FieldRef::value(&self.allow_multiple_allocations),
            12 => FieldRef::value(&self.node_allocatable_resources),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.attributes),
            2 => FieldMut::value(&mut self.capacity),
            3 => FieldMut::list(&mut self.consumes_counters),
            4 => FieldMut::value(&mut self.node_name),
            5 => FieldMut::optional(&mut self.node_selector),
            6 => FieldMut::value(&mut self.all_nodes),
            7 => FieldMut::list(&mut self.taints),
            8 => FieldMut::value(&mut self.binds_to_node),
            9 => FieldMut::value(&mut self.binding_conditions),
            10 => FieldMut::value(&mut self.binding_failure_conditions),
            11 => FieldMut::value(&mut self.allow_multiple_allocations),
            12 => FieldMut::value(&mut self.node_allocatable_resources),
            _ => FieldMut::NONE,
        }
    }
}
