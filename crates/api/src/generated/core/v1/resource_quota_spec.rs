// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ScopeSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [ResourceQuotaSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotaspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceQuotaSpec {
    pub hard: Map<Quantity>,
    pub scopes: List<Str>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.hard,
            1 => &self.scopes,
            2 => &self.scope_selector,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.hard,
            1 => &mut self.scopes,
            2 => &mut self.scope_selector,
            _ => return None,
        })
    }
}
