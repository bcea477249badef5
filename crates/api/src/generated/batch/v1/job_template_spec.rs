// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JobSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`JobTemplateSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobtemplatespec-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobTemplateSpec {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobtemplatespec-v1-batch): optional.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobtemplatespec-v1-batch): optional.
    pub spec: Shared<JobSpec>,
}

impl JobTemplateSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(JobTemplateSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JobTemplateSpec",
    type_meta: None,
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<JobSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for JobTemplateSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}
