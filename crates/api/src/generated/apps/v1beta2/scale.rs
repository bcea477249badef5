// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ScaleSpec;
use super::ScaleStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `Scale` of `apps/v1beta2`. Since 1.8. Deprecated since 1.9. Not served since 1.16. Replaced by `Scale` of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct Scale {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: ScaleSpec,
    /// `status`: optional, set by the system. The observed state.
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
    type_meta: Some(TypeMeta { api_version: "apps/v1beta2", kind: "Scale", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ScaleSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ScaleStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Scale {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Scale, "apps/v1beta2", "Scale");
