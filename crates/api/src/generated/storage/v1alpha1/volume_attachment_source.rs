// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::PersistentVolumeSpec;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `VolumeAttachmentSource` of `storage.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachmentSource {
    /// `persistentVolumeName`: optional.
    pub persistent_volume_name: Option<Str>,
    /// `inlineVolumeSpec`: optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.persistent_volume_name),
            1 => FieldRef::optional(&self.inline_volume_spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.persistent_volume_name),
            1 => FieldMut::optional(&mut self.inline_volume_spec),
            _ => FieldMut::NONE,
        }
    }
}
