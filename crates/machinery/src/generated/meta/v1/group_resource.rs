// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GroupResource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupresource-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupResource {
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupresource-v1-meta): required.
    pub group: Str,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupresource-v1-meta): required.
    pub resource: Str,
}

impl GroupResource {
    /// Every field empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, resource: Str::EMPTY };
}

crate::message!(GroupResource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupResource",
    type_meta: None,
    fields: &[Field::new("group", Flags::NONE), Field::new("resource", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for GroupResource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group),
            1 => FieldRef::value(&self.resource),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group),
            1 => FieldMut::value(&mut self.resource),
            _ => FieldMut::NONE,
        }
    }
}
