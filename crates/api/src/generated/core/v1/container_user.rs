// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LinuxContainerUser;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containeruser-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerUser {
    /// [`linux`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containeruser-v1-core): optional.
    pub linux: Option<Shared<LinuxContainerUser>>,
}

impl ContainerUser {
    /// Every field empty.
    pub const EMPTY: Self = Self { linux: None };
}

client_rs_machinery::message!(ContainerUser, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerUser",
    type_meta: None,
    fields: &[Field::new("linux", Flags::OMIT_EMPTY).of::<LinuxContainerUser>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ContainerUser {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.linux),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.linux),
            _ => FieldMut::NONE,
        }
    }
}
