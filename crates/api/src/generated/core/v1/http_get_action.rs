// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HTTPHeader;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, List, Str};

/// [`HTTPGetAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct HTTPGetAction {
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): optional.
    pub path: Str,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): required.
    pub port: IntOrString,
    /// [`host`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): optional.
    pub host: Str,
    /// [`scheme`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): optional. One of `HTTP`, `HTTPS`. Defaults to `HTTP`.
    pub scheme: Str,
    /// [`httpHeaders`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): optional. Apply replaces the list.
    pub http_headers: List<HTTPHeader>,
    /// [`protocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core): optional, since 1.37. One of `HTTP1`, `HTTP2`. Feature gate `H2CContainerProbe`.
    pub protocol: Option<Str>,
}

impl HTTPGetAction {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        path: Str::EMPTY,
        port: IntOrString::ZERO,
        host: Str::EMPTY,
        scheme: Str::EMPTY,
        http_headers: List::EMPTY,
        protocol: None,
    };
}

client_rs_machinery::message!(HTTPGetAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HTTPGetAction",
    type_meta: None,
    fields: &[
        Field::new("path", Flags::OMIT_EMPTY),
        Field::new("port", Flags::NONE),
        Field::new("host", Flags::OMIT_EMPTY),
        Field::new("scheme", Flags::OMIT_EMPTY),
        Field::new("httpHeaders", Flags::OMIT_EMPTY).of::<HTTPHeader>(),
        Field::new("protocol", Flags::OMIT_EMPTY),
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

impl Fields for HTTPGetAction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::value(&self.port),
            2 => FieldRef::value(&self.host),
            3 => FieldRef::value(&self.scheme),
            4 => FieldRef::list(&self.http_headers),
            5 => FieldRef::value(&self.protocol),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::value(&mut self.port),
            2 => FieldMut::value(&mut self.host),
            3 => FieldMut::value(&mut self.scheme),
            4 => FieldMut::list(&mut self.http_headers),
            5 => FieldMut::value(&mut self.protocol),
            _ => FieldMut::NONE,
        }
    }
}
