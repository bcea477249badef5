// Made by `cargo xtask codegen` from schema: change those, not this.
use super::RollingUpdateDeployment;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`DeploymentStrategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstrategy-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentStrategy {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstrategy-v1-apps): optional. One of `Recreate`, `RollingUpdate`. Defaults to `RollingUpdate`.
    pub type_: Str,
    /// [`rollingUpdate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstrategy-v1-apps): optional.
    pub rolling_update: Option<Shared<RollingUpdateDeployment>>,
}

impl DeploymentStrategy {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, rolling_update: None };
}

client_rs_machinery::message!(DeploymentStrategy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentStrategy",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("rollingUpdate", Flags::OMIT_EMPTY).of::<RollingUpdateDeployment>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeploymentStrategy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::optional(&self.rolling_update),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::optional(&mut self.rolling_update),
            _ => FieldMut::NONE,
        }
    }
}
