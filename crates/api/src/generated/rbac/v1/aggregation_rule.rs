// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AggregationRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#aggregationrule-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct AggregationRule {
    /// [`clusterRoleSelectors`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#aggregationrule-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub cluster_role_selectors: List<LabelSelector>,
}

impl AggregationRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { cluster_role_selectors: List::EMPTY };
}

client_rs_machinery::message!(AggregationRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AggregationRule",
    type_meta: None,
    fields: &[Field::new("clusterRoleSelectors", Flags::OMIT_EMPTY).of::<LabelSelector>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for AggregationRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.cluster_role_selectors),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.cluster_role_selectors),
            _ => FieldMut::NONE,
        }
    }
}
