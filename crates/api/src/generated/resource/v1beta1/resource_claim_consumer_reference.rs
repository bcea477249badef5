// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ResourceClaimConsumerReference](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimConsumerReference {
    pub api_group: Str,
    pub resource: Str,
    pub name: Str,
    pub uid: Str,
}

impl ResourceClaimConsumerReference {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { api_group: Str::EMPTY, resource: Str::EMPTY, name: Str::EMPTY, uid: Str::EMPTY };
}

client_rs_machinery::message!(ResourceClaimConsumerReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaimConsumerReference",
    type_meta: None,
    fields: &[
        Field::new("apiGroup", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("uid", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(3, 1), Wire::field(4, 2), Wire::field(5, 3)],
};

impl Fields for ResourceClaimConsumerReference {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.api_group,
            1 => &self.resource,
            2 => &self.name,
            3 => &self.uid,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.api_group,
            1 => &mut self.resource,
            2 => &mut self.name,
            3 => &mut self.uid,
            _ => return None,
        })
    }
}
