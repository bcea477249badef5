// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerExtendedResourceRequest;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`PodExtendedResourceClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podextendedresourceclaimstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodExtendedResourceClaimStatus {
    /// [`requestMappings`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podextendedresourceclaimstatus-v1-core): required. Apply replaces the list.
    pub request_mappings: List<ContainerExtendedResourceRequest>,
    /// [`resourceClaimName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podextendedresourceclaimstatus-v1-core): required.
    pub resource_claim_name: Str,
}

impl PodExtendedResourceClaimStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { request_mappings: List::EMPTY, resource_claim_name: Str::EMPTY };
}

client_rs_machinery::message!(PodExtendedResourceClaimStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodExtendedResourceClaimStatus",
    type_meta: None,
    fields: &[
        Field::new("requestMappings", Flags::NONE).of::<ContainerExtendedResourceRequest>(),
        Field::new("resourceClaimName", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodExtendedResourceClaimStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.request_mappings),
            1 => FieldRef::value(&self.resource_claim_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.request_mappings),
            1 => FieldMut::value(&mut self.resource_claim_name),
            _ => FieldMut::NONE,
        }
    }
}
