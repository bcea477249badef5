// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity, Str};

/// [`LimitRangeItem`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LimitRangeItem {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): required. Known values: `Container`, `PersistentVolumeClaim`, `Pod`.
    pub type_: Str,
    /// [`max`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): optional.
    pub max: Map<Quantity>,
    /// [`min`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): optional.
    pub min: Map<Quantity>,
    /// [`default`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): optional.
    pub default: Map<Quantity>,
    /// [`defaultRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): optional.
    pub default_request: Map<Quantity>,
    /// [`maxLimitRequestRatio`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangeitem-v1-core): optional.
    pub max_limit_request_ratio: Map<Quantity>,
}

impl LimitRangeItem {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        max: Map::EMPTY,
        min: Map::EMPTY,
        default: Map::EMPTY,
        default_request: Map::EMPTY,
        max_limit_request_ratio: Map::EMPTY,
    };
}

client_rs_machinery::message!(LimitRangeItem, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LimitRangeItem",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("max", Flags::OMIT_EMPTY),
        Field::new("min", Flags::OMIT_EMPTY),
        Field::new("default", Flags::OMIT_EMPTY),
        Field::new("defaultRequest", Flags::OMIT_EMPTY),
        Field::new("maxLimitRequestRatio", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for LimitRangeItem {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.max),
            2 => FieldRef::value(&self.min),
            3 => FieldRef::value(&self.default),
            4 => FieldRef::value(&self.default_request),
            5 => FieldRef::value(&self.max_limit_request_ratio),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.max),
            2 => FieldMut::value(&mut self.min),
            3 => FieldMut::value(&mut self.default),
            4 => FieldMut::value(&mut self.default_request),
            5 => FieldMut::value(&mut self.max_limit_request_ratio),
            _ => FieldMut::NONE,
        }
    }
}
