// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Requester](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#requester-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct Requester {
    pub name: Str,
    pub intent: Str,
}

impl Requester {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, intent: Str::EMPTY };
}

client_rs_machinery::message!(Requester, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Requester",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("intent", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Requester {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.intent,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.intent,
            _ => return None,
        })
    }
}
