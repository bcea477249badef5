// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Requester`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#requester-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct Requester {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#requester-v1alpha1-lifecycle-k8s-io): required. Format `k8s-prefixed-label-key`.
    pub name: Str,
    /// [`intent`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#requester-v1alpha1-lifecycle-k8s-io): required. One of `Eviction`, `Withdrawn`.
    pub intent: Str,
}

impl Requester {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, intent: Str::EMPTY };
}

client_rs_machinery::message!(Requester, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Requester",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("intent", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Requester {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.intent),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.intent),
            _ => FieldMut::NONE,
        }
    }
}
