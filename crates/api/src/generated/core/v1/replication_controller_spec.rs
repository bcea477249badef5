// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodTemplateSpec;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [`ReplicationControllerSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ReplicationControllerSpec {
    /// [`replicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core): optional. Defaults to `1`. At least 0.
    pub replicas: Option<i32>,
    /// [`minReadySeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core): optional. At least 0.
    pub min_ready_seconds: i32,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core): optional. Apply replaces the whole value.
    pub selector: Map<Str>,
    /// [`template`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core): optional.
    pub template: Option<Shared<PodTemplateSpec>>,
}

impl ReplicationControllerSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { replicas: None, min_ready_seconds: 0, selector: Map::EMPTY, template: None };
}

client_rs_machinery::message!(ReplicationControllerSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ReplicationControllerSpec",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY),
        Field::new("template", Flags::OMIT_EMPTY).of::<PodTemplateSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 1)],
};

impl Fields for ReplicationControllerSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            1 => FieldRef::value(&self.min_ready_seconds),
            2 => FieldRef::value(&self.selector),
            3 => FieldRef::optional(&self.template),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::value(&mut self.min_ready_seconds),
            2 => FieldMut::value(&mut self.selector),
            3 => FieldMut::optional(&mut self.template),
            _ => FieldMut::NONE,
        }
    }
}
