// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`DeviceAttribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceAttribute {
    /// [`int`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional.
    pub int: Option<i64>,
    /// [`bool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional.
    pub bool: Option<bool>,
    /// [`string`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional.
    pub string: Option<Str>,
    /// [`version`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional.
    pub version: Option<Str>,
    /// [`ints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional, since 1.36. Apply replaces the list. Feature gate `DRAListTypeAttributes`.
    pub ints: List<i64>,
    /// [`bools`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional, since 1.36. Apply replaces the list. Feature gate `DRAListTypeAttributes`.
    pub bools: List<bool>,
    /// [`strings`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional, since 1.36. Apply replaces the list. Feature gate `DRAListTypeAttributes`.
    pub strings: List<Str>,
    /// [`versions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceattribute-v1beta2-resource-k8s-io): optional, since 1.36. Apply replaces the list. Feature gate `DRAListTypeAttributes`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.int),
            1 => FieldRef::value(&self.bool),
            2 => FieldRef::value(&self.string),
            3 => FieldRef::value(&self.version),
            4 => FieldRef::value(&self.ints),
            5 => FieldRef::value(&self.bools),
            6 => FieldRef::value(&self.strings),
            7 => FieldRef::value(&self.versions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.int),
            1 => FieldMut::value(&mut self.bool),
            2 => FieldMut::value(&mut self.string),
            3 => FieldMut::value(&mut self.version),
            4 => FieldMut::value(&mut self.ints),
            5 => FieldMut::value(&mut self.bools),
            6 => FieldMut::value(&mut self.strings),
            7 => FieldMut::value(&mut self.versions),
            _ => FieldMut::NONE,
        }
    }
}
