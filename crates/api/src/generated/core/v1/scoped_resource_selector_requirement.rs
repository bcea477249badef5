// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ScopedResourceSelectorRequirement`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopedresourceselectorrequirement-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ScopedResourceSelectorRequirement {
    /// [`scopeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopedresourceselectorrequirement-v1-core): required. One of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`.
    pub scope_name: Str,
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopedresourceselectorrequirement-v1-core): required. One of `DoesNotExist`, `Exists`, `In`, `NotIn`.
    pub operator: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopedresourceselectorrequirement-v1-core): optional. Apply replaces the list.
    pub values: List<Str>,
}

impl ScopedResourceSelectorRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { scope_name: Str::EMPTY, operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(ScopedResourceSelectorRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScopedResourceSelectorRequirement",
    type_meta: None,
    fields: &[
        Field::new("scopeName", Flags::NONE),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ScopedResourceSelectorRequirement {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.scope_name),
            1 => FieldRef::value(&self.operator),
            2 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.scope_name),
            1 => FieldMut::value(&mut self.operator),
            2 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
