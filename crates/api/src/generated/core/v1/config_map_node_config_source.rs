// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ConfigMapNodeConfigSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ConfigMapNodeConfigSource {
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core): required.
    pub namespace: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core): required.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core): optional.
    pub uid: Str,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core): optional.
    pub resource_version: Str,
    /// [`kubeletConfigKey`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core): required.
    pub kubelet_config_key: Str,
}

impl ConfigMapNodeConfigSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        namespace: Str::EMPTY,
        name: Str::EMPTY,
        uid: Str::EMPTY,
        resource_version: Str::EMPTY,
        kubelet_config_key: Str::EMPTY,
    };
}

client_rs_machinery::message!(ConfigMapNodeConfigSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMapNodeConfigSource",
    type_meta: None,
    fields: &[
        Field::new("namespace", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("kubeletConfigKey", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ConfigMapNodeConfigSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.namespace),
            1 => FieldRef::value(&self.name),
            2 => FieldRef::value(&self.uid),
            3 => FieldRef::value(&self.resource_version),
            4 => FieldRef::value(&self.kubelet_config_key),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.namespace),
            1 => FieldMut::value(&mut self.name),
            2 => FieldMut::value(&mut self.uid),
            3 => FieldMut::value(&mut self.resource_version),
            4 => FieldMut::value(&mut self.kubelet_config_key),
            _ => FieldMut::NONE,
        }
    }
}
