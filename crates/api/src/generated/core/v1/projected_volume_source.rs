// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeProjection;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ProjectedVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#projectedvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ProjectedVolumeSource {
    pub sources: List<VolumeProjection>,
    pub default_mode: Option<i32>,
    pub default_user: Option<i64>,
}

impl ProjectedVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { sources: List::EMPTY, default_mode: None, default_user: None };
}

client_rs_machinery::message!(ProjectedVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ProjectedVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("sources", Flags::NONE).of::<VolumeProjection>(),
        Field::new("defaultMode", Flags::OMIT_EMPTY),
        Field::new("defaultUser", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ProjectedVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.sources,
            1 => &self.default_mode,
            2 => &self.default_user,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.sources,
            1 => &mut self.default_mode,
            2 => &mut self.default_user,
            _ => return None,
        })
    }
}
