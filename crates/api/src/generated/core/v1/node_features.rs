// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeFeatures`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodefeatures-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeFeatures {
    /// [`supplementalGroupsPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodefeatures-v1-core): optional.
    pub supplemental_groups_policy: Option<bool>,
}

impl NodeFeatures {
    /// Every field empty.
    pub const EMPTY: Self = Self { supplemental_groups_policy: None };
}

client_rs_machinery::message!(NodeFeatures, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeFeatures",
    type_meta: None,
    fields: &[Field::new("supplementalGroupsPolicy", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodeFeatures {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.supplemental_groups_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.supplemental_groups_policy),
            _ => FieldMut::NONE,
        }
    }
}
