// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PartitionTypeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partitiontypestatus-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct PartitionTypeStatus {
    /// [`attribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partitiontypestatus-v1alpha3-resource-k8s-io): required.
    pub attribute: Str,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partitiontypestatus-v1alpha3-resource-k8s-io): required.
    pub type_: Str,
    /// [`total`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partitiontypestatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub total: Option<i32>,
    /// [`allocatable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partitiontypestatus-v1alpha3-resource-k8s-io): required. At least 0.
    pub allocatable: Option<i32>,
}

impl PartitionTypeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { attribute: Str::EMPTY, type_: Str::EMPTY, total: None, allocatable: None };
}

client_rs_machinery::message!(PartitionTypeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PartitionTypeStatus",
    type_meta: None,
    fields: &[
        Field::new("attribute", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("total", Flags::OMIT_EMPTY),
        Field::new("allocatable", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 1), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 0)],
};

impl Fields for PartitionTypeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.attribute),
            1 => FieldRef::value(&self.type_),
            2 => FieldRef::value(&self.total),
            3 => FieldRef::value(&self.allocatable),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.attribute),
            1 => FieldMut::value(&mut self.type_),
            2 => FieldMut::value(&mut self.total),
            3 => FieldMut::value(&mut self.allocatable),
            _ => FieldMut::NONE,
        }
    }
}
