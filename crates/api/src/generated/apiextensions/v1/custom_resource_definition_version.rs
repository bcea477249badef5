// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceColumnDefinition;
use super::CustomResourceSubresources;
use super::CustomResourceValidation;
use super::SelectableField;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CustomResourceDefinitionVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionVersion {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): required.
    pub name: Str,
    /// [`served`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): required.
    pub served: bool,
    /// [`storage`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): required.
    pub storage: bool,
    /// [`deprecated`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional, since 1.19.
    pub deprecated: bool,
    /// [`deprecationWarning`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional, since 1.19.
    pub deprecation_warning: Option<Str>,
    /// [`schema`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional.
    pub schema: Option<Shared<CustomResourceValidation>>,
    /// [`subresources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional.
    pub subresources: Option<Shared<CustomResourceSubresources>>,
    /// [`additionalPrinterColumns`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional. Apply replaces the list.
    pub additional_printer_columns: List<CustomResourceColumnDefinition>,
    /// [`selectableFields`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionversion-v1-apiextensions-k8s-io): optional, since 1.30. Apply replaces the list. Feature gate `CustomResourceFieldSelectors`.
    pub selectable_fields: List<SelectableField>,
}

impl CustomResourceDefinitionVersion {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        served: false,
        storage: false,
        deprecated: false,
        deprecation_warning: None,
        schema: None,
        subresources: None,
        additional_printer_columns: List::EMPTY,
        selectable_fields: List::EMPTY,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionVersion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionVersion",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("served", Flags::NONE),
        Field::new("storage", Flags::NONE),
        Field::new("deprecated", Flags::OMIT_EMPTY),
        Field::new("deprecationWarning", Flags::OMIT_EMPTY),
        Field::new("schema", Flags::OMIT_EMPTY).of::<CustomResourceValidation>(),
        Field::new("subresources", Flags::OMIT_EMPTY).of::<CustomResourceSubresources>(),
        Field::new("additionalPrinterColumns", Flags::OMIT_EMPTY).of::<CustomResourceColumnDefinition>(),
        Field::new("selectableFields", Flags::OMIT_EMPTY).of::<SelectableField>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 5),
        Wire::field(5, 6),
        Wire::field(6, 7),
        Wire::field(7, 3),
        Wire::field(8, 4),
        Wire::field(9, 8),
    ],
};

impl Fields for CustomResourceDefinitionVersion {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.served),
            2 => FieldRef::value(&self.storage),
            3 => FieldRef::value(&self.deprecated),
            4 => FieldRef::value(&self.deprecation_warning),
            5 => FieldRef::optional(&self.schema),
            6 => FieldRef::optional(&self.subresources),
            7 => FieldRef::list(&self.additional_printer_columns),
            8 => FieldRef::list(&self.selectable_fields),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.served),
            2 => FieldMut::value(&mut self.storage),
            3 => FieldMut::value(&mut self.deprecated),
            4 => FieldMut::value(&mut self.deprecation_warning),
            5 => FieldMut::optional(&mut self.schema),
            6 => FieldMut::optional(&mut self.subresources),
            7 => FieldMut::list(&mut self.additional_printer_columns),
            8 => FieldMut::list(&mut self.selectable_fields),
            _ => FieldMut::NONE,
        }
    }
}
