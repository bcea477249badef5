// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DownwardAPIVolumeFile;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DownwardAPIProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapiprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct DownwardAPIProjection {
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#downwardapiprojection-v1-core): optional. Apply replaces the list.
    pub items: List<DownwardAPIVolumeFile>,
}

impl DownwardAPIProjection {
    /// Every field empty.
    pub const EMPTY: Self = Self { items: List::EMPTY };
}

client_rs_machinery::message!(DownwardAPIProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DownwardAPIProjection",
    type_meta: None,
    fields: &[Field::new("items", Flags::OMIT_EMPTY).of::<DownwardAPIVolumeFile>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for DownwardAPIProjection {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.items),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.items),
            _ => FieldMut::NONE,
        }
    }
}
