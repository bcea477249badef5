// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceToleration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Str};

/// [`DeviceRequestAllocationResult`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceRequestAllocationResult {
    /// [`request`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): required.
    pub request: Str,
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): required. At most 63 characters. A DNS subdomain.
    pub driver: Str,
    /// [`pool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): required. Format `k8s-resource-pool-name`.
    pub pool: Str,
    /// [`device`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): required.
    pub device: Str,
    /// [`adminAccess`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional. Feature gate `DRAAdminAccess`.
    pub admin_access: Option<bool>,
    /// [`tolerations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.33. Apply replaces the list. Feature gate `DRADeviceTaints`.
    pub tolerations: List<DeviceToleration>,
    /// [`bindingConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.34. At most 4 entries. Apply replaces the list. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub binding_conditions: List<Str>,
    /// [`bindingFailureConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.34. At most 4 entries. Apply replaces the list. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub binding_failure_conditions: List<Str>,
    /// [`shareID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.34. A UUID. Feature gate `DRAConsumableCapacity`.
    pub share_id: Option<Str>,
    /// [`consumedCapacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.34. Feature gate `DRAConsumableCapacity`.
    pub consumed_capacity: Map<Quantity>,
    /// [`skipNodeOperations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequestallocationresult-v1beta1-resource-k8s-io): optional, since 1.37. One of `*`, `NodePrepareResources`, `NodeUnprepareResources`. Apply merges entries. Feature gate `DRAOptionalNodeOperations`.
    pub skip_node_operations: List<Str>,
}

impl DeviceRequestAllocationResult {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        request: Str::EMPTY,
        driver: Str::EMPTY,
        pool: Str::EMPTY,
        device: Str::EMPTY,
        admin_access: None,
        tolerations: List::EMPTY,
        binding_conditions: List::EMPTY,
        binding_failure_conditions: List::EMPTY,
        share_id: None,
        consumed_capacity: Map::EMPTY,
        skip_node_operations: List::EMPTY,
    };
}

client_rs_machinery::message!(DeviceRequestAllocationResult, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceRequestAllocationResult",
    type_meta: None,
    fields: &[
        Field::new("request", Flags::NONE),
        Field::new("driver", Flags::NONE),
        Field::new("pool", Flags::NONE),
        Field::new("device", Flags::NONE),
        Field::new("adminAccess", Flags::OMIT_EMPTY),
        Field::new("tolerations", Flags::OMIT_EMPTY).of::<DeviceToleration>(),
        Field::new("bindingConditions", Flags::OMIT_EMPTY),
        Field::new("bindingFailureConditions", Flags::OMIT_EMPTY),
        Field::new("shareID", Flags::OMIT_EMPTY),
        Field::new("consumedCapacity", Flags::OMIT_EMPTY),
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
        Wire::field(11, 10),
    ],
};

impl Fields for DeviceRequestAllocationResult {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.request),
            1 => FieldRef::value(&self.driver),
            2 => FieldRef::value(&self.pool),
            3 => FieldRef::value(&self.device),
            4 => FieldRef::value(&self.admin_access),
            5 => FieldRef::list(&self.tolerations),
            6 => FieldRef::value(&self.binding_conditions),
            7 => FieldRef::value(&self.binding_failure_conditions),
            8 => FieldRef::value(&self.share_id),
            9 => FieldRef::value(&self.consumed_capacity),
            10 => FieldRef::value(&self.skip_node_operations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.request),
            1 => FieldMut::value(&mut self.driver),
            2 => FieldMut::value(&mut self.pool),
            3 => FieldMut::value(&mut self.device),
            4 => FieldMut::value(&mut self.admin_access),
            5 => FieldMut::list(&mut self.tolerations),
            6 => FieldMut::value(&mut self.binding_conditions),
            7 => FieldMut::value(&mut self.binding_failure_conditions),
            8 => FieldMut::value(&mut self.share_id),
            9 => FieldMut::value(&mut self.consumed_capacity),
            10 => FieldMut::value(&mut self.skip_node_operations),
            _ => FieldMut::NONE,
        }
    }
}
