// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ScaleSpec;
use super::ScaleStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [Scale](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scale-v1beta1-apps) of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct Scale {
    pub metadata: ObjectMeta,
    pub spec: ScaleSpec,
    pub status: ScaleStatus,
}

impl Scale {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: ScaleSpec::EMPTY, status: ScaleStatus::EMPTY };
}

client_rs_machinery::message!(Scale, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Scale",
    type_meta: Some(TypeMeta { api_version: "apps/v1beta1", kind: "Scale", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ScaleSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ScaleStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Scale {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.spec,
            2 => &self.status,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.spec,
            2 => &mut self.status,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(Scale, "apps/v1beta1", "Scale");
