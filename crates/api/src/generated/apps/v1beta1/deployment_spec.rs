// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentStrategy;
use super::RollbackConfig;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `DeploymentSpec` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentSpec {
    /// `replicas`: optional. Defaults to `1`.
    pub replicas: Option<i32>,
    /// `selector`: optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// `template`: required.
    pub template: Shared<PodTemplateSpec>,
    /// `strategy`: optional. Patch strategy `retainKeys`.
    pub strategy: DeploymentStrategy,
    /// `minReadySeconds`: optional.
    pub min_ready_seconds: i32,
    /// `revisionHistoryLimit`: optional. Defaults to `2`.
    pub revision_history_limit: Option<i32>,
    /// `paused`: optional.
    pub paused: bool,
    /// `rollbackTo`: optional, deprecated.
    pub rollback_to: Option<Shared<RollbackConfig>>,
    /// `progressDeadlineSeconds`: optional.
    pub progress_deadline_seconds: Option<i32>,
}

impl DeploymentSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        replicas: None,
        selector: None,
        template: Shared::DEFAULT,
        strategy: DeploymentStrategy::EMPTY,
        min_ready_seconds: 0,
        revision_history_limit: None,
        paused: false,
        rollback_to: None,
        progress_deadline_seconds: None,
    };
}

client_rs_machinery::message!(DeploymentSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentSpec",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("template", Flags::NONE).of::<PodTemplateSpec>(),
        Field::new("strategy", Flags::OMIT_EMPTY.and(Flags::PATCH_RETAIN_KEYS)).of::<DeploymentStrategy>(),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("revisionHistoryLimit", Flags::OMIT_EMPTY),
        Field::new("paused", Flags::OMIT_EMPTY),
        Field::new("rollbackTo", Flags::OMIT_EMPTY).of::<RollbackConfig>(),
        Field::new("progressDeadlineSeconds", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
    ],
};

impl Fields for DeploymentSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            1 => FieldRef::optional(&self.selector),
            2 => FieldRef::shared(&self.template),
            3 => FieldRef::message(&self.strategy),
            4 => FieldRef::value(&self.min_ready_seconds),
            5 => FieldRef::value(&self.revision_history_limit),
            6 => FieldRef::value(&self.paused),
            7 => FieldRef::optional(&self.rollback_to),
            8 => FieldRef::value(&self.progress_deadline_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::optional(&mut self.selector),
            2 => FieldMut::shared(&mut self.template),
            3 => FieldMut::message(&mut self.strategy),
            4 => FieldMut::value(&mut self.min_ready_seconds),
            5 => FieldMut::value(&mut self.revision_history_limit),
            6 => FieldMut::value(&mut self.paused),
            7 => FieldMut::optional(&mut self.rollback_to),
            8 => FieldMut::value(&mut self.progress_deadline_seconds),
            _ => FieldMut::NONE,
        }
    }
}
