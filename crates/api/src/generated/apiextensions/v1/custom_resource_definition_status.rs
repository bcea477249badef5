// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceDefinitionCondition;
use super::CustomResourceDefinitionNames;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [CustomResourceDefinitionStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionStatus {
    pub conditions: List<CustomResourceDefinitionCondition>,
    pub accepted_names: Shared<CustomResourceDefinitionNames>,
    pub stored_versions: List<Str>,
    pub observed_generation: i64,
}

impl CustomResourceDefinitionStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        conditions: List::EMPTY,
        accepted_names: Shared::DEFAULT,
        stored_versions: List::EMPTY,
        observed_generation: 0,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::NONE).of::<CustomResourceDefinitionCondition>(),
        Field::new("acceptedNames", Flags::NONE).of::<CustomResourceDefinitionNames>(),
        Field::new("storedVersions", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for CustomResourceDefinitionStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.conditions,
            1 => &self.accepted_names,
            2 => &self.stored_versions,
            3 => &self.observed_generation,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.conditions,
            1 => &mut self.accepted_names,
            2 => &mut self.stored_versions,
            3 => &mut self.observed_generation,
            _ => return None,
        })
    }
}
