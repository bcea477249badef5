// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`MetricIdentifier`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricidentifier-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct MetricIdentifier {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricidentifier-v2-autoscaling): required.
    pub name: Str,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricidentifier-v2-autoscaling): optional.
    pub selector: Option<Shared<LabelSelector>>,
}

impl MetricIdentifier {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, selector: None };
}

client_rs_machinery::message!(MetricIdentifier, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricIdentifier",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MetricIdentifier {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::optional(&self.selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::optional(&mut self.selector),
            _ => FieldMut::NONE,
        }
    }
}
