// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GitRepoVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gitrepovolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GitRepoVolumeSource {
    pub repository: Str,
    pub revision: Str,
    pub directory: Str,
}

impl GitRepoVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { repository: Str::EMPTY, revision: Str::EMPTY, directory: Str::EMPTY };
}

client_rs_machinery::message!(GitRepoVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GitRepoVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("repository", Flags::NONE),
        Field::new("revision", Flags::OMIT_EMPTY),
        Field::new("directory", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for GitRepoVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.repository,
            1 => &self.revision,
            2 => &self.directory,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.repository,
            1 => &mut self.revision,
            2 => &mut self.directory,
            _ => return None,
        })
    }
}
