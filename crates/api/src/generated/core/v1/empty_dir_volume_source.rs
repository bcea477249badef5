// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`EmptyDirVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#emptydirvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EmptyDirVolumeSource {
    /// [`medium`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#emptydirvolumesource-v1-core): optional. Known values: `""`, `HugePages`, `HugePages-`, `Memory`.
    pub medium: Str,
    /// [`sizeLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#emptydirvolumesource-v1-core): optional.
    pub size_limit: Option<Quantity>,
    /// [`mode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#emptydirvolumesource-v1-core): optional, since 1.37. Defaults to `511`. Feature gate `EmptyDirVolumeMode`.
    pub mode: Option<i32>,
}

impl EmptyDirVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { medium: Str::EMPTY, size_limit: None, mode: None };
}

client_rs_machinery::message!(EmptyDirVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EmptyDirVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("medium", Flags::OMIT_EMPTY),
        Field::new("sizeLimit", Flags::OMIT_EMPTY),
        Field::new("mode", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EmptyDirVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.medium),
            1 => FieldRef::value(&self.size_limit),
            2 => FieldRef::value(&self.mode),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.medium),
            1 => FieldMut::value(&mut self.size_limit),
            2 => FieldMut::value(&mut self.mode),
            _ => FieldMut::NONE,
        }
    }
}
