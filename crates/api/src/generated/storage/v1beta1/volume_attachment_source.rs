// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::PersistentVolumeSpec;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [VolumeAttachmentSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattachmentsource-v1beta1-storage-k8s-io) of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachmentSource {
    pub persistent_volume_name: Option<Str>,
    pub inline_volume_spec: Option<Shared<PersistentVolumeSpec>>,
}

impl VolumeAttachmentSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { persistent_volume_name: None, inline_volume_spec: None };
}

client_rs_machinery::message!(VolumeAttachmentSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeAttachmentSource",
    type_meta: None,
    fields: &[
        Field::new("persistentVolumeName", Flags::OMIT_EMPTY),
        Field::new("inlineVolumeSpec", Flags::OMIT_EMPTY).of::<PersistentVolumeSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for VolumeAttachmentSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.persistent_volume_name,
            1 => &self.inline_volume_spec,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.persistent_volume_name,
            1 => &mut self.inline_volume_spec,
            _ => return None,
        })
    }
}
