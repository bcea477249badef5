// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionRequestTarget;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionRequestSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestspec-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestSpec {
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestspec-v1alpha1-lifecycle-k8s-io): required, immutable.
    pub target: EvictionRequestTarget,
    /// [`requester`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestspec-v1alpha1-lifecycle-k8s-io): required, immutable. Format `k8s-prefixed-label-key`.
    pub requester: Str,
    /// [`intent`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestspec-v1alpha1-lifecycle-k8s-io): required. One of `Eviction`, `Withdrawn`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.target),
            1 => FieldRef::value(&self.requester),
            2 => FieldRef::value(&self.intent),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.target),
            1 => FieldMut::value(&mut self.requester),
            2 => FieldMut::value(&mut self.intent),
            _ => FieldMut::NONE,
        }
    }
}
