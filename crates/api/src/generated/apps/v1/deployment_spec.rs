// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentStrategy;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeploymentSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentSpec {
    /// [`replicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional. Defaults to `1`.
    pub replicas: Option<i32>,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): required.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`template`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): required.
    pub template: Shared<PodTemplateSpec>,
    /// [`strategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional. Patch strategy `retainKeys`.
    pub strategy: DeploymentStrategy,
    /// [`minReadySeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional.
    pub min_ready_seconds: i32,
    /// [`revisionHistoryLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional. Defaults to `10`.
    pub revision_history_limit: Option<i32>,
    /// [`paused`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional.
    pub paused: bool,
    /// [`progressDeadlineSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentspec-v1-apps): optional.
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
        progress_deadline_seconds: None,
    };
}

client_rs_machinery::message!(DeploymentSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentSpec",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::NONE).of::<LabelSelector>(),
        Field::new("template", Flags::NONE).of::<PodTemplateSpec>(),
        Field::new("strategy", Flags::OMIT_EMPTY.and(Flags::PATCH_RETAIN_KEYS)).of::<DeploymentStrategy>(),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("revisionHistoryLimit", Flags::OMIT_EMPTY),
        Field::new("paused", Flags::OMIT_EMPTY),
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
        Wire::field(9, 7),
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
            7 => FieldRef::value(&self.progress_deadline_seconds),
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
            7 => FieldMut::value(&mut self.progress_deadline_seconds),
            _ => FieldMut::NONE,
        }
    }
}
