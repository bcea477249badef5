// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ImageVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagevolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ImageVolumeSource {
    pub reference: Str,
    pub pull_policy: Str,
}

impl ImageVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { reference: Str::EMPTY, pull_policy: Str::EMPTY };
}

client_rs_machinery::message!(ImageVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageVolumeSource",
    type_meta: None,
    fields: &[Field::new("reference", Flags::OMIT_EMPTY), Field::new("pullPolicy", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ImageVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.reference,
            1 => &self.pull_policy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.reference,
            1 => &mut self.pull_policy,
            _ => return None,
        })
    }
}
