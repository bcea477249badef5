// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ServiceAccountTokenProjection](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceAccountTokenProjection {
    pub audience: Str,
    pub expiration_seconds: Option<i64>,
    pub path: Str,
    pub user: Option<i64>,
}

impl ServiceAccountTokenProjection {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { audience: Str::EMPTY, expiration_seconds: None, path: Str::EMPTY, user: None };
}

client_rs_machinery::message!(ServiceAccountTokenProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceAccountTokenProjection",
    type_meta: None,
    fields: &[
        Field::new("audience", Flags::OMIT_EMPTY),
        Field::new("expirationSeconds", Flags::OMIT_EMPTY),
        Field::new("path", Flags::NONE),
        Field::new("user", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ServiceAccountTokenProjection {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.audience,
            1 => &self.expiration_seconds,
            2 => &self.path,
            3 => &self.user,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.audience,
            1 => &mut self.expiration_seconds,
            2 => &mut self.path,
            3 => &mut self.user,
            _ => return None,
        })
    }
}
