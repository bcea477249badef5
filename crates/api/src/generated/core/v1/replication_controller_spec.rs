// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodTemplateSpec;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [ReplicationControllerSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontrollerspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ReplicationControllerSpec {
    pub replicas: Option<i32>,
    pub min_ready_seconds: i32,
    pub selector: Map<Str>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.replicas,
            1 => &self.min_ready_seconds,
            2 => &self.selector,
            3 => &self.template,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.replicas,
            1 => &mut self.min_ready_seconds,
            2 => &mut self.selector,
            3 => &mut self.template,
            _ => return None,
        })
    }
}
