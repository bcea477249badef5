// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectFieldSelector;
use super::ResourceFieldSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`DownwardAPIVolumeFile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct DownwardAPIVolumeFile {
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core): required.
    pub path: Str,
    /// [`fieldRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core): optional.
    pub field_ref: Option<Shared<ObjectFieldSelector>>,
    /// [`resourceFieldRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core): optional.
    pub resource_field_ref: Option<Shared<ResourceFieldSelector>>,
    /// [`mode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core): optional.
    pub mode: Option<i32>,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumefile-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub user: Option<i64>,
}

impl DownwardAPIVolumeFile {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { path: Str::EMPTY, field_ref: None, resource_field_ref: None, mode: None, user: None };
}

client_rs_machinery::message!(DownwardAPIVolumeFile, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DownwardAPIVolumeFile",
    type_meta: None,
    fields: &[
        Field::new("path", Flags::NONE),
        Field::new("fieldRef", Flags::OMIT_EMPTY).of::<ObjectFieldSelector>(),
        Field::new("resourceFieldRef", Flags::OMIT_EMPTY).of::<ResourceFieldSelector>(),
        Field::new("mode", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for DownwardAPIVolumeFile {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::optional(&self.field_ref),
            2 => FieldRef::optional(&self.resource_field_ref),
            3 => FieldRef::value(&self.mode),
            4 => FieldRef::value(&self.user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::optional(&mut self.field_ref),
            2 => FieldMut::optional(&mut self.resource_field_ref),
            3 => FieldMut::value(&mut self.mode),
            4 => FieldMut::value(&mut self.user),
            _ => FieldMut::NONE,
        }
    }
}
