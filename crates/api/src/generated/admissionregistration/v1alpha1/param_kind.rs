// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ParamKind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramkind-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ParamKind {
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramkind-v1alpha1-admissionregistration-k8s-io): optional.
    pub api_version: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramkind-v1alpha1-admissionregistration-k8s-io): optional.
    pub kind: Str,
}

impl ParamKind {
    /// Every field empty.
    pub const EMPTY: Self = Self { api_version: Str::EMPTY, kind: Str::EMPTY };
}

client_rs_machinery::message!(ParamKind, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ParamKind",
    type_meta: None,
    fields: &[Field::new("apiVersion", Flags::OMIT_EMPTY), Field::new("kind", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ParamKind {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_version),
            1 => FieldRef::value(&self.kind),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_version),
            1 => FieldMut::value(&mut self.kind),
            _ => FieldMut::NONE,
        }
    }
}
