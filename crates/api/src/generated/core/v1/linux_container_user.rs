// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LinuxContainerUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#linuxcontaineruser-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LinuxContainerUser {
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#linuxcontaineruser-v1-core): required.
    pub uid: i64,
    /// [`gid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#linuxcontaineruser-v1-core): required.
    pub gid: i64,
    /// [`supplementalGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#linuxcontaineruser-v1-core): optional. Apply replaces the list.
    pub supplemental_groups: List<i64>,
}

impl LinuxContainerUser {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: 0, gid: 0, supplemental_groups: List::EMPTY };
}

client_rs_machinery::message!(LinuxContainerUser, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LinuxContainerUser",
    type_meta: None,
    fields: &[
        Field::new("uid", Flags::NONE),
        Field::new("gid", Flags::NONE),
        Field::new("supplementalGroups", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for LinuxContainerUser {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::value(&self.gid),
            2 => FieldRef::value(&self.supplemental_groups),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::value(&mut self.gid),
            2 => FieldMut::value(&mut self.supplemental_groups),
            _ => FieldMut::NONE,
        }
    }
}
