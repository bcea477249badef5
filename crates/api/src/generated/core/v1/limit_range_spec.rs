// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LimitRangeItem;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LimitRangeSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangespec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LimitRangeSpec {
    /// [`limits`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrangespec-v1-core): required. Apply replaces the list.
    pub limits: List<LimitRangeItem>,
}

impl LimitRangeSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { limits: List::EMPTY };
}

client_rs_machinery::message!(LimitRangeSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LimitRangeSpec",
    type_meta: None,
    fields: &[Field::new("limits", Flags::NONE).of::<LimitRangeItem>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for LimitRangeSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.limits),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.limits),
            _ => FieldMut::NONE,
        }
    }
}
