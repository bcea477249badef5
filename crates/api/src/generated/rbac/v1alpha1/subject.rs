// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Subject](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1alpha1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct Subject {
    pub kind: Str,
    pub api_version: Str,
    pub name: Str,
    pub namespace: Str,
}

impl Subject {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { kind: Str::EMPTY, api_version: Str::EMPTY, name: Str::EMPTY, namespace: Str::EMPTY };
}

client_rs_machinery::message!(Subject, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Subject",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::NONE),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
        Field::new("name", Flags::NONE),
        Field::new("namespace", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Subject {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.kind,
            1 => &self.api_version,
            2 => &self.name,
            3 => &self.namespace,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.kind,
            1 => &mut self.api_version,
            2 => &mut self.name,
            3 => &mut self.namespace,
            _ => return None,
        })
    }
}
