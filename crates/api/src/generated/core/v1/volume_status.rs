// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ImageVolumeStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VolumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeStatus {
    /// [`image`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumestatus-v1-core): optional. Feature gate `ImageVolumeWithDigest`.
    pub image: Option<Shared<ImageVolumeStatus>>,
}

impl VolumeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { image: None };
}

client_rs_machinery::message!(VolumeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeStatus",
    type_meta: None,
    fields: &[Field::new("image", Flags::OMIT_EMPTY).of::<ImageVolumeStatus>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for VolumeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.image),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.image),
            _ => FieldMut::NONE,
        }
    }
}
