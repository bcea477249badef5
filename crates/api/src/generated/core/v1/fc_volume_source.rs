// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [FCVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fcvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FCVolumeSource {
    pub target_wwns: List<Str>,
    pub lun: Option<i32>,
    pub fs_type: Str,
    pub read_only: bool,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.target_wwns,
            1 => &self.lun,
            2 => &self.fs_type,
            3 => &self.read_only,
            4 => &self.wwids,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.target_wwns,
            1 => &mut self.lun,
            2 => &mut self.fs_type,
            3 => &mut self.read_only,
            4 => &mut self.wwids,
            _ => return None,
        })
    }
}
