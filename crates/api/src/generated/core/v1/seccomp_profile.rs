// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SeccompProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#seccompprofile-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SeccompProfile {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#seccompprofile-v1-core): required. One of `Localhost`, `RuntimeDefault`, `Unconfined`.
    pub type_: Str,
    /// [`localhostProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#seccompprofile-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.localhost_profile),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.localhost_profile),
            _ => FieldMut::NONE,
        }
    }
}
