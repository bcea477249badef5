// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeRuntimeHandlerFeatures;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`NodeRuntimeHandler`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandler-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeRuntimeHandler {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandler-v1-core): optional.
    pub name: Str,
    /// [`features`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#noderuntimehandler-v1-core): optional.
    pub features: Option<Shared<NodeRuntimeHandlerFeatures>>,
}

impl NodeRuntimeHandler {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, features: None };
}

client_rs_machinery::message!(NodeRuntimeHandler, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeRuntimeHandler",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("features", Flags::OMIT_EMPTY).of::<NodeRuntimeHandlerFeatures>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeRuntimeHandler {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::optional(&self.features),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::optional(&mut self.features),
            _ => FieldMut::NONE,
        }
    }
}
