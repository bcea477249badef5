// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`FlockerVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flockervolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FlockerVolumeSource {
    /// [`datasetName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flockervolumesource-v1-core): optional.
    pub dataset_name: Str,
    /// [`datasetUUID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flockervolumesource-v1-core): optional.
    pub dataset_uuid: Str,
}

impl FlockerVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { dataset_name: Str::EMPTY, dataset_uuid: Str::EMPTY };
}

client_rs_machinery::message!(FlockerVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlockerVolumeSource",
    type_meta: None,
    fields: &[Field::new("datasetName", Flags::OMIT_EMPTY), Field::new("datasetUUID", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for FlockerVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.dataset_name),
            1 => FieldRef::value(&self.dataset_uuid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.dataset_name),
            1 => FieldMut::value(&mut self.dataset_uuid),
            _ => FieldMut::NONE,
        }
    }
}
