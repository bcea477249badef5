// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`DeviceConstraint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconstraint-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceConstraint {
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconstraint-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub requests: List<Str>,
    /// [`matchAttribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconstraint-v1beta1-resource-k8s-io): optional. Format `k8s-resource-fully-qualified-name`.
    pub match_attribute: Option<Str>,
    /// [`distinctAttribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconstraint-v1beta1-resource-k8s-io): optional, since 1.34. Format `k8s-resource-fully-qualified-name`. Feature gate `DRAConsumableCapacity`.
    pub distinct_attribute: Option<Str>,
}

impl DeviceConstraint {
    /// Every field empty.
    pub const EMPTY: Self = Self { requests: List::EMPTY, match_attribute: None, distinct_attribute: None };
}

client_rs_machinery::message!(DeviceConstraint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceConstraint",
    type_meta: None,
    fields: &[
        Field::new("requests", Flags::OMIT_EMPTY),
        Field::new("matchAttribute", Flags::OMIT_EMPTY),
        Field::new("distinctAttribute", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeviceConstraint {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.requests),
            1 => FieldRef::value(&self.match_attribute),
            2 => FieldRef::value(&self.distinct_attribute),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.requests),
            1 => FieldMut::value(&mut self.match_attribute),
            2 => FieldMut::value(&mut self.distinct_attribute),
            _ => FieldMut::NONE,
        }
    }
}
