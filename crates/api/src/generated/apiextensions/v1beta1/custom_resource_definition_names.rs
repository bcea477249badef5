// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [CustomResourceDefinitionNames](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1beta1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionNames {
    pub plural: Str,
    pub singular: Str,
    pub short_names: List<Str>,
    pub kind: Str,
    pub list_kind: Str,
    pub categories: List<Str>,
}

impl CustomResourceDefinitionNames {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        plural: Str::EMPTY,
        singular: Str::EMPTY,
        short_names: List::EMPTY,
        kind: Str::EMPTY,
        list_kind: Str::EMPTY,
        categories: List::EMPTY,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionNames, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionNames",
    type_meta: None,
    fields: &[
        Field::new("plural", Flags::NONE),
        Field::new("singular", Flags::OMIT_EMPTY),
        Field::new("shortNames", Flags::OMIT_EMPTY),
        Field::new("kind", Flags::NONE),
        Field::new("listKind", Flags::OMIT_EMPTY),
        Field::new("categories", Flags::OMIT_EMPTY),
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

impl Fields for CustomResourceDefinitionNames {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.plural,
            1 => &self.singular,
            2 => &self.short_names,
            3 => &self.kind,
            4 => &self.list_kind,
            5 => &self.categories,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.plural,
            1 => &mut self.singular,
            2 => &mut self.short_names,
            3 => &mut self.kind,
            4 => &mut self.list_kind,
            5 => &mut self.categories,
            _ => return None,
        })
    }
}
