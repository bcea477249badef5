// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ParentReference](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#parentreference-v1beta1-networking-k8s-io) of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ParentReference {
    pub group: Str,
    pub resource: Str,
    pub namespace: Str,
    pub name: Str,
}

impl ParentReference {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { group: Str::EMPTY, resource: Str::EMPTY, namespace: Str::EMPTY, name: Str::EMPTY };
}

client_rs_machinery::message!(ParentReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ParentReference",
    type_meta: None,
    fields: &[
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ParentReference {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group,
            1 => &self.resource,
            2 => &self.namespace,
            3 => &self.name,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group,
            1 => &mut self.resource,
            2 => &mut self.namespace,
            3 => &mut self.name,
            _ => return None,
        })
    }
}
