// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`WorkloadReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadreference-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct WorkloadReference {
    /// [`workloadName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadreference-v1beta1-scheduling-k8s-io): required. A DNS subdomain.
    pub workload_name: Str,
    /// [`templateName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadreference-v1beta1-scheduling-k8s-io): required. A DNS label.
    pub template_name: Str,
}

impl WorkloadReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { workload_name: Str::EMPTY, template_name: Str::EMPTY };
}

client_rs_machinery::message!(WorkloadReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadReference",
    type_meta: None,
    fields: &[Field::new("workloadName", Flags::NONE), Field::new("templateName", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for WorkloadReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.workload_name),
            1 => FieldRef::value(&self.template_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.workload_name),
            1 => FieldMut::value(&mut self.template_name),
            _ => FieldMut::NONE,
        }
    }
}
