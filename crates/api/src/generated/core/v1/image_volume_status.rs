// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ImageVolumeStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ImageVolumeStatus {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.image_ref,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.image_ref,
            _ => return None,
        })
    }
}
