// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GlusterfsPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfspersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GlusterfsPersistentVolumeSource {
    /// [`endpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfspersistentvolumesource-v1-core): required.
    pub endpoints: Str,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfspersistentvolumesource-v1-core): required.
    pub path: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfspersistentvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`endpointsNamespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#glusterfspersistentvolumesource-v1-core): optional.
    pub endpoints_namespace: Option<Str>,
}

impl GlusterfsPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { endpoints: Str::EMPTY, path: Str::EMPTY, read_only: false, endpoints_namespace: None };
}

client_rs_machinery::message!(GlusterfsPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GlusterfsPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("endpoints", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("endpointsNamespace", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for GlusterfsPersistentVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.endpoints),
            1 => FieldRef::value(&self.path),
            2 => FieldRef::value(&self.read_only),
            3 => FieldRef::value(&self.endpoints_namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.endpoints),
            1 => FieldMut::value(&mut self.path),
            2 => FieldMut::value(&mut self.read_only),
            3 => FieldMut::value(&mut self.endpoints_namespace),
            _ => FieldMut::NONE,
        }
    }
}
