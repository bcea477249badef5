// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerRestartRuleOnExitCodes;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`ContainerRestartRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartrule-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerRestartRule {
    /// [`action`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartrule-v1-core): required. Known values: `Restart`, `RestartAllContainers`.
    pub action: Str,
    /// [`exitCodes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartrule-v1-core): optional.
    pub exit_codes: Option<Shared<ContainerRestartRuleOnExitCodes>>,
}

impl ContainerRestartRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { action: Str::EMPTY, exit_codes: None };
}

client_rs_machinery::message!(ContainerRestartRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerRestartRule",
    type_meta: None,
    fields: &[
        Field::new("action", Flags::OMIT_EMPTY),
        Field::new("exitCodes", Flags::OMIT_EMPTY).of::<ContainerRestartRuleOnExitCodes>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerRestartRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.action),
            1 => FieldRef::optional(&self.exit_codes),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.action),
            1 => FieldMut::optional(&mut self.exit_codes),
            _ => FieldMut::NONE,
        }
    }
}
