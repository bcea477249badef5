// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerExtendedResourceRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerextendedresourcerequest-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerExtendedResourceRequest {
    /// [`containerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerextendedresourcerequest-v1-core): required.
    pub container_name: Str,
    /// [`resourceName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerextendedresourcerequest-v1-core): required.
    pub resource_name: Str,
    /// [`requestName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerextendedresourcerequest-v1-core): required.
    pub request_name: Str,
}

impl ContainerExtendedResourceRequest {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { container_name: Str::EMPTY, resource_name: Str::EMPTY, request_name: Str::EMPTY };
}

client_rs_machinery::message!(ContainerExtendedResourceRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerExtendedResourceRequest",
    type_meta: None,
    fields: &[
        Field::new("containerName", Flags::NONE),
        Field::new("resourceName", Flags::NONE),
        Field::new("requestName", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ContainerExtendedResourceRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.container_name),
            1 => FieldRef::value(&self.resource_name),
            2 => FieldRef::value(&self.request_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.container_name),
            1 => FieldMut::value(&mut self.resource_name),
            2 => FieldMut::value(&mut self.request_name),
            _ => FieldMut::NONE,
        }
    }
}
