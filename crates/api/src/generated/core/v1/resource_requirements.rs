// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceClaim;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity};

/// [`ResourceRequirements`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerequirements-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceRequirements {
    /// [`limits`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerequirements-v1-core): optional.
    pub limits: Map<Quantity>,
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerequirements-v1-core): optional.
    pub requests: Map<Quantity>,
    /// [`claims`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerequirements-v1-core): optional, immutable in a pod, since 1.26. Apply merges entries by `name`. Feature gate `DynamicResourceAllocation`.
    pub claims: List<ResourceClaim>,
}

impl ResourceRequirements {
    /// Every field empty.
    pub const EMPTY: Self = Self { limits: Map::EMPTY, requests: Map::EMPTY, claims: List::EMPTY };
}

client_rs_machinery::message!(ResourceRequirements, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceRequirements",
    type_meta: None,
    fields: &[
        Field::new("limits", Flags::OMIT_EMPTY),
        Field::new("requests", Flags::OMIT_EMPTY),
        Field::new("claims", Flags::OMIT_EMPTY).of::<ResourceClaim>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceRequirements {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.limits),
            1 => FieldRef::value(&self.requests),
            2 => FieldRef::list(&self.claims),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.limits),
            1 => FieldMut::value(&mut self.requests),
            2 => FieldMut::list(&mut self.claims),
            _ => FieldMut::NONE,
        }
    }
}
