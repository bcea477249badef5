// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressBackend;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `HTTPIngressPath` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct HTTPIngressPath {
    /// `path`: optional.
    pub path: Str,
    /// `pathType`: optional. Known values: `Exact`, `ImplementationSpecific`, `Prefix`. Defaults to `ImplementationSpecific`.
    pub path_type: Option<Str>,
    /// `backend`: optional.
    pub backend: IngressBackend,
}

impl HTTPIngressPath {
    /// Every field empty.
    pub const EMPTY: Self = Self { path: Str::EMPTY, path_type: None, backend: IngressBackend::EMPTY };
}

client_rs_machinery::message!(HTTPIngressPath, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HTTPIngressPath",
    type_meta: None,
    fields: &[
        Field::new("path", Flags::OMIT_EMPTY),
        Field::new("pathType", Flags::OMIT_EMPTY),
        Field::new("backend", Flags::NONE).of::<IngressBackend>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 1)],
};

impl Fields for HTTPIngressPath {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::value(&self.path_type),
            2 => FieldRef::message(&self.backend),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::value(&mut self.path_type),
            2 => FieldMut::message(&mut self.backend),
            _ => FieldMut::NONE,
        }
    }
}
