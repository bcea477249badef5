// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EvictionRequestPodReference](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestpodreference-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestPodReference {
    pub name: Str,
    pub uid: Str,
}

impl EvictionRequestPodReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, uid: Str::EMPTY };
}

client_rs_machinery::message!(EvictionRequestPodReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionRequestPodReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("uid", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionRequestPodReference {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.uid,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.uid,
            _ => return None,
        })
    }
}
