// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [FileKeySelector](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#filekeyselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FileKeySelector {
    pub volume_name: Str,
    pub path: Str,
    pub key: Str,
    pub optional: Option<bool>,
}

impl FileKeySelector {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { volume_name: Str::EMPTY, path: Str::EMPTY, key: Str::EMPTY, optional: None };
}

client_rs_machinery::message!(FileKeySelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FileKeySelector",
    type_meta: None,
    fields: &[
        Field::new("volumeName", Flags::NONE),
        Field::new("path", Flags::NONE),
        Field::new("key", Flags::NONE),
        Field::new("optional", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for FileKeySelector {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.volume_name,
            1 => &self.path,
            2 => &self.key,
            3 => &self.optional,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.volume_name,
            1 => &mut self.path,
            2 => &mut self.key,
            3 => &mut self.optional,
            _ => return None,
        })
    }
}
