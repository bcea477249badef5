// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Quantity;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeAllocatableOverhead`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverhead-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableOverhead {
    /// [`perPod`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverhead-v1-resource-k8s-io): optional.
    pub per_pod: Option<Quantity>,
    /// [`perContainer`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverhead-v1-resource-k8s-io): optional.
    pub per_container: Option<Quantity>,
}

impl NodeAllocatableOverhead {
    /// Every field empty.
    pub const EMPTY: Self = Self { per_pod: None, per_container: None };
}

client_rs_machinery::message!(NodeAllocatableOverhead, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableOverhead",
    type_meta: None,
    fields: &[Field::new("perPod", Flags::OMIT_EMPTY), Field::new("perContainer", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeAllocatableOverhead {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.per_pod),
            1 => FieldRef::value(&self.per_container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.per_pod),
            1 => FieldMut::value(&mut self.per_container),
            _ => FieldMut::NONE,
        }
    }
}
