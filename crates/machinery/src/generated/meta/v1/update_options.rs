// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use crate::{List, Str};

/// [UpdateOptions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#updateoptions-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct UpdateOptions {
    pub dry_run: List<Str>,
    pub field_manager: Str,
    pub field_validation: Str,
}

impl UpdateOptions {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { dry_run: List::EMPTY, field_manager: Str::EMPTY, field_validation: Str::EMPTY };
}

crate::message!(UpdateOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "UpdateOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "UpdateOptions", everywhere: true }),
    fields: &[
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("fieldManager", Flags::OMIT_EMPTY),
        Field::new("fieldValidation", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for UpdateOptions {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.dry_run,
            1 => &self.field_manager,
            2 => &self.field_validation,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.dry_run,
            1 => &mut self.field_manager,
            2 => &mut self.field_validation,
            _ => return None,
        })
    }
}
