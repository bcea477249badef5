// Made by `cargo xtask codegen` from schema: change those, not this.
use super::KeyToPath;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ConfigMapVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ConfigMapVolumeSource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core): optional.
    pub name: Str,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core): optional. Apply replaces the list.
    pub items: List<KeyToPath>,
    /// [`defaultMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core): optional. Defaults to `420`.
    pub default_mode: Option<i32>,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core): optional.
    pub optional: Option<bool>,
    /// [`defaultUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapvolumesource-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub default_user: Option<i64>,
}

impl ConfigMapVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, items: List::EMPTY, default_mode: None, optional: None, default_user: None };
}

client_rs_machinery::message!(ConfigMapVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMapVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("items", Flags::OMIT_EMPTY).of::<KeyToPath>(),
        Field::new("defaultMode", Flags::OMIT_EMPTY),
        Field::new("optional", Flags::OMIT_EMPTY),
        Field::new("defaultUser", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::inline(1, &[Wire::field(1, 0)]),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
    ],
};

impl Fields for ConfigMapVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.items),
            2 => FieldRef::value(&self.default_mode),
            3 => FieldRef::value(&self.optional),
            4 => FieldRef::value(&self.default_user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.items),
            2 => FieldMut::value(&mut self.default_mode),
            3 => FieldMut::value(&mut self.optional),
            4 => FieldMut::value(&mut self.default_user),
            _ => FieldMut::NONE,
        }
    }
}
