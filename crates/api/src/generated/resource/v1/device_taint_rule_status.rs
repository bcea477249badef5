// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceTaintRuleStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulestatus-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintRuleStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulestatus-v1-resource-k8s-io): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
}

impl DeviceTaintRuleStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY };
}

client_rs_machinery::message!(DeviceTaintRuleStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceTaintRuleStatus",
    type_meta: None,
    fields: &[Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
        .of::<Condition>()
        .merged_by("type")],
    wire: &[Wire::field(1, 0)],
};

impl Fields for DeviceTaintRuleStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
