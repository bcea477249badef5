// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EventSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EventSource {
    /// [`component`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventsource-v1-core): optional.
    pub component: Str,
    /// [`host`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eventsource-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.component),
            1 => FieldRef::value(&self.host),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.component),
            1 => FieldMut::value(&mut self.host),
            _ => FieldMut::NONE,
        }
    }
}
