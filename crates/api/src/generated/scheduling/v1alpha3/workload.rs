// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WorkloadSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Workload`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workload-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`. Served as `workloads`, namespaced. Since 1.37.
#[derive(Clone, PartialEq)]
pub struct Workload {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workload-v1alpha3-scheduling-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workload-v1alpha3-scheduling-k8s-io): required. The desired state.
    pub spec: WorkloadSpec,
}

impl Workload {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: WorkloadSpec::EMPTY };
}

client_rs_machinery::message!(Workload, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Workload",
    type_meta: Some(TypeMeta {
        api_version: "scheduling.k8s.io/v1alpha3",
        kind: "Workload",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<WorkloadSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Workload {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Workload, "scheduling.k8s.io/v1alpha3", "Workload");

impl client_rs_machinery::Resource for Workload {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "scheduling.k8s.io",
        version: "v1alpha3",
        kind: "Workload",
        plural: "workloads",
        singular: "workload",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Workload: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
