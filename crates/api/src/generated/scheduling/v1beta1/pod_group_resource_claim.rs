// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodGroupResourceClaim`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupresourceclaim-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PodGroupResourceClaim {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupresourceclaim-v1beta1-scheduling-k8s-io): required. A DNS label.
    pub name: Str,
    /// [`resourceClaimName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupresourceclaim-v1beta1-scheduling-k8s-io): optional. A DNS subdomain.
    pub resource_claim_name: Option<Str>,
    /// [`resourceClaimTemplateName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupresourceclaim-v1beta1-scheduling-k8s-io): optional, immutable. A DNS subdomain.
    pub resource_claim_template_name: Option<Str>,
}

impl PodGroupResourceClaim {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, resource_claim_name: None, resource_claim_template_name: None };
}

client_rs_machinery::message!(PodGroupResourceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroupResourceClaim",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("resourceClaimName", Flags::OMIT_EMPTY),
        Field::new("resourceClaimTemplateName", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodGroupResourceClaim {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.resource_claim_name),
            2 => FieldRef::value(&self.resource_claim_template_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.resource_claim_name),
            2 => FieldMut::value(&mut self.resource_claim_template_name),
            _ => FieldMut::NONE,
        }
    }
}
