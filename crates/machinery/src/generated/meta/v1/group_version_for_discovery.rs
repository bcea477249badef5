// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GroupVersionForDiscovery`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversionfordiscovery-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupVersionForDiscovery {
    /// [`groupVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversionfordiscovery-v1-meta): required.
    pub group_version: Str,
    /// [`version`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversionfordiscovery-v1-meta): required.
    pub version: Str,
}

impl GroupVersionForDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self { group_version: Str::EMPTY, version: Str::EMPTY };
}

crate::message!(GroupVersionForDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupVersionForDiscovery",
    type_meta: None,
    fields: &[Field::new("groupVersion", Flags::NONE), Field::new("version", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for GroupVersionForDiscovery {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group_version),
            1 => FieldRef::value(&self.version),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group_version),
            1 => FieldMut::value(&mut self.version),
            _ => FieldMut::NONE,
        }
    }
}
