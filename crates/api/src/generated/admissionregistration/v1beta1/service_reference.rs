// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ServiceReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicereference-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ServiceReference {
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicereference-v1beta1-admissionregistration-k8s-io): optional.
    pub namespace: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicereference-v1beta1-admissionregistration-k8s-io): optional.
    pub name: Str,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicereference-v1beta1-admissionregistration-k8s-io): optional.
    pub path: Option<Str>,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicereference-v1beta1-admissionregistration-k8s-io): optional.
    pub port: Option<i32>,
}

impl ServiceReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { namespace: Str::EMPTY, name: Str::EMPTY, path: None, port: None };
}

client_rs_machinery::message!(ServiceReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceReference",
    type_meta: None,
    fields: &[
        Field::new("namespace", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("path", Flags::OMIT_EMPTY),
        Field::new("port", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ServiceReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.namespace),
            1 => FieldRef::value(&self.name),
            2 => FieldRef::value(&self.path),
            3 => FieldRef::value(&self.port),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.namespace),
            1 => FieldMut::value(&mut self.name),
            2 => FieldMut::value(&mut self.path),
            3 => FieldMut::value(&mut self.port),
            _ => FieldMut::NONE,
        }
    }
}
