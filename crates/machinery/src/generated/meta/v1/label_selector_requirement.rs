// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Str};

/// [`LabelSelectorRequirement`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselectorrequirement-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LabelSelectorRequirement {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselectorrequirement-v1-meta): required.
    pub key: Str,
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselectorrequirement-v1-meta): required. Known values: `DoesNotExist`, `Exists`, `In`, `NotIn`.
    pub operator: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselectorrequirement-v1-meta): optional. Apply replaces the list.
    pub values: List<Str>,
}

impl LabelSelectorRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, operator: Str::EMPTY, values: List::EMPTY };
}

crate::message!(LabelSelectorRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LabelSelectorRequirement",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::NONE),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for LabelSelectorRequirement {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.operator),
            2 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.operator),
            2 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
