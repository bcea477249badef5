// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourceClaimConsumerReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimConsumerReference {
    /// [`apiGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta2-resource-k8s-io): optional.
    pub api_group: Str,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta2-resource-k8s-io): required.
    pub resource: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta2-resource-k8s-io): required.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimconsumerreference-v1beta2-resource-k8s-io): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_group),
            1 => FieldRef::value(&self.resource),
            2 => FieldRef::value(&self.name),
            3 => FieldRef::value(&self.uid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_group),
            1 => FieldMut::value(&mut self.resource),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.uid),
            _ => FieldMut::NONE,
        }
    }
}
