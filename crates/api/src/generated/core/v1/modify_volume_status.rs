// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ModifyVolumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#modifyvolumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ModifyVolumeStatus {
    /// [`targetVolumeAttributesClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#modifyvolumestatus-v1-core): optional.
    pub target_volume_attributes_class_name: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#modifyvolumestatus-v1-core): required. One of `InProgress`, `Infeasible`, `Pending`.
    pub status: Str,
}

impl ModifyVolumeStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { target_volume_attributes_class_name: Str::EMPTY, status: Str::EMPTY };
}

client_rs_machinery::message!(ModifyVolumeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ModifyVolumeStatus",
    type_meta: None,
    fields: &[
        Field::new("targetVolumeAttributesClassName", Flags::OMIT_EMPTY),
        Field::new("status", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ModifyVolumeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.target_volume_attributes_class_name),
            1 => FieldRef::value(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.target_volume_attributes_class_name),
            1 => FieldMut::value(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}
