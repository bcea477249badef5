// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CompositePodGroupTemplate;
use super::PodGroupTemplate;
use super::TypedLocalObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`WorkloadSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadspec-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct WorkloadSpec {
    /// [`controllerRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadspec-v1alpha3-scheduling-k8s-io): optional, immutable.
    pub controller_ref: Option<Shared<TypedLocalObjectReference>>,
    /// [`podGroupTemplates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadspec-v1alpha3-scheduling-k8s-io): optional. At most 8 entries. Updates can't add or remove entries. Apply merges entries by `name`.
    pub pod_group_templates: List<PodGroupTemplate>,
    /// [`compositePodGroupTemplates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadspec-v1alpha3-scheduling-k8s-io): optional, immutable. At most 8 entries. Updates can't add or remove entries. Apply merges entries by `name`. Feature gate `CompositePodGroup`.
    pub composite_pod_group_templates: List<CompositePodGroupTemplate>,
}

impl WorkloadSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        controller_ref: None,
        pod_group_templates: List::EMPTY,
        composite_pod_group_templates: List::EMPTY,
    };
}

client_rs_machinery::message!(WorkloadSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadSpec",
    type_meta: None,
    fields: &[
        Field::new("controllerRef", Flags::OMIT_EMPTY).of::<TypedLocalObjectReference>(),
        Field::new("podGroupTemplates", Flags::NONE).of::<PodGroupTemplate>(),
        Field::new("compositePodGroupTemplates", Flags::OMIT_EMPTY).of::<CompositePodGroupTemplate>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for WorkloadSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.controller_ref),
            1 => FieldRef::list(&self.pod_group_templates),
            2 => FieldRef::list(&self.composite_pod_group_templates),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.controller_ref),
            1 => FieldMut::list(&mut self.pod_group_templates),
            2 => FieldMut::list(&mut self.composite_pod_group_templates),
            _ => FieldMut::NONE,
        }
    }
}
