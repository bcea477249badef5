// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ImageVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ImageVolumeSource {
    /// [`reference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumesource-v1-core): optional.
    pub reference: Str,
    /// [`pullPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumesource-v1-core): optional. One of `Always`, `IfNotPresent`, `Never`.
    pub pull_policy: Str,
}

impl ImageVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { reference: Str::EMPTY, pull_policy: Str::EMPTY };
}

client_rs_machinery::message!(ImageVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageVolumeSource",
    type_meta: None,
    fields: &[Field::new("reference", Flags::OMIT_EMPTY), Field::new("pullPolicy", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ImageVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.reference),
            1 => FieldRef::value(&self.pull_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.reference),
            1 => FieldMut::value(&mut self.pull_policy),
            _ => FieldMut::NONE,
        }
    }
}
