// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NamedRuleWithOperations;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`MatchResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct MatchResources {
    /// [`namespaceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io): optional.
    pub namespace_selector: Option<Shared<LabelSelector>>,
    /// [`objectSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io): optional.
    pub object_selector: Option<Shared<LabelSelector>>,
    /// [`resourceRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub resource_rules: List<NamedRuleWithOperations>,
    /// [`excludeResourceRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub exclude_resource_rules: List<NamedRuleWithOperations>,
    /// [`matchPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchresources-v1beta1-admissionregistration-k8s-io): optional. Known values: `Equivalent`, `Exact`. Defaults to `Equivalent`.
    pub match_policy: Option<Str>,
}

impl MatchResources {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        namespace_selector: None,
        object_selector: None,
        resource_rules: List::EMPTY,
        exclude_resource_rules: List::EMPTY,
        match_policy: None,
    };
}

client_rs_machinery::message!(MatchResources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MatchResources",
    type_meta: None,
    fields: &[
        Field::new("namespaceSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("objectSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("resourceRules", Flags::OMIT_EMPTY).of::<NamedRuleWithOperations>(),
        Field::new("excludeResourceRules", Flags::OMIT_EMPTY).of::<NamedRuleWithOperations>(),
        Field::new("matchPolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(7, 4)],
};

impl Fields for MatchResources {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.namespace_selector),
            1 => FieldRef::optional(&self.object_selector),
            2 => FieldRef::list(&self.resource_rules),
            3 => FieldRef::list(&self.exclude_resource_rules),
            4 => FieldRef::value(&self.match_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.namespace_selector),
            1 => FieldMut::optional(&mut self.object_selector),
            2 => FieldMut::list(&mut self.resource_rules),
            3 => FieldMut::list(&mut self.exclude_resource_rules),
            4 => FieldMut::value(&mut self.match_policy),
            _ => FieldMut::NONE,
        }
    }
}
