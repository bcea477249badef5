// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [Eviction](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1-policy) of `policy/v1`.
#[derive(Clone, PartialEq)]
pub struct Eviction {
    pub metadata: ObjectMeta,
    pub delete_options: Option<Shared<DeleteOptions>>,
}

impl Eviction {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, delete_options: None };
}

client_rs_machinery::message!(Eviction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Eviction",
    type_meta: Some(TypeMeta { api_version: "policy/v1", kind: "Eviction", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("deleteOptions", Flags::OMIT_EMPTY).of::<DeleteOptions>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Eviction {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.delete_options,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.delete_options,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(Eviction, "policy/v1", "Eviction");
