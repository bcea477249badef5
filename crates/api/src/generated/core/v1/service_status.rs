// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LoadBalancerStatus;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ServiceStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceStatus {
    /// [`loadBalancer`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicestatus-v1-core): optional.
    pub load_balancer: LoadBalancerStatus,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicestatus-v1-core): optional, since 1.20. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
}

impl ServiceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { load_balancer: LoadBalancerStatus::EMPTY, conditions: List::EMPTY };
}

client_rs_machinery::message!(ServiceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceStatus",
    type_meta: None,
    fields: &[
        Field::new("loadBalancer", Flags::OMIT_EMPTY).of::<LoadBalancerStatus>(),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ServiceStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.load_balancer),
            1 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.load_balancer),
            1 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
