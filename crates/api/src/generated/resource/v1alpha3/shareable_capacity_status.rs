// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`ShareableCapacityStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablecapacitystatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct ShareableCapacityStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablecapacitystatus-v1alpha3-resource-k8s-io): required.
    pub name: Str,
    /// [`total`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablecapacitystatus-v1alpha3-resource-k8s-io): required.
    pub total: Option<Quantity>,
    /// [`consumed`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablecapacitystatus-v1alpha3-resource-k8s-io): required.
    pub consumed: Option<Quantity>,
    /// [`available`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shareablecapacitystatus-v1alpha3-resource-k8s-io): required.
    pub available: Option<Quantity>,
}

impl ShareableCapacityStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, total: None, consumed: None, available: None };
}

client_rs_machinery::message!(ShareableCapacityStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ShareableCapacityStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("total", Flags::OMIT_EMPTY),
        Field::new("consumed", Flags::OMIT_EMPTY),
        Field::new("available", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ShareableCapacityStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.total),
            2 => FieldRef::value(&self.consumed),
            3 => FieldRef::value(&self.available),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.total),
            2 => FieldMut::value(&mut self.consumed),
            3 => FieldMut::value(&mut self.available),
            _ => FieldMut::NONE,
        }
    }
}
