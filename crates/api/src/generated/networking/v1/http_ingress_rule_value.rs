// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HTTPIngressPath;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HTTPIngressRuleValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpingressrulevalue-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct HTTPIngressRuleValue {
    /// [`paths`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpingressrulevalue-v1-networking-k8s-io): required. Apply replaces the list.
    pub paths: List<HTTPIngressPath>,
}

impl HTTPIngressRuleValue {
    /// Every field empty.
    pub const EMPTY: Self = Self { paths: List::EMPTY };
}

client_rs_machinery::message!(HTTPIngressRuleValue, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HTTPIngressRuleValue",
    type_meta: None,
    fields: &[Field::new("paths", Flags::NONE).of::<HTTPIngressPath>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for HTTPIngressRuleValue {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.paths),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.paths),
            _ => FieldMut::NONE,
        }
    }
}
