// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceConversion;
use super::CustomResourceDefinitionNames;
use super::CustomResourceDefinitionVersion;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CustomResourceDefinitionSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionSpec {
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): required.
    pub group: Str,
    /// [`names`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): required.
    pub names: Shared<CustomResourceDefinitionNames>,
    /// [`scope`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): required. Known values: `Cluster`, `Namespaced`.
    pub scope: Str,
    /// [`versions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): required. Apply replaces the list.
    pub versions: List<CustomResourceDefinitionVersion>,
    /// [`conversion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): optional.
    pub conversion: Option<Shared<CustomResourceConversion>>,
    /// [`preserveUnknownFields`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionspec-v1-apiextensions-k8s-io): optional, deprecated.
    pub preserve_unknown_fields: bool,
}

impl CustomResourceDefinitionSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        group: Str::EMPTY,
        names: Shared::DEFAULT,
        scope: Str::EMPTY,
        versions: List::EMPTY,
        conversion: None,
        preserve_unknown_fields: false,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionSpec",
    type_meta: None,
    fields: &[
        Field::new("group", Flags::NONE),
        Field::new("names", Flags::NONE).of::<CustomResourceDefinitionNames>(),
        Field::new("scope", Flags::NONE),
        Field::new("versions", Flags::NONE).of::<CustomResourceDefinitionVersion>(),
        Field::new("conversion", Flags::OMIT_EMPTY).of::<CustomResourceConversion>(),
        Field::new("preserveUnknownFields", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(3, 1),
        Wire::field(4, 2),
        Wire::field(7, 3),
        Wire::field(9, 4),
        Wire::field(10, 5),
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
            1 => FieldRef::shared(&self.names),
            2 => FieldRef::value(&self.scope),
            3 => FieldRef::list(&self.versions),
            4 => FieldRef::optional(&self.conversion),
            5 => FieldRef::value(&self.preserve_unknown_fields),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group),
            1 => FieldMut::shared(&mut self.names),
            2 => FieldMut::value(&mut self.scope),
            3 => FieldMut::list(&mut self.versions),
            4 => FieldMut::optional(&mut self.conversion),
            5 => FieldMut::value(&mut self.preserve_unknown_fields),
            _ => FieldMut::NONE,
        }
    }
}
