// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [PodAttachOptions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podattachoptions-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodAttachOptions {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub tty: bool,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.stdin,
            1 => &self.stdout,
            2 => &self.stderr,
            3 => &self.tty,
            4 => &self.container,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.stdin,
            1 => &mut self.stdout,
            2 => &mut self.stderr,
            3 => &mut self.tty,
            4 => &mut self.container,
            _ => return None,
        })
    }
}
