// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceColumnDefinition;
use super::CustomResourceConversion;
use super::CustomResourceDefinitionNames;
use super::CustomResourceDefinitionVersion;
use super::CustomResourceSubresources;
use super::CustomResourceValidation;
use super::SelectableField;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `CustomResourceDefinitionSpec` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionSpec {
    /// `group`: optional.
    pub group: Str,
    /// `version`: optional, deprecated.
    pub version: Str,
    /// `names`: optional.
    pub names: Shared<CustomResourceDefinitionNames>,
    /// `scope`: optional. Known values: `Cluster`, `Namespaced`. Defaults to `Namespaced`.
    pub scope: Str,
    /// `validation`: optional.
    pub validation: Option<Shared<CustomResourceValidation>>,
    /// `subresources`: optional.
    pub subresources: Option<Shared<CustomResourceSubresources>>,
    /// `versions`: optional. Apply replaces the list.
    pub versions: List<CustomResourceDefinitionVersion>,
    /// `additionalPrinterColumns`: optional. Apply replaces the list.
    pub additional_printer_columns: List<CustomResourceColumnDefinition>,
    /// `selectableFields`: optional. Apply replaces the list. Feature gate `CustomResourceFieldSelectors`.
    pub selectable_fields: List<SelectableField>,
    /// `conversion`: optional.
    pub conversion: Option<Shared<CustomResourceConversion>>,
    /// `preserveUnknownFields`: optional, deprecated.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group),
            1 => FieldRef::value(&self.version),
            2 => FieldRef::shared(&self.names),
            3 => FieldRef::value(&self.scope),
            4 => FieldRef::optional(&self.validation),
            5 => FieldRef::optional(&self.subresources),
            6 => FieldRef::list(&self.versions),
            7 => FieldRef::list(&self.additional_printer_columns),
            8 => FieldRef::list(&self.selectable_fields),
            9 => FieldRef::optional(&self.conversion),
            10 => FieldRef::value(&self.preserve_unknown_fields),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group),
            1 => FieldMut::value(&mut self.version),
            2 => FieldMut::shared(&mut self.names),
            3 => FieldMut::value(&mut self.scope),
            4 => FieldMut::optional(&mut self.validation),
            5 => FieldMut::optional(&mut self.subresources),
            6 => FieldMut::list(&mut self.versions),
            7 => FieldMut::list(&mut self.additional_printer_columns),
            8 => FieldMut::list(&mut self.selectable_fields),
            9 => FieldMut::optional(&mut self.conversion),
            10 => FieldMut::value(&mut self.preserve_unknown_fields),
            _ => FieldMut::NONE,
        }
    }
}
