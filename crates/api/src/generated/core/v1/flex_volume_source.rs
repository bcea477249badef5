// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LocalObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [`FlexVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FlexVolumeSource {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core): required.
    pub driver: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core): optional.
    pub secret_ref: Option<Shared<LocalObjectReference>>,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`options`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexvolumesource-v1-core): optional.
    pub options: Map<Str>,
}

impl FlexVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        fs_type: Str::EMPTY,
        secret_ref: None,
        read_only: false,
        options: Map::EMPTY,
    };
}

client_rs_machinery::message!(FlexVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlexVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<LocalObjectReference>(),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("options", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for FlexVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.fs_type),
            2 => FieldRef::optional(&self.secret_ref),
            3 => FieldRef::value(&self.read_only),
            4 => FieldRef::value(&self.options),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.fs_type),
            2 => FieldMut::optional(&mut self.secret_ref),
            3 => FieldMut::value(&mut self.read_only),
            4 => FieldMut::value(&mut self.options),
            _ => FieldMut::NONE,
        }
    }
}
