// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ImageVolumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ImageVolumeStatus {
    /// [`imageRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumestatus-v1-core): required. At most 256 characters.
    pub image_ref: Str,
}

impl ImageVolumeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { image_ref: Str::EMPTY };
}

client_rs_machinery::message!(ImageVolumeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageVolumeStatus",
    type_meta: None,
    fields: &[Field::new("imageRef", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ImageVolumeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.image_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.image_ref),
            _ => FieldMut::NONE,
        }
    }
}
