// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [SerializedReference](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serializedreference-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SerializedReference {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.reference,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.reference,
            _ => return None,
        })
    }
}
