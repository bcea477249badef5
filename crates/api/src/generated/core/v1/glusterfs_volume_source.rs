// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GlusterfsVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfsvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GlusterfsVolumeSource {
    pub endpoints: Str,
    pub path: Str,
    pub read_only: bool,
}

impl GlusterfsVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { endpoints: Str::EMPTY, path: Str::EMPTY, read_only: false };
}

client_rs_machinery::message!(GlusterfsVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GlusterfsVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("endpoints", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for GlusterfsVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.endpoints,
            1 => &self.path,
            2 => &self.read_only,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.endpoints,
            1 => &mut self.path,
            2 => &mut self.read_only,
            _ => return None,
        })
    }
}
