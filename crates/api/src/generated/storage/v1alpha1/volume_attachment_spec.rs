// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeAttachmentSource;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `VolumeAttachmentSpec` of `storage.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachmentSpec {
    /// `attacher`: required. At most 63 characters. A DNS subdomain.
    pub attacher: Str,
    /// `source`: optional.
    pub source: VolumeAttachmentSource,
    /// `nodeName`: optional.
    pub node_name: Str,
}

impl VolumeAttachmentSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { attacher: Str::EMPTY, source: VolumeAttachmentSource::EMPTY, node_name: Str::EMPTY };
}

client_rs_machinery::message!(VolumeAttachmentSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeAttachmentSpec",
    type_meta: None,
    fields: &[
        Field::new("attacher", Flags::NONE),
        Field::new("source", Flags::NONE).of::<VolumeAttachmentSource>(),
        Field::new("nodeName", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for VolumeAttachmentSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.attacher),
            1 => FieldRef::message(&self.source),
            2 => FieldRef::value(&self.node_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.attacher),
            1 => FieldMut::message(&mut self.source),
            2 => FieldMut::value(&mut self.node_name),
            _ => FieldMut::NONE,
        }
    }
}
