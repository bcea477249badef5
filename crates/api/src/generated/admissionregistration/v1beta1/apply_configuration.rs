// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ApplyConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyconfiguration-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ApplyConfiguration {
    /// [`expression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyconfiguration-v1beta1-admissionregistration-k8s-io): optional.
    pub expression: Str,
}

impl ApplyConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { expression: Str::EMPTY };
}

client_rs_machinery::message!(ApplyConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ApplyConfiguration",
    type_meta: None,
    fields: &[Field::new("expression", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ApplyConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.expression),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.expression),
            _ => FieldMut::NONE,
        }
    }
}
