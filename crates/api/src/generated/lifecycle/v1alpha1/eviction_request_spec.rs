// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionRequestTarget;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EvictionRequestSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestspec-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestSpec {
    pub target: EvictionRequestTarget,
    pub requester: Str,
    pub intent: Str,
}

impl EvictionRequestSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { target: EvictionRequestTarget::EMPTY, requester: Str::EMPTY, intent: Str::EMPTY };
}

client_rs_machinery::message!(EvictionRequestSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionRequestSpec",
    type_meta: None,
    fields: &[
        Field::new("target", Flags::NONE).of::<EvictionRequestTarget>(),
        Field::new("requester", Flags::NONE),
        Field::new("intent", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EvictionRequestSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.target,
            1 => &self.requester,
            2 => &self.intent,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.target,
            1 => &mut self.requester,
            2 => &mut self.intent,
            _ => return None,
        })
    }
}
