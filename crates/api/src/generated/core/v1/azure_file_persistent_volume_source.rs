// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AzureFilePersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilepersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct AzureFilePersistentVolumeSource {
    /// [`secretName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilepersistentvolumesource-v1-core): required.
    pub secret_name: Str,
    /// [`shareName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilepersistentvolumesource-v1-core): required.
    pub share_name: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilepersistentvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`secretNamespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurefilepersistentvolumesource-v1-core): optional.
    pub secret_namespace: Option<Str>,
}

impl AzureFilePersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { secret_name: Str::EMPTY, share_name: Str::EMPTY, read_only: false, secret_namespace: None };
}

client_rs_machinery::message!(AzureFilePersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AzureFilePersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("secretName", Flags::NONE),
        Field::new("shareName", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("secretNamespace", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for AzureFilePersistentVolumeSource {
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
            3 => FieldRef::value(&self.secret_namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.secret_name),
            1 => FieldMut::value(&mut self.share_name),
            2 => FieldMut::value(&mut self.read_only),
            3 => FieldMut::value(&mut self.secret_namespace),
            _ => FieldMut::NONE,
        }
    }
}
