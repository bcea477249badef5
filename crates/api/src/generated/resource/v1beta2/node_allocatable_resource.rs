// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeAllocatableMapping;
use super::NodeAllocatableOverhead;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeAllocatableResource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresource-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableResource {
    /// [`mapping`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresource-v1beta2-resource-k8s-io): optional.
    pub mapping: Option<Shared<NodeAllocatableMapping>>,
    /// [`overhead`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresource-v1beta2-resource-k8s-io): optional.
    pub overhead: Option<Shared<NodeAllocatableOverhead>>,
}

impl NodeAllocatableResource {
    /// Every field empty.
    pub const EMPTY: Self = Self { mapping: None, overhead: None };
}

client_rs_machinery::message!(NodeAllocatableResource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableResource",
    type_meta: None,
    fields: &[
        Field::new("mapping", Flags::OMIT_EMPTY).of::<NodeAllocatableMapping>(),
        Field::new("overhead", Flags::OMIT_EMPTY).of::<NodeAllocatableOverhead>(),
    ],
    wire: &[Wire::field(3, 0), Wire::field(4, 1)],
};

impl Fields for NodeAllocatableResource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.mapping),
            1 => FieldRef::optional(&self.overhead),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.mapping),
            1 => FieldMut::optional(&mut self.overhead),
            _ => FieldMut::NONE,
        }
    }
}
