// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PoolStatus;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourcePoolStatusRequestStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequeststatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct ResourcePoolStatusRequestStatus {
    /// [`poolCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequeststatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub pool_count: Option<i32>,
    /// [`pools`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequeststatus-v1alpha3-resource-k8s-io): optional. At most 1000 entries. Apply replaces the list.
    pub pools: List<PoolStatus>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequeststatus-v1alpha3-resource-k8s-io): optional. At most 10 entries. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
}

impl ResourcePoolStatusRequestStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { pool_count: None, pools: List::EMPTY, conditions: List::EMPTY };
}

client_rs_machinery::message!(ResourcePoolStatusRequestStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePoolStatusRequestStatus",
    type_meta: None,
    fields: &[
        Field::new("poolCount", Flags::OMIT_EMPTY),
        Field::new("pools", Flags::OMIT_EMPTY).of::<PoolStatus>(),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
    ],
    wire: &[Wire::field(2, 1), Wire::field(3, 2), Wire::field(6, 0)],
};

impl Fields for ResourcePoolStatusRequestStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pool_count),
            1 => FieldRef::list(&self.pools),
            2 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pool_count),
            1 => FieldMut::list(&mut self.pools),
            2 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
