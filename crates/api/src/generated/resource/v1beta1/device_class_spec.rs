// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceClassConfiguration;
use super::DeviceSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`DeviceClassSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassspec-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClassSpec {
    /// [`selectors`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassspec-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub selectors: List<DeviceSelector>,
    /// [`config`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassspec-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub config: List<DeviceClassConfiguration>,
    /// [`extendedResourceName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassspec-v1beta1-resource-k8s-io): optional, since 1.34. Format `k8s-extended-resource-name`. Feature gate `DRAExtendedResource`.
    pub extended_resource_name: Option<Str>,
}

impl DeviceClassSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { selectors: List::EMPTY, config: List::EMPTY, extended_resource_name: None };
}

client_rs_machinery::message!(DeviceClassSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClassSpec",
    type_meta: None,
    fields: &[
        Field::new("selectors", Flags::OMIT_EMPTY).of::<DeviceSelector>(),
        Field::new("config", Flags::OMIT_EMPTY).of::<DeviceClassConfiguration>(),
        Field::new("extendedResourceName", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2)],
};

impl Fields for DeviceClassSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.selectors),
            1 => FieldRef::list(&self.config),
            2 => FieldRef::value(&self.extended_resource_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.selectors),
            1 => FieldMut::list(&mut self.config),
            2 => FieldMut::value(&mut self.extended_resource_name),
            _ => FieldMut::NONE,
        }
    }
}
