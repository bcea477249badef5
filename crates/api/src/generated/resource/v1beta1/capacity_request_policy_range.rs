// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Quantity;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CapacityRequestPolicyRange`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicyrange-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CapacityRequestPolicyRange {
    /// [`min`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicyrange-v1beta1-resource-k8s-io): required.
    pub min: Option<Quantity>,
    /// [`max`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicyrange-v1beta1-resource-k8s-io): optional.
    pub max: Option<Quantity>,
    /// [`step`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicyrange-v1beta1-resource-k8s-io): optional.
    pub step: Option<Quantity>,
}

impl CapacityRequestPolicyRange {
    /// Every field empty.
    pub const EMPTY: Self = Self { min: None, max: None, step: None };
}

client_rs_machinery::message!(CapacityRequestPolicyRange, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CapacityRequestPolicyRange",
    type_meta: None,
    fields: &[
        Field::new("min", Flags::OMIT_EMPTY),
        Field::new("max", Flags::OMIT_EMPTY),
        Field::new("step", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CapacityRequestPolicyRange {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.min),
            1 => FieldRef::value(&self.max),
            2 => FieldRef::value(&self.step),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.min),
            1 => FieldMut::value(&mut self.max),
            2 => FieldMut::value(&mut self.step),
            _ => FieldMut::NONE,
        }
    }
}
