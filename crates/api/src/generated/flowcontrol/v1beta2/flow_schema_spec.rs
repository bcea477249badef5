// Made by `cargo xtask codegen` from schema: change those, not this.
use super::FlowDistinguisherMethod;
use super::PolicyRulesWithSubjects;
use super::PriorityLevelConfigurationReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared};

/// [FlowSchemaSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowschemaspec-v1beta2-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct FlowSchemaSpec {
    pub priority_level_configuration: PriorityLevelConfigurationReference,
    pub matching_precedence: i32,
    pub distinguisher_method: Option<Shared<FlowDistinguisherMethod>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.priority_level_configuration,
            1 => &self.matching_precedence,
            2 => &self.distinguisher_method,
            3 => &self.rules,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.priority_level_configuration,
            1 => &mut self.matching_precedence,
            2 => &mut self.distinguisher_method,
            3 => &mut self.rules,
            _ => return None,
        })
    }
}
