// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AWSElasticBlockStoreVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#awselasticblockstorevolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct AWSElasticBlockStoreVolumeSource {
    /// [`volumeID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#awselasticblockstorevolumesource-v1-core): required.
    pub volume_id: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#awselasticblockstorevolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`partition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#awselasticblockstorevolumesource-v1-core): optional.
    pub partition: i32,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#awselasticblockstorevolumesource-v1-core): optional.
    pub read_only: bool,
}

impl AWSElasticBlockStoreVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { volume_id: Str::EMPTY, fs_type: Str::EMPTY, partition: 0, read_only: false };
}

client_rs_machinery::message!(AWSElasticBlockStoreVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AWSElasticBlockStoreVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("volumeID", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("partition", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for AWSElasticBlockStoreVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.volume_id),
            1 => FieldRef::value(&self.fs_type),
            2 => FieldRef::value(&self.partition),
            3 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.volume_id),
            1 => FieldMut::value(&mut self.fs_type),
            2 => FieldMut::value(&mut self.partition),
            3 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
