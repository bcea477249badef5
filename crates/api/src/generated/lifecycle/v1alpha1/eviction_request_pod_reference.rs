// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionRequestPodReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestpodreference-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestPodReference {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestpodreference-v1alpha1-lifecycle-k8s-io): required. A DNS subdomain.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequestpodreference-v1alpha1-lifecycle-k8s-io): required. A UUID.
    pub uid: Str,
}

impl EvictionRequestPodReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, uid: Str::EMPTY };
}

client_rs_machinery::message!(EvictionRequestPodReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionRequestPodReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("uid", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionRequestPodReference {
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
