// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HorizontalPodAutoscaler;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ListMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`HorizontalPodAutoscalerList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerlist-v2-autoscaling) of `autoscaling/v2`. Since 1.23.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscalerList {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerlist-v2-autoscaling): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerlist-v2-autoscaling): required. The objects of the list.
    pub items: List<HorizontalPodAutoscaler>,
}

impl HorizontalPodAutoscalerList {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: List::EMPTY };
}

client_rs_machinery::message!(HorizontalPodAutoscalerList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HorizontalPodAutoscalerList",
    type_meta: Some(TypeMeta {
        api_version: "autoscaling/v2",
        kind: "HorizontalPodAutoscalerList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<HorizontalPodAutoscaler>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for HorizontalPodAutoscalerList {
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

client_rs_machinery::object_list!(HorizontalPodAutoscalerList, HorizontalPodAutoscaler);
