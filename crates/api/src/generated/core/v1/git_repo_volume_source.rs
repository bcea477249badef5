// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GitRepoVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gitrepovolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GitRepoVolumeSource {
    /// [`repository`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gitrepovolumesource-v1-core): required.
    pub repository: Str,
    /// [`revision`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gitrepovolumesource-v1-core): optional.
    pub revision: Str,
    /// [`directory`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gitrepovolumesource-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.repository),
            1 => FieldRef::value(&self.revision),
            2 => FieldRef::value(&self.directory),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.repository),
            1 => FieldMut::value(&mut self.revision),
            2 => FieldMut::value(&mut self.directory),
            _ => FieldMut::NONE,
        }
    }
}
