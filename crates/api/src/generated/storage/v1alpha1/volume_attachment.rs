// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeAttachmentSpec;
use super::VolumeAttachmentStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `VolumeAttachment` of `storage.k8s.io/v1alpha1`. Since 1.9. Deprecated since 1.21. Replaced by `VolumeAttachment` of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttachment {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required, immutable. The desired state.
    pub spec: VolumeAttachmentSpec,
    /// `status`: optional. The observed state.
    pub status: VolumeAttachmentStatus,
}

impl VolumeAttachment {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: VolumeAttachmentSpec::EMPTY,
        status: VolumeAttachmentStatus::EMPTY,
    };
}

client_rs_machinery::message!(VolumeAttachment, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeAttachment",
    type_meta: Some(TypeMeta {
        api_version: "storage.k8s.io/v1alpha1",
        kind: "VolumeAttachment",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<VolumeAttachmentSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<VolumeAttachmentStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for VolumeAttachment {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(VolumeAttachment, "storage.k8s.io/v1alpha1", "VolumeAttachment");

impl client_rs_machinery::Resource for VolumeAttachment {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1alpha1",
        kind: "VolumeAttachment",
        plural: "volumeattachments",
        singular: "volumeattachment",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "storage.k8s.io",
            version: "v1alpha1",
            kind: "VolumeAttachment",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(VolumeAttachment: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
