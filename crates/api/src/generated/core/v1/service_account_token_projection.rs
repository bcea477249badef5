// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ServiceAccountTokenProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceAccountTokenProjection {
    /// [`audience`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core): optional.
    pub audience: Str,
    /// [`expirationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core): optional.
    pub expiration_seconds: Option<i64>,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core): required.
    pub path: Str,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccounttokenprojection-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.audience),
            1 => FieldRef::value(&self.expiration_seconds),
            2 => FieldRef::value(&self.path),
            3 => FieldRef::value(&self.user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.audience),
            1 => FieldMut::value(&mut self.expiration_seconds),
            2 => FieldMut::value(&mut self.path),
            3 => FieldMut::value(&mut self.user),
            _ => FieldMut::NONE,
        }
    }
}
