// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodAttachOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core) of `core/v1`. Since 1.1.
#[derive(Clone, PartialEq)]
pub struct PodAttachOptions {
    /// [`stdin`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core): optional.
    pub stdin: bool,
    /// [`stdout`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core): optional. Defaults to `true`.
    pub stdout: bool,
    /// [`stderr`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core): optional. Defaults to `true`.
    pub stderr: bool,
    /// [`tty`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core): optional.
    pub tty: bool,
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core): optional.
    pub container: Str,
}

impl PodAttachOptions {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { stdin: false, stdout: false, stderr: false, tty: false, container: Str::EMPTY };
}

client_rs_machinery::message!(PodAttachOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodAttachOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodAttachOptions", everywhere: false }),
    fields: &[
        Field::new("stdin", Flags::OMIT_EMPTY),
        Field::new("stdout", Flags::OMIT_EMPTY),
        Field::new("stderr", Flags::OMIT_EMPTY),
        Field::new("tty", Flags::OMIT_EMPTY),
        Field::new("container", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for PodAttachOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.stdin),
            1 => FieldRef::value(&self.stdout),
            2 => FieldRef::value(&self.stderr),
            3 => FieldRef::value(&self.tty),
            4 => FieldRef::value(&self.container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.stdin),
            1 => FieldMut::value(&mut self.stdout),
            2 => FieldMut::value(&mut self.stderr),
            3 => FieldMut::value(&mut self.tty),
            4 => FieldMut::value(&mut self.container),
            _ => FieldMut::NONE,
        }
    }
}
