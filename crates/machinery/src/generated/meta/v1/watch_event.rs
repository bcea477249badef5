// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{RawExtension, Str};

/// [`WatchEvent`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#watchevent-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct WatchEvent {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#watchevent-v1-meta): required.
    pub type_: Str,
    /// [`object`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#watchevent-v1-meta): required.
    pub object: RawExtension,
}

impl WatchEvent {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, object: RawExtension::EMPTY };
}

crate::message!(WatchEvent, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WatchEvent",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE), Field::new("object", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for WatchEvent {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.object),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.object),
            _ => FieldMut::NONE,
        }
    }
}
