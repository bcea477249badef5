// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use crate::{List, Str};

/// [RootPaths](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rootpaths-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct RootPaths {
    pub paths: List<Str>,
}

impl RootPaths {
    /// Every field empty.
    pub const EMPTY: Self = Self { paths: List::EMPTY };
}

crate::message!(RootPaths, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RootPaths",
    type_meta: None,
    fields: &[Field::new("paths", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for RootPaths {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.paths,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.paths,
            _ => return None,
        })
    }
}
