// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`TargetResponder`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#targetresponder-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct TargetResponder {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#targetresponder-v1alpha1-lifecycle-k8s-io): required. Format `k8s-prefixed-label-key`.
    pub name: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#targetresponder-v1alpha1-lifecycle-k8s-io): required, immutable. From 0 to 100000. Updates can't clear or change it.
    pub priority: Option<i32>,
    /// [`state`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#targetresponder-v1alpha1-lifecycle-k8s-io): required. One of `Active`, `Canceled`, `Completed`, `Inactive`, `Interrupted`.
    pub state: Str,
}

impl TargetResponder {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, priority: None, state: Str::EMPTY };
}

client_rs_machinery::message!(TargetResponder, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TargetResponder",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("priority", Flags::NONE),
        Field::new("state", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for TargetResponder {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.priority),
            2 => FieldRef::value(&self.state),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.priority),
            2 => FieldMut::value(&mut self.state),
            _ => FieldMut::NONE,
        }
    }
}
