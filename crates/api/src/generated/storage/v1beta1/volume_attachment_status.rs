// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeError;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// `VolumeAttachmentStatus` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachmentStatus {
    /// `attached`: optional.
    pub attached: bool,
    /// `attachmentMetadata`: optional.
    pub attachment_metadata: Map<Str>,
    /// `attachError`: optional.
    pub attach_error: Option<Shared<VolumeError>>,
    /// `detachError`: optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.attached),
            1 => FieldRef::value(&self.attachment_metadata),
            2 => FieldRef::optional(&self.attach_error),
            3 => FieldRef::optional(&self.detach_error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.attached),
            1 => FieldMut::value(&mut self.attachment_metadata),
            2 => FieldMut::optional(&mut self.attach_error),
            3 => FieldMut::optional(&mut self.detach_error),
            _ => FieldMut::NONE,
        }
    }
}
