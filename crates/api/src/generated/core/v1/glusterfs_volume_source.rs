// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GlusterfsVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfsvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GlusterfsVolumeSource {
    /// [`endpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfsvolumesource-v1-core): required.
    pub endpoints: Str,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfsvolumesource-v1-core): required.
    pub path: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfsvolumesource-v1-core): optional.
    pub read_only: bool,
}

impl GlusterfsVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { endpoints: Str::EMPTY, path: Str::EMPTY, read_only: false };
}

client_rs_machinery::message!(GlusterfsVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GlusterfsVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("endpoints", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for GlusterfsVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.endpoints),
            1 => FieldRef::value(&self.path),
            2 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.endpoints),
            1 => FieldMut::value(&mut self.path),
            2 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
