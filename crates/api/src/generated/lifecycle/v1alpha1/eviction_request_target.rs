// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionRequestPodReference;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionRequestTarget`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequesttarget-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestTarget {
    /// [`pod`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequesttarget-v1alpha1-lifecycle-k8s-io): optional.
    pub pod: Option<Shared<EvictionRequestPodReference>>,
}

impl EvictionRequestTarget {
    /// Every field empty.
    pub const EMPTY: Self = Self { pod: None };
}

client_rs_machinery::message!(EvictionRequestTarget, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionRequestTarget",
    type_meta: None,
    fields: &[Field::new("pod", Flags::OMIT_EMPTY).of::<EvictionRequestPodReference>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for EvictionRequestTarget {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.pod),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.pod),
            _ => FieldMut::NONE,
        }
    }
}
