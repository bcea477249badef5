// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`FileKeySelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FileKeySelector {
    /// [`volumeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core): required.
    pub volume_name: Str,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core): required.
    pub path: Str,
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core): required.
    pub key: Str,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core): optional. Defaults to `false`.
    pub optional: Option<bool>,
}

impl FileKeySelector {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { volume_name: Str::EMPTY, path: Str::EMPTY, key: Str::EMPTY, optional: None };
}

client_rs_machinery::message!(FileKeySelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FileKeySelector",
    type_meta: None,
    fields: &[
        Field::new("volumeName", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("key", Flags::NONE),
        Field::new("optional", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for FileKeySelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.volume_name),
            1 => FieldRef::value(&self.path),
            2 => FieldRef::value(&self.key),
            3 => FieldRef::value(&self.optional),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.volume_name),
            1 => FieldMut::value(&mut self.path),
            2 => FieldMut::value(&mut self.key),
            3 => FieldMut::value(&mut self.optional),
            _ => FieldMut::NONE,
        }
    }
}
