// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`SerializedReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serializedreference-v1-core) of `core/v1`. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct SerializedReference {
    /// [`reference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serializedreference-v1-core): optional.
    pub reference: Shared<ObjectReference>,
}

impl SerializedReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { reference: Shared::DEFAULT };
}

client_rs_machinery::message!(SerializedReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SerializedReference",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "SerializedReference", everywhere: false }),
    fields: &[Field::new("reference", Flags::OMIT_EMPTY).of::<ObjectReference>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SerializedReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::shared(&self.reference),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::shared(&mut self.reference),
            _ => FieldMut::NONE,
        }
    }
}
