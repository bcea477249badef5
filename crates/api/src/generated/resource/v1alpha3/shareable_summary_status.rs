// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ShareableCapacityStatus;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ShareableSummaryStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablesummarystatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct ShareableSummaryStatus {
    /// [`fullyAvailableDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablesummarystatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub fully_available_devices: Option<i32>,
    /// [`partiallyAvailableDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablesummarystatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub partially_available_devices: Option<i32>,
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablesummarystatus-v1alpha3-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub capacity: List<ShareableCapacityStatus>,
}

impl ShareableSummaryStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { fully_available_devices: None, partially_available_devices: None, capacity: List::EMPTY };
}

client_rs_machinery::message!(ShareableSummaryStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ShareableSummaryStatus",
    type_meta: None,
    fields: &[
        Field::new("fullyAvailableDevices", Flags::OMIT_EMPTY),
        Field::new("partiallyAvailableDevices", Flags::OMIT_EMPTY),
        Field::new("capacity", Flags::OMIT_EMPTY).of::<ShareableCapacityStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ShareableSummaryStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.fully_available_devices),
            1 => FieldRef::value(&self.partially_available_devices),
            2 => FieldRef::list(&self.capacity),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.fully_available_devices),
            1 => FieldMut::value(&mut self.partially_available_devices),
            2 => FieldMut::list(&mut self.capacity),
            _ => FieldMut::NONE,
        }
    }
}
