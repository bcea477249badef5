// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ShardInfo;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{Shared, Str};

/// [`ListMeta`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ListMeta {
    /// [`selfLink`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta): optional, deprecated.
    pub self_link: Str,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta): optional, set by the system.
    pub resource_version: Str,
    /// [`continue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta): optional.
    pub continue_: Str,
    /// [`remainingItemCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta): optional.
    pub remaining_item_count: Option<i64>,
    /// [`shardInfo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listmeta-v1-meta): optional, since 1.36. Feature gate `ShardedListAndWatch`.
    pub shard_info: Option<Shared<ShardInfo>>,
}

impl ListMeta {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        self_link: Str::EMPTY,
        resource_version: Str::EMPTY,
        continue_: Str::EMPTY,
        remaining_item_count: None,
        shard_info: None,
    };
}

crate::message!(ListMeta, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ListMeta",
    type_meta: None,
    fields: &[
        Field::new("selfLink", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("continue", Flags::OMIT_EMPTY),
        Field::new("remainingItemCount", Flags::OMIT_EMPTY),
        Field::new("shardInfo", Flags::OMIT_EMPTY).of::<ShardInfo>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ListMeta {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.self_link),
            1 => FieldRef::value(&self.resource_version),
            2 => FieldRef::value(&self.continue_),
            3 => FieldRef::value(&self.remaining_item_count),
            4 => FieldRef::optional(&self.shard_info),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.self_link),
            1 => FieldMut::value(&mut self.resource_version),
            2 => FieldMut::value(&mut self.continue_),
            3 => FieldMut::value(&mut self.remaining_item_count),
            4 => FieldMut::optional(&mut self.shard_info),
            _ => FieldMut::NONE,
        }
    }
}
