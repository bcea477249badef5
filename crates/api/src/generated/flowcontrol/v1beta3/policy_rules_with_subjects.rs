// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourcePolicyRule;
use super::ResourcePolicyRule;
use super::Subject;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `PolicyRulesWithSubjects` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct PolicyRulesWithSubjects {
    /// `subjects`: required. Apply replaces the list.
    pub subjects: List<Subject>,
    /// `resourceRules`: optional. Apply replaces the list.
    pub resource_rules: List<ResourcePolicyRule>,
    /// `nonResourceRules`: optional. Apply replaces the list.
    pub non_resource_rules: List<NonResourcePolicyRule>,
}

impl PolicyRulesWithSubjects {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { subjects: List::EMPTY, resource_rules: List::EMPTY, non_resource_rules: List::EMPTY };
}

client_rs_machinery::message!(PolicyRulesWithSubjects, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PolicyRulesWithSubjects",
    type_meta: None,
    fields: &[
        Field::new("subjects", Flags::NONE).of::<Subject>(),
        Field::new("resourceRules", Flags::OMIT_EMPTY).of::<ResourcePolicyRule>(),
        Field::new("nonResourceRules", Flags::OMIT_EMPTY).of::<NonResourcePolicyRule>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PolicyRulesWithSubjects {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.subjects),
            1 => FieldRef::list(&self.resource_rules),
            2 => FieldRef::list(&self.non_resource_rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.subjects),
            1 => FieldMut::list(&mut self.resource_rules),
            2 => FieldMut::list(&mut self.non_resource_rules),
            _ => FieldMut::NONE,
        }
    }
}
