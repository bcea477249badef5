// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [SeccompProfile](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#seccompprofile-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SeccompProfile {
    pub type_: Str,
    pub localhost_profile: Option<Str>,
}

impl SeccompProfile {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, localhost_profile: None };
}

client_rs_machinery::message!(SeccompProfile, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SeccompProfile",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE), Field::new("localhostProfile", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for SeccompProfile {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.localhost_profile,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.localhost_profile,
            _ => return None,
        })
    }
}
