// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EphemeralContainerCommon;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`EphemeralContainer`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ephemeralcontainer-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EphemeralContainer {
    /// Its fields are fields of this object in JSON.
    pub ephemeral_container_common: Shared<EphemeralContainerCommon>,
    /// [`targetContainerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ephemeralcontainer-v1-core): optional.
    pub target_container_name: Str,
}

impl EphemeralContainer {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { ephemeral_container_common: Shared::DEFAULT, target_container_name: Str::EMPTY };
}

impl std::ops::Deref for EphemeralContainer {
    type Target = EphemeralContainerCommon;

    fn deref(&self) -> &EphemeralContainerCommon {
        &self.ephemeral_container_common
    }
}

impl std::ops::DerefMut for EphemeralContainer {
    fn deref_mut(&mut self) -> &mut EphemeralContainerCommon {
        &mut self.ephemeral_container_common
    }
}

client_rs_machinery::message!(EphemeralContainer, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EphemeralContainer",
    type_meta: None,
    fields: &[
        Field::new("ephemeral_container_common", Flags::INLINE).of::<EphemeralContainerCommon>(),
        Field::new("targetContainerName", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EphemeralContainer {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::shared(&self.ephemeral_container_common),
            1 => FieldRef::value(&self.target_container_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::shared(&mut self.ephemeral_container_common),
            1 => FieldMut::value(&mut self.target_container_name),
            _ => FieldMut::NONE,
        }
    }
}
