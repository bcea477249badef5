// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SELinuxOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selinuxoptions-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SELinuxOptions {
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selinuxoptions-v1-core): optional.
    pub user: Str,
    /// [`role`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selinuxoptions-v1-core): optional.
    pub role: Str,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selinuxoptions-v1-core): optional.
    pub type_: Str,
    /// [`level`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selinuxoptions-v1-core): optional.
    pub level: Str,
}

impl SELinuxOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { user: Str::EMPTY, role: Str::EMPTY, type_: Str::EMPTY, level: Str::EMPTY };
}

client_rs_machinery::message!(SELinuxOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SELinuxOptions",
    type_meta: None,
    fields: &[
        Field::new("user", Flags::OMIT_EMPTY),
        Field::new("role", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("level", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for SELinuxOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.user),
            1 => FieldRef::value(&self.role),
            2 => FieldRef::value(&self.type_),
            3 => FieldRef::value(&self.level),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.user),
            1 => FieldMut::value(&mut self.role),
            2 => FieldMut::value(&mut self.type_),
            3 => FieldMut::value(&mut self.level),
            _ => FieldMut::NONE,
        }
    }
}
