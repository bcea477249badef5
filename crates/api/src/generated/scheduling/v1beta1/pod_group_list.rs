// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodGroup;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ListMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodGroupList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouplist-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`. Since 1.37.
#[derive(Clone, PartialEq)]
pub struct PodGroupList {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouplist-v1beta1-scheduling-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouplist-v1beta1-scheduling-k8s-io): required. The objects of the list.
    pub items: List<PodGroup>,
}

impl PodGroupList {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: List::EMPTY };
}

client_rs_machinery::message!(PodGroupList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroupList",
    type_meta: Some(TypeMeta {
        api_version: "scheduling.k8s.io/v1beta1",
        kind: "PodGroupList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<PodGroup>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodGroupList {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.items),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.items),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object_list!(PodGroupList, PodGroup);
