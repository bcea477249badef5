// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DownwardAPIVolumeFile;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DownwardAPIVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct DownwardAPIVolumeSource {
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumesource-v1-core): optional. Apply replaces the list.
    pub items: List<DownwardAPIVolumeFile>,
    /// [`defaultMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumesource-v1-core): optional. Defaults to `420`.
    pub default_mode: Option<i32>,
    /// [`defaultUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapivolumesource-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub default_user: Option<i64>,
}

impl DownwardAPIVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { items: List::EMPTY, default_mode: None, default_user: None };
}

client_rs_machinery::message!(DownwardAPIVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DownwardAPIVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("items", Flags::OMIT_EMPTY).of::<DownwardAPIVolumeFile>(),
        Field::new("defaultMode", Flags::OMIT_EMPTY),
        Field::new("defaultUser", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DownwardAPIVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.items),
            1 => FieldRef::value(&self.default_mode),
            2 => FieldRef::value(&self.default_user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.items),
            1 => FieldMut::value(&mut self.default_mode),
            2 => FieldMut::value(&mut self.default_user),
            _ => FieldMut::NONE,
        }
    }
}
