// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ShareableCapacityStatus;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ShareableSummaryStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablesummarystatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct ShareableSummaryStatus {
    pub fully_available_devices: Option<i32>,
    pub partially_available_devices: Option<i32>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.fully_available_devices,
            1 => &self.partially_available_devices,
            2 => &self.capacity,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.fully_available_devices,
            1 => &mut self.partially_available_devices,
            2 => &mut self.capacity,
            _ => return None,
        })
    }
}
