// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{List, Str};

/// [`PodExecOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core) of `core/v1`. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct PodExecOptions {
    /// [`stdin`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub stdin: bool,
    /// [`stdout`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub stdout: bool,
    /// [`stderr`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub stderr: bool,
    /// [`tty`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub tty: bool,
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub container: Str,
    /// [`command`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podexecoptions-v1-core): optional.
    pub command: List<Str>,
}

impl PodExecOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        stdin: false,
        stdout: false,
        stderr: false,
        tty: false,
        container: Str::EMPTY,
        command: List::EMPTY,
    };
}

client_rs_machinery::message!(PodExecOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodExecOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodExecOptions", everywhere: false }),
    fields: &[
        Field::new("stdin", Flags::OMIT_EMPTY),
        Field::new("stdout", Flags::OMIT_EMPTY),
        Field::new("stderr", Flags::OMIT_EMPTY),
        Field::new("tty", Flags::OMIT_EMPTY),
        Field::new("container", Flags::OMIT_EMPTY),
        Field::new("command", Flags::NONE),
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

impl Fields for PodExecOptions {
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
            5 => FieldRef::value(&self.command),
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
            5 => FieldMut::value(&mut self.command),
            _ => FieldMut::NONE,
        }
    }
}
