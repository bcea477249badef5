// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [WorkloadPodGroupResourceClaim](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupresourceclaim-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct WorkloadPodGroupResourceClaim {
    pub name: Str,
    pub resource_claim_name: Option<Str>,
    pub resource_claim_template_name: Option<Str>,
}

impl WorkloadPodGroupResourceClaim {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, resource_claim_name: None, resource_claim_template_name: None };
}

client_rs_machinery::message!(WorkloadPodGroupResourceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadPodGroupResourceClaim",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("resourceClaimName", Flags::OMIT_EMPTY),
        Field::new("resourceClaimTemplateName", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for WorkloadPodGroupResourceClaim {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.resource_claim_name,
            2 => &self.resource_claim_template_name,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.resource_claim_name,
            2 => &mut self.resource_claim_template_name,
            _ => return None,
        })
    }
}
