// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeError;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [VolumeAttachmentStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattachmentstatus-v1alpha1-storage-k8s-io) of `storage.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachmentStatus {
    pub attached: bool,
    pub attachment_metadata: Map<Str>,
    pub attach_error: Option<Shared<VolumeError>>,
    pub detach_error: Option<Shared<VolumeError>>,
}

impl VolumeAttachmentStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { attached: false, attachment_metadata: Map::EMPTY, attach_error: None, detach_error: None };
}

client_rs_machinery::message!(VolumeAttachmentStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeAttachmentStatus",
    type_meta: None,
    fields: &[
        Field::new("attached", Flags::NONE),
        Field::new("attachmentMetadata", Flags::OMIT_EMPTY),
        Field::new("attachError", Flags::OMIT_EMPTY).of::<VolumeError>(),
        Field::new("detachError", Flags::OMIT_EMPTY).of::<VolumeError>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for VolumeAttachmentStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.attached,
            1 => &self.attachment_metadata,
            2 => &self.attach_error,
            3 => &self.detach_error,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.attached,
            1 => &mut self.attachment_metadata,
            2 => &mut self.attach_error,
            3 => &mut self.detach_error,
            _ => return None,
        })
    }
}
