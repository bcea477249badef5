// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::admissionregistration::v1::RuleWithOperations;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`NamedRuleWithOperations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namedrulewithoperations-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NamedRuleWithOperations {
    /// [`resourceNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namedrulewithoperations-v1beta1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub resource_names: List<Str>,
    /// Its fields are fields of this object in JSON.
    pub rule_with_operations: Shared<RuleWithOperations>,
}

impl NamedRuleWithOperations {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_names: List::EMPTY, rule_with_operations: Shared::DEFAULT };
}

impl std::ops::Deref for NamedRuleWithOperations {
    type Target = RuleWithOperations;

    fn deref(&self) -> &RuleWithOperations {
        &self.rule_with_operations
    }
}

impl std::ops::DerefMut for NamedRuleWithOperations {
    fn deref_mut(&mut self) -> &mut RuleWithOperations {
        &mut self.rule_with_operations
    }
}

client_rs_machinery::message!(NamedRuleWithOperations, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NamedRuleWithOperations",
    type_meta: None,
    fields: &[
        Field::new("resourceNames", Flags::OMIT_EMPTY),
        Field::new("rule_with_operations", Flags::INLINE).of::<RuleWithOperations>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NamedRuleWithOperations {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource_names),
            1 => FieldRef::shared(&self.rule_with_operations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource_names),
            1 => FieldMut::shared(&mut self.rule_with_operations),
            _ => FieldMut::NONE,
        }
    }
}
