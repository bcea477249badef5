// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeConfigSource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`NodeConfigStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeConfigStatus {
    /// [`assigned`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core): optional.
    pub assigned: Option<Shared<NodeConfigSource>>,
    /// [`active`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core): optional.
    pub active: Option<Shared<NodeConfigSource>>,
    /// [`lastKnownGood`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core): optional.
    pub last_known_good: Option<Shared<NodeConfigSource>>,
    /// [`error`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core): optional.
    pub error: Str,
}

impl NodeConfigStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { assigned: None, active: None, last_known_good: None, error: Str::EMPTY };
}

client_rs_machinery::message!(NodeConfigStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeConfigStatus",
    type_meta: None,
    fields: &[
        Field::new("assigned", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("active", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("lastKnownGood", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for NodeConfigStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.assigned),
            1 => FieldRef::optional(&self.active),
            2 => FieldRef::optional(&self.last_known_good),
            3 => FieldRef::value(&self.error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.assigned),
            1 => FieldMut::optional(&mut self.active),
            2 => FieldMut::optional(&mut self.last_known_good),
            3 => FieldMut::value(&mut self.error),
            _ => FieldMut::NONE,
        }
    }
}
