// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeSource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`Volume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volume-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Volume {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volume-v1-core): required.
    pub name: Str,
    /// Its fields are fields of this object in JSON.
    pub volume_source: Shared<VolumeSource>,
}

impl Volume {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, volume_source: Shared::DEFAULT };
}

impl std::ops::Deref for Volume {
    type Target = VolumeSource;

    fn deref(&self) -> &VolumeSource {
        &self.volume_source
    }
}

impl std::ops::DerefMut for Volume {
    fn deref_mut(&mut self) -> &mut VolumeSource {
        &mut self.volume_source
    }
}

client_rs_machinery::message!(Volume, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Volume",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("volume_source", Flags::INLINE).of::<VolumeSource>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Volume {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::shared(&self.volume_source),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::shared(&mut self.volume_source),
            _ => FieldMut::NONE,
        }
    }
}
