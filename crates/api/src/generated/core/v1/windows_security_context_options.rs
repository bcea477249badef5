// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`WindowsSecurityContextOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#windowssecuritycontextoptions-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct WindowsSecurityContextOptions {
    /// [`gmsaCredentialSpecName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#windowssecuritycontextoptions-v1-core): optional.
    pub gmsa_credential_spec_name: Option<Str>,
    /// [`gmsaCredentialSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#windowssecuritycontextoptions-v1-core): optional.
    pub gmsa_credential_spec: Option<Str>,
    /// [`runAsUserName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#windowssecuritycontextoptions-v1-core): optional.
    pub run_as_user_name: Option<Str>,
    /// [`hostProcess`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#windowssecuritycontextoptions-v1-core): optional, since 1.22.
    pub host_process: Option<bool>,
}

impl WindowsSecurityContextOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        gmsa_credential_spec_name: None,
        gmsa_credential_spec: None,
        run_as_user_name: None,
        host_process: None,
    };
}

client_rs_machinery::message!(WindowsSecurityContextOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WindowsSecurityContextOptions",
    type_meta: None,
    fields: &[
        Field::new("gmsaCredentialSpecName", Flags::OMIT_EMPTY),
        Field::new("gmsaCredentialSpec", Flags::OMIT_EMPTY),
        Field::new("runAsUserName", Flags::OMIT_EMPTY),
        Field::new("hostProcess", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for WindowsSecurityContextOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.gmsa_credential_spec_name),
            1 => FieldRef::value(&self.gmsa_credential_spec),
            2 => FieldRef::value(&self.run_as_user_name),
            3 => FieldRef::value(&self.host_process),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.gmsa_credential_spec_name),
            1 => FieldMut::value(&mut self.gmsa_credential_spec),
            2 => FieldMut::value(&mut self.run_as_user_name),
            3 => FieldMut::value(&mut self.host_process),
            _ => FieldMut::NONE,
        }
    }
}
