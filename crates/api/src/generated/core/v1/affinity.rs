// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeAffinity;
use super::PodAffinity;
use super::PodAntiAffinity;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Affinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#affinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Affinity {
    /// [`nodeAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#affinity-v1-core): optional.
    pub node_affinity: Option<Shared<NodeAffinity>>,
    /// [`podAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#affinity-v1-core): optional.
    pub pod_affinity: Option<Shared<PodAffinity>>,
    /// [`podAntiAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#affinity-v1-core): optional.
    pub pod_anti_affinity: Option<Shared<PodAntiAffinity>>,
}

impl Affinity {
    /// Every field empty.
    pub const EMPTY: Self = Self { node_affinity: None, pod_affinity: None, pod_anti_affinity: None };
}

client_rs_machinery::message!(Affinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Affinity",
    type_meta: None,
    fields: &[
        Field::new("nodeAffinity", Flags::OMIT_EMPTY).of::<NodeAffinity>(),
        Field::new("podAffinity", Flags::OMIT_EMPTY).of::<PodAffinity>(),
        Field::new("podAntiAffinity", Flags::OMIT_EMPTY).of::<PodAntiAffinity>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Affinity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.node_affinity),
            1 => FieldRef::optional(&self.pod_affinity),
            2 => FieldRef::optional(&self.pod_anti_affinity),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.node_affinity),
            1 => FieldMut::optional(&mut self.pod_affinity),
            2 => FieldMut::optional(&mut self.pod_anti_affinity),
            _ => FieldMut::NONE,
        }
    }
}
