// Made by `cargo xtask codegen` from schema: change those, not this.
use super::FlowDistinguisherMethod;
use super::PolicyRulesWithSubjects;
use super::PriorityLevelConfigurationReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`FlowSchemaSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct FlowSchemaSpec {
    /// [`priorityLevelConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1-flowcontrol-apiserver-k8s-io): required.
    pub priority_level_configuration: PriorityLevelConfigurationReference,
    /// [`matchingPrecedence`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1-flowcontrol-apiserver-k8s-io): optional.
    pub matching_precedence: i32,
    /// [`distinguisherMethod`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1-flowcontrol-apiserver-k8s-io): optional.
    pub distinguisher_method: Option<Shared<FlowDistinguisherMethod>>,
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1-flowcontrol-apiserver-k8s-io): optional. Apply replaces the list.
    pub rules: List<PolicyRulesWithSubjects>,
}

impl FlowSchemaSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        priority_level_configuration: PriorityLevelConfigurationReference::EMPTY,
        matching_precedence: 0,
        distinguisher_method: None,
        rules: List::EMPTY,
    };
}

client_rs_machinery::message!(FlowSchemaSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlowSchemaSpec",
    type_meta: None,
    fields: &[
        Field::new("priorityLevelConfiguration", Flags::NONE).of::<PriorityLevelConfigurationReference>(),
        Field::new("matchingPrecedence", Flags::NONE),
        Field::new("distinguisherMethod", Flags::OMIT_EMPTY).of::<FlowDistinguisherMethod>(),
        Field::new("rules", Flags::OMIT_EMPTY).of::<PolicyRulesWithSubjects>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for FlowSchemaSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.priority_level_configuration),
            1 => FieldRef::value(&self.matching_precedence),
            2 => FieldRef::optional(&self.distinguisher_method),
            3 => FieldRef::list(&self.rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.priority_level_configuration),
            1 => FieldMut::value(&mut self.matching_precedence),
            2 => FieldMut::optional(&mut self.distinguisher_method),
            3 => FieldMut::list(&mut self.rules),
            _ => FieldMut::NONE,
        }
    }
}
