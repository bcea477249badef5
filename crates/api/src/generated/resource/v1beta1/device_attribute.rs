// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [DeviceAttribute](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceAttribute {
    pub int: Option<i64>,
    pub bool: Option<bool>,
    pub string: Option<Str>,
    pub version: Option<Str>,
    pub ints: List<i64>,
    pub bools: List<bool>,
    pub strings: List<Str>,
    pub versions: List<Str>,
}

impl DeviceAttribute {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        int: None,
        bool: None,
        string: None,
        version: None,
        ints: List::EMPTY,
        bools: List::EMPTY,
        strings: List::EMPTY,
        versions: List::EMPTY,
    };
}

client_rs_machinery::message!(DeviceAttribute, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceAttribute",
    type_meta: None,
    fields: &[
        Field::new("int", Flags::OMIT_EMPTY),
        Field::new("bool", Flags::OMIT_EMPTY),
        Field::new("string", Flags::OMIT_EMPTY),
        Field::new("version", Flags::OMIT_EMPTY),
        Field::new("ints", Flags::OMIT_EMPTY),
        Field::new("bools", Flags::OMIT_EMPTY),
        Field::new("strings", Flags::OMIT_EMPTY),
        Field::new("versions", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(2, 0),
        Wire::field(3, 1),
        Wire::field(4, 2),
        Wire::field(5, 3),
        Wire::field(6, 4),
        Wire::field(7, 5),
        Wire::field(8, 6),
        Wire::field(9, 7),
    ],
};

impl Fields for DeviceAttribute {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.int,
            1 => &self.bool,
            2 => &self.string,
            3 => &self.version,
            4 => &self.ints,
            5 => &self.bools,
            6 => &self.strings,
            7 => &self.versions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.int,
            1 => &mut self.bool,
            2 => &mut self.string,
            3 => &mut self.version,
            4 => &mut self.ints,
            5 => &mut self.bools,
            6 => &mut self.strings,
            7 => &mut self.versions,
            _ => return None,
        })
    }
}
