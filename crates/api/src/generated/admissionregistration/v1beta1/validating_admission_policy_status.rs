// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TypeChecking;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`ValidatingAdmissionPolicyStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicystatus-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicyStatus {
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicystatus-v1beta1-admissionregistration-k8s-io): optional.
    pub observed_generation: i64,
    /// [`typeChecking`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicystatus-v1beta1-admissionregistration-k8s-io): optional.
    pub type_checking: Option<Shared<TypeChecking>>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicystatus-v1beta1-admissionregistration-k8s-io): optional.
    pub conditions: List<Condition>,
}

impl ValidatingAdmissionPolicyStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { observed_generation: 0, type_checking: None, conditions: List::EMPTY };
}

client_rs_machinery::message!(ValidatingAdmissionPolicyStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingAdmissionPolicyStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("typeChecking", Flags::OMIT_EMPTY).of::<TypeChecking>(),
        Field::new("conditions", Flags::OMIT_EMPTY).of::<Condition>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ValidatingAdmissionPolicyStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::optional(&self.type_checking),
            2 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::optional(&mut self.type_checking),
            2 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
