// Made by `cargo xtask codegen` from schema: change those, not this.
use super::RollbackConfig;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Map, Str};

/// `DeploymentRollback` of `apps/v1beta1`. Since 1.6. Deprecated since 1.8. Not served since 1.16. Replaced by `DeploymentRollback` of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentRollback {
    /// `name`: required.
    pub name: Str,
    /// `updatedAnnotations`: optional.
    pub updated_annotations: Map<Str>,
    /// `rollbackTo`: optional.
    pub rollback_to: RollbackConfig,
}

impl DeploymentRollback {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, updated_annotations: Map::EMPTY, rollback_to: RollbackConfig::EMPTY };
}

client_rs_machinery::message!(DeploymentRollback, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentRollback",
    type_meta: Some(TypeMeta { api_version: "apps/v1beta1", kind: "DeploymentRollback", everywhere: false }),
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("updatedAnnotations", Flags::OMIT_EMPTY),
        Field::new("rollbackTo", Flags::NONE).of::<RollbackConfig>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeploymentRollback {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.updated_annotations),
            2 => FieldRef::message(&self.rollback_to),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.updated_annotations),
            2 => FieldMut::message(&mut self.rollback_to),
            _ => FieldMut::NONE,
        }
    }
}
