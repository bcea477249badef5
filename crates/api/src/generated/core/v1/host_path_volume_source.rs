// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HostPathVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostpathvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct HostPathVolumeSource {
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostpathvolumesource-v1-core): required.
    pub path: Str,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hostpathvolumesource-v1-core): optional. One of `""`, `BlockDevice`, `CharDevice`, `Directory`, `DirectoryOrCreate`, `File`, `FileOrCreate`, `Socket`.
    pub type_: Option<Str>,
}

impl HostPathVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { path: Str::EMPTY, type_: None };
}

client_rs_machinery::message!(HostPathVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HostPathVolumeSource",
    type_meta: None,
    fields: &[Field::new("path", Flags::NONE), Field::new("type", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for HostPathVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::value(&self.type_),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::value(&mut self.type_),
            _ => FieldMut::NONE,
        }
    }
}
