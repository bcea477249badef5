// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CapacityRequirements;
use super::DeviceDerivedAttribute;
use super::DeviceSelector;
use super::DeviceToleration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`DeviceSubRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceSubRequest {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): required.
    pub name: Str,
    /// [`deviceClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): required. A DNS subdomain.
    pub device_class_name: Str,
    /// [`selectors`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub selectors: List<DeviceSelector>,
    /// [`allocationMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional. One of `All`, `ExactCount`.
    pub allocation_mode: Str,
    /// [`count`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional.
    pub count: i64,
    /// [`tolerations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional. Apply replaces the list. Feature gate `DRADeviceTaints`.
    pub tolerations: List<DeviceToleration>,
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional, since 1.34. Feature gate `DRAConsumableCapacity`.
    pub capacity: Option<Shared<CapacityRequirements>>,
    /// [`derivedAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicesubrequest-v1beta1-resource-k8s-io): optional, since 1.37. At most 32 entries. Apply replaces the list. Feature gate `DRADerivedAttributes`.
    pub derived_attributes: List<DeviceDerivedAttribute>,
}

impl DeviceSubRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        device_class_name: Str::EMPTY,
        selectors: List::EMPTY,
        allocation_mode: Str::EMPTY,
        count: 0,
        tolerations: List::EMPTY,
        capacity: None,
        derived_attributes: List::EMPTY,
    };
}

client_rs_machinery::message!(DeviceSubRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceSubRequest",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("deviceClassName", Flags::NONE),
        Field::new("selectors", Flags::OMIT_EMPTY).of::<DeviceSelector>(),
        Field::new("allocationMode", Flags::OMIT_EMPTY),
        Field::new("count", Flags::OMIT_EMPTY),
        Field::new("tolerations", Flags::OMIT_EMPTY).of::<DeviceToleration>(),
        Field::new("capacity", Flags::OMIT_EMPTY).of::<CapacityRequirements>(),
        Field::new("derivedAttributes", Flags::OMIT_EMPTY).of::<DeviceDerivedAttribute>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(7, 5),
        Wire::field(8, 6),
        Wire::field(9, 7),
    ],
};

impl Fields for DeviceSubRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.device_class_name),
            2 => FieldRef::list(&self.selectors),
            3 => FieldRef::value(&self.allocation_mode),
            4 => FieldRef::value(&self.count),
            5 => FieldRef::list(&self.tolerations),
            6 => FieldRef::optional(&self.capacity),
            7 => FieldRef::list(&self.derived_attributes),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.device_class_name),
            2 => FieldMut::list(&mut self.selectors),
            3 => FieldMut::value(&mut self.allocation_mode),
            4 => FieldMut::value(&mut self.count),
            5 => FieldMut::list(&mut self.tolerations),
            6 => FieldMut::optional(&mut self.capacity),
            7 => FieldMut::list(&mut self.derived_attributes),
            _ => FieldMut::NONE,
        }
    }
}
