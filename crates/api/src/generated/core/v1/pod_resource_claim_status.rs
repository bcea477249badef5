// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodResourceClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podresourceclaimstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodResourceClaimStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podresourceclaimstatus-v1-core): required.
    pub name: Str,
    /// [`resourceClaimName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podresourceclaimstatus-v1-core): optional.
    pub resource_claim_name: Option<Str>,
}

impl PodResourceClaimStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, resource_claim_name: None };
}

client_rs_machinery::message!(PodResourceClaimStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodResourceClaimStatus",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("resourceClaimName", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodResourceClaimStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.resource_claim_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.resource_claim_name),
            _ => FieldMut::NONE,
        }
    }
}
