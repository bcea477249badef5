// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ReplicaSetSpec` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ReplicaSetSpec {
    /// `replicas`: optional. Defaults to `1`.
    pub replicas: Option<i32>,
    /// `minReadySeconds`: optional.
    pub min_ready_seconds: i32,
    /// `selector`: optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// `template`: optional.
    pub template: Shared<PodTemplateSpec>,
}

impl ReplicaSetSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { replicas: None, min_ready_seconds: 0, selector: None, template: Shared::DEFAULT };
}

client_rs_machinery::message!(ReplicaSetSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ReplicaSetSpec",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("template", Flags::OMIT_EMPTY).of::<PodTemplateSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 1)],
};

impl Fields for ReplicaSetSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            1 => FieldRef::value(&self.min_ready_seconds),
            2 => FieldRef::optional(&self.selector),
            3 => FieldRef::shared(&self.template),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::value(&mut self.min_ready_seconds),
            2 => FieldMut::optional(&mut self.selector),
            3 => FieldMut::shared(&mut self.template),
            _ => FieldMut::NONE,
        }
    }
}
