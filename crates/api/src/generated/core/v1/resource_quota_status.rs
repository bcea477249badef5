// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity};

/// [`ResourceQuotaStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotastatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceQuotaStatus {
    /// [`hard`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotastatus-v1-core): optional.
    pub hard: Map<Quantity>,
    /// [`used`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotastatus-v1-core): optional.
    pub used: Map<Quantity>,
}

impl ResourceQuotaStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { hard: Map::EMPTY, used: Map::EMPTY };
}

client_rs_machinery::message!(ResourceQuotaStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceQuotaStatus",
    type_meta: None,
    fields: &[Field::new("hard", Flags::OMIT_EMPTY), Field::new("used", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceQuotaStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.hard),
            1 => FieldRef::value(&self.used),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.hard),
            1 => FieldMut::value(&mut self.used),
            _ => FieldMut::NONE,
        }
    }
}
