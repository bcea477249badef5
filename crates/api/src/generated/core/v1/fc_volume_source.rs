// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`FCVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FCVolumeSource {
    /// [`targetWWNs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core): optional. Apply replaces the list.
    pub target_wwns: List<Str>,
    /// [`lun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core): optional.
    pub lun: Option<i32>,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`wwids`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core): optional. Apply replaces the list.
    pub wwids: List<Str>,
}

impl FCVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        target_wwns: List::EMPTY,
        lun: None,
        fs_type: Str::EMPTY,
        read_only: false,
        wwids: List::EMPTY,
    };
}

client_rs_machinery::message!(FCVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FCVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("targetWWNs", Flags::OMIT_EMPTY),
        Field::new("lun", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("wwids", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for FCVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.target_wwns),
            1 => FieldRef::value(&self.lun),
            2 => FieldRef::value(&self.fs_type),
            3 => FieldRef::value(&self.read_only),
            4 => FieldRef::value(&self.wwids),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.target_wwns),
            1 => FieldMut::value(&mut self.lun),
            2 => FieldMut::value(&mut self.fs_type),
            3 => FieldMut::value(&mut self.read_only),
            4 => FieldMut::value(&mut self.wwids),
            _ => FieldMut::NONE,
        }
    }
}
