// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [IngressTLS](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingresstls-v1beta1-extensions) of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressTLS {
    pub hosts: List<Str>,
    pub secret_name: Str,
}

impl IngressTLS {
    /// Every field empty.
    pub const EMPTY: Self = Self { hosts: List::EMPTY, secret_name: Str::EMPTY };
}

client_rs_machinery::message!(IngressTLS, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressTLS",
    type_meta: None,
    fields: &[Field::new("hosts", Flags::OMIT_EMPTY), Field::new("secretName", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressTLS {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.hosts,
            1 => &self.secret_name,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.hosts,
            1 => &mut self.secret_name,
            _ => return None,
        })
    }
}
