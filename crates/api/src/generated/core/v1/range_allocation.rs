// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Blob, Str};

/// [`RangeAllocation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rangeallocation-v1-core) of `core/v1`. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct RangeAllocation {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rangeallocation-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`range`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rangeallocation-v1-core): optional.
    pub range: Str,
    /// [`data`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rangeallocation-v1-core): optional.
    pub data: Blob,
}

impl RangeAllocation {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, range: Str::EMPTY, data: Blob::EMPTY };
}

client_rs_machinery::message!(RangeAllocation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RangeAllocation",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "RangeAllocation", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("range", Flags::NONE),
        Field::new("data", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for RangeAllocation {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.range),
            2 => FieldRef::value(&self.data),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.range),
            2 => FieldMut::value(&mut self.data),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(RangeAllocation, "v1", "RangeAllocation");
