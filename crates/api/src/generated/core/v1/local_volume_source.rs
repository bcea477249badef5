// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LocalVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#localvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LocalVolumeSource {
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#localvolumesource-v1-core): required.
    pub path: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#localvolumesource-v1-core): optional.
    pub fs_type: Option<Str>,
}

impl LocalVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { path: Str::EMPTY, fs_type: None };
}

client_rs_machinery::message!(LocalVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LocalVolumeSource",
    type_meta: None,
    fields: &[Field::new("path", Flags::NONE), Field::new("fsType", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for LocalVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::value(&self.fs_type),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::value(&mut self.fs_type),
            _ => FieldMut::NONE,
        }
    }
}
