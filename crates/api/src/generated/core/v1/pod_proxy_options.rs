// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodProxyOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podproxyoptions-v1-core) of `core/v1`. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct PodProxyOptions {
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podproxyoptions-v1-core): optional.
    pub path: Str,
}

impl PodProxyOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { path: Str::EMPTY };
}

client_rs_machinery::message!(PodProxyOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodProxyOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodProxyOptions", everywhere: false }),
    fields: &[Field::new("path", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodProxyOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            _ => FieldMut::NONE,
        }
    }
}
