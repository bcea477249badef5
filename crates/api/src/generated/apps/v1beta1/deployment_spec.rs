// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentStrategy;
use super::RollbackConfig;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeploymentSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1beta1-apps) of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentSpec {
    pub replicas: Option<i32>,
    pub selector: Option<Shared<LabelSelector>>,
    pub template: Shared<PodTemplateSpec>,
    pub strategy: DeploymentStrategy,
    pub min_ready_seconds: i32,
    pub revision_history_limit: Option<i32>,
    pub paused: bool,
    pub rollback_to: Option<Shared<RollbackConfig>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.replicas,
            1 => &self.selector,
            2 => &self.template,
            3 => &self.strategy,
            4 => &self.min_ready_seconds,
            5 => &self.revision_history_limit,
            6 => &self.paused,
            7 => &self.rollback_to,
            8 => &self.progress_deadline_seconds,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.replicas,
            1 => &mut self.selector,
            2 => &mut self.template,
            3 => &mut self.strategy,
            4 => &mut self.min_ready_seconds,
            5 => &mut self.revision_history_limit,
            6 => &mut self.paused,
            7 => &mut self.rollback_to,
            8 => &mut self.progress_deadline_seconds,
            _ => return None,
        })
    }
}
