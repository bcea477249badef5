// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EventSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EventSource {
    pub component: Str,
    pub host: Str,
}

impl EventSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { component: Str::EMPTY, host: Str::EMPTY };
}

client_rs_machinery::message!(EventSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EventSource",
    type_meta: None,
    fields: &[Field::new("component", Flags::OMIT_EMPTY), Field::new("host", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EventSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.component,
            1 => &self.host,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.component,
            1 => &mut self.host,
            _ => return None,
        })
    }
}
