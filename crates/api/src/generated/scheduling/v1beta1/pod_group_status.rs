// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodGroupResourceClaimStatus;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodGroupStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupstatus-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PodGroupStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupstatus-v1beta1-scheduling-k8s-io): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
    /// [`resourceClaimStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupstatus-v1beta1-scheduling-k8s-io): optional. At most 4 entries. Apply and strategic merge patch merge entries by `name`. Patch strategy `retainKeys`. Feature gate `DRAWorkloadResourceClaims`.
    pub resource_claim_statuses: List<PodGroupResourceClaimStatus>,
}

impl PodGroupStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY, resource_claim_statuses: List::EMPTY };
}

client_rs_machinery::message!(PodGroupStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroupStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
        Field::new(
            "resourceClaimStatuses",
            Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE).and(Flags::PATCH_RETAIN_KEYS),
        )
        .of::<PodGroupResourceClaimStatus>()
        .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodGroupStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::list(&self.resource_claim_statuses),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::list(&mut self.resource_claim_statuses),
            _ => FieldMut::NONE,
        }
    }
}
