// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AzureFileVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilevolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct AzureFileVolumeSource {
    /// [`secretName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilevolumesource-v1-core): required.
    pub secret_name: Str,
    /// [`shareName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilevolumesource-v1-core): required.
    pub share_name: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilevolumesource-v1-core): optional.
    pub read_only: bool,
}

impl AzureFileVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { secret_name: Str::EMPTY, share_name: Str::EMPTY, read_only: false };
}

client_rs_machinery::message!(AzureFileVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AzureFileVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("secretName", Flags::NONE),
        Field::new("shareName", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for AzureFileVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.secret_name),
            1 => FieldRef::value(&self.share_name),
            2 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.secret_name),
            1 => FieldMut::value(&mut self.share_name),
            2 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
