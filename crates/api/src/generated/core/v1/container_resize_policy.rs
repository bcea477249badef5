// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerResizePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresizepolicy-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerResizePolicy {
    /// [`resourceName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresizepolicy-v1-core): required.
    pub resource_name: Str,
    /// [`restartPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresizepolicy-v1-core): required. Known values: `NotRequired`, `RestartContainer`. Defaults to `NotRequired`.
    pub restart_policy: Str,
}

impl ContainerResizePolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_name: Str::EMPTY, restart_policy: Str::EMPTY };
}

client_rs_machinery::message!(ContainerResizePolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerResizePolicy",
    type_meta: None,
    fields: &[Field::new("resourceName", Flags::NONE), Field::new("restartPolicy", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerResizePolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource_name),
            1 => FieldRef::value(&self.restart_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource_name),
            1 => FieldMut::value(&mut self.restart_policy),
            _ => FieldMut::NONE,
        }
    }
}
