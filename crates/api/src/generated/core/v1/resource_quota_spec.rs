// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ScopeSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`ResourceQuotaSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotaspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceQuotaSpec {
    /// [`hard`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotaspec-v1-core): optional.
    pub hard: Map<Quantity>,
    /// [`scopes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotaspec-v1-core): optional. One of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`. Apply replaces the list.
    pub scopes: List<Str>,
    /// [`scopeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotaspec-v1-core): optional.
    pub scope_selector: Option<Shared<ScopeSelector>>,
}

impl ResourceQuotaSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { hard: Map::EMPTY, scopes: List::EMPTY, scope_selector: None };
}

client_rs_machinery::message!(ResourceQuotaSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceQuotaSpec",
    type_meta: None,
    fields: &[
        Field::new("hard", Flags::OMIT_EMPTY),
        Field::new("scopes", Flags::OMIT_EMPTY),
        Field::new("scopeSelector", Flags::OMIT_EMPTY).of::<ScopeSelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceQuotaSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.hard),
            1 => FieldRef::value(&self.scopes),
            2 => FieldRef::optional(&self.scope_selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.hard),
            1 => FieldMut::value(&mut self.scopes),
            2 => FieldMut::optional(&mut self.scope_selector),
            _ => FieldMut::NONE,
        }
    }
}
