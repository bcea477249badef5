// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `CustomResourceColumnDefinition` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceColumnDefinition {
    /// `name`: optional.
    pub name: Str,
    /// `type`: optional.
    pub type_: Str,
    /// `format`: optional.
    pub format: Str,
    /// `description`: optional.
    pub description: Str,
    /// `priority`: optional.
    pub priority: i32,
    /// `JSONPath`: optional.
    pub json_path: Str,
}

impl CustomResourceColumnDefinition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        type_: Str::EMPTY,
        format: Str::EMPTY,
        description: Str::EMPTY,
        priority: 0,
        json_path: Str::EMPTY,
    };
}

client_rs_machinery::message!(CustomResourceColumnDefinition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceColumnDefinition",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("type", Flags::NONE),
        Field::new("format", Flags::OMIT_EMPTY),
        Field::new("description", Flags::OMIT_EMPTY),
        Field::new("priority", Flags::OMIT_EMPTY),
        Field::new("JSONPath", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for CustomResourceColumnDefinition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.type_),
            2 => FieldRef::value(&self.format),
            3 => FieldRef::value(&self.description),
            4 => FieldRef::value(&self.priority),
            5 => FieldRef::value(&self.json_path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.type_),
            2 => FieldMut::value(&mut self.format),
            3 => FieldMut::value(&mut self.description),
            4 => FieldMut::value(&mut self.priority),
            5 => FieldMut::value(&mut self.json_path),
            _ => FieldMut::NONE,
        }
    }
}
