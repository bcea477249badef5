// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeRuntimeHandlerFeatures`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandlerfeatures-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeRuntimeHandlerFeatures {
    /// [`recursiveReadOnlyMounts`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandlerfeatures-v1-core): optional.
    pub recursive_read_only_mounts: Option<bool>,
    /// [`userNamespaces`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandlerfeatures-v1-core): optional, since 1.31.
    pub user_namespaces: Option<bool>,
}

impl NodeRuntimeHandlerFeatures {
    /// Every field empty.
    pub const EMPTY: Self = Self { recursive_read_only_mounts: None, user_namespaces: None };
}

client_rs_machinery::message!(NodeRuntimeHandlerFeatures, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeRuntimeHandlerFeatures",
    type_meta: None,
    fields: &[
        Field::new("recursiveReadOnlyMounts", Flags::OMIT_EMPTY),
        Field::new("userNamespaces", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeRuntimeHandlerFeatures {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.recursive_read_only_mounts),
            1 => FieldRef::value(&self.user_namespaces),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.recursive_read_only_mounts),
            1 => FieldMut::value(&mut self.user_namespaces),
            _ => FieldMut::NONE,
        }
    }
}
