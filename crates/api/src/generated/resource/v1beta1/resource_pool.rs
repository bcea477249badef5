// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourcePool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepool-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ResourcePool {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepool-v1beta1-resource-k8s-io): required, immutable.
    pub name: Str,
    /// [`generation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepool-v1beta1-resource-k8s-io): required.
    pub generation: i64,
    /// [`resourceSliceCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepool-v1beta1-resource-k8s-io): required.
    pub resource_slice_count: i64,
}

impl ResourcePool {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, generation: 0, resource_slice_count: 0 };
}

client_rs_machinery::message!(ResourcePool, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePool",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("generation", Flags::NONE),
        Field::new("resourceSliceCount", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourcePool {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.generation),
            2 => FieldRef::value(&self.resource_slice_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.generation),
            2 => FieldMut::value(&mut self.resource_slice_count),
            _ => FieldMut::NONE,
        }
    }
}
