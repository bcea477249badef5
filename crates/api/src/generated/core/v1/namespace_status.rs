// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NamespaceCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NamespaceStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NamespaceStatus {
    /// [`phase`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacestatus-v1-core): optional. One of `Active`, `Terminating`.
    pub phase: Str,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacestatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<NamespaceCondition>,
}

impl NamespaceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { phase: Str::EMPTY, conditions: List::EMPTY };
}

client_rs_machinery::message!(NamespaceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NamespaceStatus",
    type_meta: None,
    fields: &[
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NamespaceCondition>()
            .merged_by("type"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NamespaceStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.phase),
            1 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.phase),
            1 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
