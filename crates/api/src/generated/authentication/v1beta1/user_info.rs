// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Str, StringList};

/// [UserInfo](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#userinfo-v1beta1-authentication-k8s-io) of `authentication.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct UserInfo {
    pub username: Str,
    pub uid: Str,
    pub groups: List<Str>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.username,
            1 => &self.uid,
            2 => &self.groups,
            3 => &self.extra,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.username,
            1 => &mut self.uid,
            2 => &mut self.groups,
            3 => &mut self.extra,
            _ => return None,
        })
    }
}
