// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Preconditions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Preconditions {
    pub uid: Option<Str>,
    pub resource_version: Option<Str>,
}

impl Preconditions {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: None, resource_version: None };
}

crate::message!(Preconditions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Preconditions",
    type_meta: None,
    fields: &[Field::new("uid", Flags::OMIT_EMPTY), Field::new("resourceVersion", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Preconditions {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.uid,
            1 => &self.resource_version,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.uid,
            1 => &mut self.resource_version,
            _ => return None,
        })
    }
}
