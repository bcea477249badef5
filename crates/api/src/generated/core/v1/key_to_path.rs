// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`KeyToPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#keytopath-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct KeyToPath {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#keytopath-v1-core): required.
    pub key: Str,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#keytopath-v1-core): required.
    pub path: Str,
    /// [`mode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#keytopath-v1-core): optional.
    pub mode: Option<i32>,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#keytopath-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub user: Option<i64>,
}

impl KeyToPath {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, path: Str::EMPTY, mode: None, user: None };
}

client_rs_machinery::message!(KeyToPath, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "KeyToPath",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("mode", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for KeyToPath {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.path),
            2 => FieldRef::value(&self.mode),
            3 => FieldRef::value(&self.user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.path),
            2 => FieldMut::value(&mut self.mode),
            3 => FieldMut::value(&mut self.user),
            _ => FieldMut::NONE,
        }
    }
}
