// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::MicroTime;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EventSeries`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventseries-v1-events-k8s-io) of `events.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct EventSeries {
    /// [`count`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventseries-v1-events-k8s-io): required.
    pub count: i32,
    /// [`lastObservedTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventseries-v1-events-k8s-io): required.
    pub last_observed_time: Option<MicroTime>,
}

impl EventSeries {
    /// Every field empty.
    pub const EMPTY: Self = Self { count: 0, last_observed_time: None };
}

client_rs_machinery::message!(EventSeries, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EventSeries",
    type_meta: None,
    fields: &[Field::new("count", Flags::NONE), Field::new("lastObservedTime", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::always(2, 1)],
};

impl Fields for EventSeries {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.count),
            1 => FieldRef::value(&self.last_observed_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.count),
            1 => FieldMut::value(&mut self.last_observed_time),
            _ => FieldMut::NONE,
        }
    }
}
