// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionPodReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionpodreference-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionPodReference {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionpodreference-v1alpha1-lifecycle-k8s-io): required. A DNS subdomain.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionpodreference-v1alpha1-lifecycle-k8s-io): required. A UUID.
    pub uid: Str,
}

impl EvictionPodReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, uid: Str::EMPTY };
}

client_rs_machinery::message!(EvictionPodReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionPodReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("uid", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionPodReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.uid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.uid),
            _ => FieldMut::NONE,
        }
    }
}
