// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CapacityRequestPolicyRange;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Quantity, Shared};

/// [`CapacityRequestPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicy-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CapacityRequestPolicy {
    /// [`default`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicy-v1-resource-k8s-io): optional.
    pub default: Option<Quantity>,
    /// [`validValues`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicy-v1-resource-k8s-io): optional. Apply replaces the list.
    pub valid_values: List<Quantity>,
    /// [`validRange`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicy-v1-resource-k8s-io): optional.
    pub valid_range: Option<Shared<CapacityRequestPolicyRange>>,
}

impl CapacityRequestPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { default: None, valid_values: List::EMPTY, valid_range: None };
}

client_rs_machinery::message!(CapacityRequestPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CapacityRequestPolicy",
    type_meta: None,
    fields: &[
        Field::new("default", Flags::NONE),
        Field::new("validValues", Flags::OMIT_EMPTY),
        Field::new("validRange", Flags::OMIT_EMPTY).of::<CapacityRequestPolicyRange>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for CapacityRequestPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.default),
            1 => FieldRef::value(&self.valid_values),
            2 => FieldRef::optional(&self.valid_range),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.default),
            1 => FieldMut::value(&mut self.valid_values),
            2 => FieldMut::optional(&mut self.valid_range),
            _ => FieldMut::NONE,
        }
    }
}
