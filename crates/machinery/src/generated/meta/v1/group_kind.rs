// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GroupKind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupkind-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupKind {
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupkind-v1-meta): optional.
    pub group: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupkind-v1-meta): optional.
    pub kind: Str,
}

impl GroupKind {
    /// Every field empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, kind: Str::EMPTY };
}

crate::message!(GroupKind, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupKind",
    type_meta: None,
    fields: &[Field::new("group", Flags::NONE), Field::new("kind", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for GroupKind {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group),
            1 => FieldRef::value(&self.kind),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group),
            1 => FieldMut::value(&mut self.kind),
            _ => FieldMut::NONE,
        }
    }
}
