// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeAllocatableMappedResources;
use super::NodeAllocatableOverheadResources;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NodeAllocatableResourceClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresourceclaimstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableResourceClaimStatus {
    /// [`resourceClaimName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresourceclaimstatus-v1-core): required.
    pub resource_claim_name: Str,
    /// [`containers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresourceclaimstatus-v1-core): optional. Apply merges entries.
    pub containers: List<Str>,
    /// [`mapping`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresourceclaimstatus-v1-core): optional, since 1.37. Apply and strategic merge patch merge entries by `name`.
    pub mapping: List<NodeAllocatableMappedResources>,
    /// [`overhead`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableresourceclaimstatus-v1-core): optional, since 1.37. Apply and strategic merge patch merge entries by `name`.
    pub overhead: List<NodeAllocatableOverheadResources>,
}

impl NodeAllocatableResourceClaimStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource_claim_name: Str::EMPTY,
        containers: List::EMPTY,
        mapping: List::EMPTY,
        overhead: List::EMPTY,
    };
}

client_rs_machinery::message!(NodeAllocatableResourceClaimStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableResourceClaimStatus",
    type_meta: None,
    fields: &[
        Field::new("resourceClaimName", Flags::NONE),
        Field::new("containers", Flags::OMIT_EMPTY),
        Field::new("mapping", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NodeAllocatableMappedResources>()
            .merged_by("name"),
        Field::new("overhead", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NodeAllocatableOverheadResources>()
            .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2), Wire::field(5, 3)],
};

impl Fields for NodeAllocatableResourceClaimStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource_claim_name),
            1 => FieldRef::value(&self.containers),
            2 => FieldRef::list(&self.mapping),
            3 => FieldRef::list(&self.overhead),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource_claim_name),
            1 => FieldMut::value(&mut self.containers),
            2 => FieldMut::list(&mut self.mapping),
            3 => FieldMut::list(&mut self.overhead),
            _ => FieldMut::NONE,
        }
    }
}
