// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Str, StringList};

/// [`UserInfo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct UserInfo {
    /// [`username`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1-authentication-k8s-io): optional.
    pub username: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1-authentication-k8s-io): optional.
    pub uid: Str,
    /// [`groups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1-authentication-k8s-io): optional. Apply replaces the list.
    pub groups: List<Str>,
    /// [`extra`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1-authentication-k8s-io): optional.
    pub extra: Map<StringList>,
}

impl UserInfo {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { username: Str::EMPTY, uid: Str::EMPTY, groups: List::EMPTY, extra: Map::EMPTY };
}

client_rs_machinery::message!(UserInfo, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "UserInfo",
    type_meta: None,
    fields: &[
        Field::new("username", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("groups", Flags::OMIT_EMPTY),
        Field::new("extra", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for UserInfo {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.username),
            1 => FieldRef::value(&self.uid),
            2 => FieldRef::value(&self.groups),
            3 => FieldRef::value(&self.extra),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.username),
            1 => FieldMut::value(&mut self.uid),
            2 => FieldMut::value(&mut self.groups),
            3 => FieldMut::value(&mut self.extra),
            _ => FieldMut::NONE,
        }
    }
}
