// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodSignature`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsignature-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSignature {
    /// [`podController`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsignature-v1-core): optional.
    pub pod_controller: Option<Shared<OwnerReference>>,
}

impl PodSignature {
    /// Every field empty.
    pub const EMPTY: Self = Self { pod_controller: None };
}

client_rs_machinery::message!(PodSignature, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodSignature",
    type_meta: None,
    fields: &[Field::new("podController", Flags::OMIT_EMPTY).of::<OwnerReference>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodSignature {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.pod_controller),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.pod_controller),
            _ => FieldMut::NONE,
        }
    }
}
