// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ContainerRestartRuleOnExitCodes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartruleonexitcodes-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerRestartRuleOnExitCodes {
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartruleonexitcodes-v1-core): required. Known values: `In`, `NotIn`.
    pub operator: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartruleonexitcodes-v1-core): optional. Apply merges entries.
    pub values: List<i32>,
}

impl ContainerRestartRuleOnExitCodes {
    /// Every field empty.
    pub const EMPTY: Self = Self { operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(ContainerRestartRuleOnExitCodes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerRestartRuleOnExitCodes",
    type_meta: None,
    fields: &[Field::new("operator", Flags::OMIT_EMPTY), Field::new("values", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerRestartRuleOnExitCodes {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.operator),
            1 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.operator),
            1 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
