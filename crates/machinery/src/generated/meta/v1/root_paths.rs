// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Str};

/// [`RootPaths`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rootpaths-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct RootPaths {
    /// [`paths`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rootpaths-v1-meta): optional.
    pub paths: List<Str>,
}

impl RootPaths {
    /// Every field empty.
    pub const EMPTY: Self = Self { paths: List::EMPTY };
}

crate::message!(RootPaths, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RootPaths",
    type_meta: None,
    fields: &[Field::new("paths", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for RootPaths {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.paths),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.paths),
            _ => FieldMut::NONE,
        }
    }
}
