// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceColumnDefinition;
use super::CustomResourceConversion;
use super::CustomResourceDefinitionNames;
use super::CustomResourceDefinitionVersion;
use super::CustomResourceSubresources;
use super::CustomResourceValidation;
use super::SelectableField;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [CustomResourceDefinitionSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1beta1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionSpec {
    pub group: Str,
    pub version: Str,
    pub names: Shared<CustomResourceDefinitionNames>,
    pub scope: Str,
    pub validation: Option<Shared<CustomResourceValidation>>,
    pub subresources: Option<Shared<CustomResourceSubresources>>,
    pub versions: List<CustomResourceDefinitionVersion>,
    pub additional_printer_columns: List<CustomResourceColumnDefinition>,
    pub selectable_fields: List<SelectableField>,
    pub conversion: Option<Shared<CustomResourceConversion>>,
    pub preserve_unknown_fields: Option<bool>,
}

impl CustomResourceDefinitionSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        group: Str::EMPTY,
        version: Str::EMPTY,
        names: Shared::DEFAULT,
        scope: Str::EMPTY,
        validation: None,
        subresources: None,
        versions: List::EMPTY,
        additional_printer_columns: List::EMPTY,
        selectable_fields: List::EMPTY,
        conversion: None,
        preserve_unknown_fields: None,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionSpec",
    type_meta: None,
    fields: &[
        Field::new("group", Flags::NONE),
        Field::new("version", Flags::OMIT_EMPTY),
        Field::new("names", Flags::NONE).of::<CustomResourceDefinitionNames>(),
        Field::new("scope", Flags::NONE),
        Field::new("validation", Flags::OMIT_EMPTY).of::<CustomResourceValidation>(),
        Field::new("subresources", Flags::OMIT_EMPTY).of::<CustomResourceSubresources>(),
        Field::new("versions", Flags::OMIT_EMPTY).of::<CustomResourceDefinitionVersion>(),
        Field::new("additionalPrinterColumns", Flags::OMIT_EMPTY).of::<CustomResourceColumnDefinition>(),
        Field::new("selectableFields", Flags::OMIT_EMPTY).of::<SelectableField>(),
        Field::new("conversion", Flags::OMIT_EMPTY).of::<CustomResourceConversion>(),
        Field::new("preserveUnknownFields", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 9),
        Wire::field(10, 10),
        Wire::field(11, 8),
    ],
};

impl Fields for CustomResourceDefinitionSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group,
            1 => &self.version,
            2 => &self.names,
            3 => &self.scope,
            4 => &self.validation,
            5 => &self.subresources,
            6 => &self.versions,
            7 => &self.additional_printer_columns,
            8 => &self.selectable_fields,
            9 => &self.conversion,
            10 => &self.preserve_unknown_fields,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group,
            1 => &mut self.version,
            2 => &mut self.names,
            3 => &mut self.scope,
            4 => &mut self.validation,
            5 => &mut self.subresources,
            6 => &mut self.versions,
            7 => &mut self.additional_printer_columns,
            8 => &mut self.selectable_fields,
            9 => &mut self.conversion,
            10 => &mut self.preserve_unknown_fields,
            _ => return None,
        })
    }
}
