// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PartitionTypeStatus;
use super::ShareableSummaryStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PoolStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct PoolStatus {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): required. A DNS subdomain.
    pub driver: Str,
    /// [`poolName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): required. Format `k8s-resource-pool-name`.
    pub pool_name: Str,
    /// [`generation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub generation: i64,
    /// [`resourceSliceCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At least 1.
    pub resource_slice_count: Option<i32>,
    /// [`totalDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At least 0.
    pub total_devices: Option<i32>,
    /// [`allocatedDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At least 0.
    pub allocated_devices: Option<i32>,
    /// [`availableDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At least 0.
    pub available_devices: Option<i32>,
    /// [`unavailableDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At least 0.
    pub unavailable_devices: Option<i32>,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. A DNS subdomain.
    pub node_name: Option<Str>,
    /// [`validationError`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional. At most 256 bytes.
    pub validation_error: Option<Str>,
    /// [`partitionSummary`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional, since 1.37. At most 32 entries. Apply replaces the list.
    pub partition_summary: List<PartitionTypeStatus>,
    /// [`shareableSummary`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poolstatus-v1alpha3-resource-k8s-io): optional, since 1.37.
    pub shareable_summary: Option<Shared<ShareableSummaryStatus>>,
}

impl PoolStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        pool_name: Str::EMPTY,
        generation: 0,
        resource_slice_count: None,
        total_devices: None,
        allocated_devices: None,
        available_devices: None,
        unavailable_devices: None,
        node_name: None,
        validation_error: None,
        partition_summary: List::EMPTY,
        shareable_summary: None,
    };
}

client_rs_machinery::message!(PoolStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PoolStatus",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::OMIT_EMPTY),
        Field::new("poolName", Flags::OMIT_EMPTY),
        Field::new("generation", Flags::NONE),
        Field::new("resourceSliceCount", Flags::OMIT_EMPTY),
        Field::new("totalDevices", Flags::OMIT_EMPTY),
        Field::new("allocatedDevices", Flags::OMIT_EMPTY),
        Field::new("availableDevices", Flags::OMIT_EMPTY),
        Field::new("unavailableDevices", Flags::OMIT_EMPTY),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("validationError", Flags::OMIT_EMPTY),
        Field::new("partitionSummary", Flags::OMIT_EMPTY).of::<PartitionTypeStatus>(),
        Field::new("shareableSummary", Flags::OMIT_EMPTY).of::<ShareableSummaryStatus>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 8),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 6),
        Wire::field(7, 7),
        Wire::field(8, 3),
        Wire::field(9, 2),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(13, 11),
    ],
};

impl Fields for PoolStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.pool_name),
            2 => FieldRef::value(&self.generation),
            3 => FieldRef::value(&self.resource_slice_count),
            4 => FieldRef::value(&self.total_devices),
            5 => FieldRef::value(&self.allocated_devices),
            6 => FieldRef::value(&self.available_devices),
            7 => FieldRef::value(&self.unavailable_devices),
            8 => FieldRef::value(&self.node_name),
            9 => FieldRef::value(&self.validation_error),
            10 => FieldRef::list(&self.partition_summary),
            11 => FieldRef::optional(&self.shareable_summary),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.pool_name),
            2 => FieldMut::value(&mut self.generation),
            3 => FieldMut::value(&mut self.resource_slice_count),
            4 => FieldMut::value(&mut self.total_devices),
            5 => FieldMut::value(&mut self.allocated_devices),
            6 => FieldMut::value(&mut self.available_devices),
            7 => FieldMut::value(&mut self.unavailable_devices),
            8 => FieldMut::value(&mut self.node_name),
            9 => FieldMut::value(&mut self.validation_error),
            10 => FieldMut::list(&mut self.partition_summary),
            11 => FieldMut::optional(&mut self.shareable_summary),
            _ => FieldMut::NONE,
        }
    }
}
