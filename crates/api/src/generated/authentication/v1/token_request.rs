// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TokenRequestSpec;
use super::TokenRequestStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`TokenRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequest-v1-authentication-k8s-io) of `authentication.k8s.io/v1`. Since 1.10.
#[derive(Clone, PartialEq)]
pub struct TokenRequest {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequest-v1-authentication-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequest-v1-authentication-k8s-io): optional. The desired state.
    pub spec: Shared<TokenRequestSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequest-v1-authentication-k8s-io): optional. The observed state.
    pub status: TokenRequestStatus,
}

impl TokenRequest {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: TokenRequestStatus::EMPTY };
}

client_rs_machinery::message!(TokenRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenRequest",
    type_meta: Some(TypeMeta {
        api_version: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<TokenRequestSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<TokenRequestStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for TokenRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(TokenRequest, "authentication.k8s.io/v1", "TokenRequest");
