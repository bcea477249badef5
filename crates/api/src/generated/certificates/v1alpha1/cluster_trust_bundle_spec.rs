// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ClusterTrustBundleSpec` of `certificates.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ClusterTrustBundleSpec {
    /// `signerName`: optional, immutable.
    pub signer_name: Str,
    /// `trustBundle`: optional.
    pub trust_bundle: Str,
}

impl ClusterTrustBundleSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { signer_name: Str::EMPTY, trust_bundle: Str::EMPTY };
}

client_rs_machinery::message!(ClusterTrustBundleSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClusterTrustBundleSpec",
    type_meta: None,
    fields: &[Field::new("signerName", Flags::OMIT_EMPTY), Field::new("trustBundle", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ClusterTrustBundleSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.signer_name),
            1 => FieldRef::value(&self.trust_bundle),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.signer_name),
            1 => FieldMut::value(&mut self.trust_bundle),
            _ => FieldMut::NONE,
        }
    }
}
