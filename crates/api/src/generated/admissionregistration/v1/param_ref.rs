// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`ParamRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramref-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ParamRef {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramref-v1-admissionregistration-k8s-io): optional.
    pub name: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramref-v1-admissionregistration-k8s-io): optional.
    pub namespace: Str,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramref-v1-admissionregistration-k8s-io): optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`parameterNotFoundAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#paramref-v1-admissionregistration-k8s-io): optional. Known values: `Allow`, `Deny`.
    pub parameter_not_found_action: Option<Str>,
}

impl ParamRef {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, namespace: Str::EMPTY, selector: None, parameter_not_found_action: None };
}

client_rs_machinery::message!(ParamRef, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ParamRef",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("parameterNotFoundAction", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ParamRef {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.namespace),
            2 => FieldRef::optional(&self.selector),
            3 => FieldRef::value(&self.parameter_not_found_action),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.namespace),
            2 => FieldMut::optional(&mut self.selector),
            3 => FieldMut::value(&mut self.parameter_not_found_action),
            _ => FieldMut::NONE,
        }
    }
}
