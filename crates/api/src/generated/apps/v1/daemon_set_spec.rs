// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DaemonSetUpdateStrategy;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DaemonSetSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DaemonSetSpec {
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps): required.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`template`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps): required.
    pub template: Shared<PodTemplateSpec>,
    /// [`updateStrategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps): optional.
    pub update_strategy: DaemonSetUpdateStrategy,
    /// [`minReadySeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps): optional.
    pub min_ready_seconds: i32,
    /// [`revisionHistoryLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonsetspec-v1-apps): optional. Defaults to `10`.
    pub revision_history_limit: Option<i32>,
}

impl DaemonSetSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        selector: None,
        template: Shared::DEFAULT,
        update_strategy: DaemonSetUpdateStrategy::EMPTY,
        min_ready_seconds: 0,
        revision_history_limit: None,
    };
}

client_rs_machinery::message!(DaemonSetSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DaemonSetSpec",
    type_meta: None,
    fields: &[
        Field::new("selector", Flags::NONE).of::<LabelSelector>(),
        Field::new("template", Flags::NONE).of::<PodTemplateSpec>(),
        Field::new("updateStrategy", Flags::OMIT_EMPTY).of::<DaemonSetUpdateStrategy>(),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("revisionHistoryLimit", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(6, 4)],
};

impl Fields for DaemonSetSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.selector),
            1 => FieldRef::shared(&self.template),
            2 => FieldRef::message(&self.update_strategy),
            3 => FieldRef::value(&self.min_ready_seconds),
            4 => FieldRef::value(&self.revision_history_limit),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.selector),
            1 => FieldMut::shared(&mut self.template),
            2 => FieldMut::message(&mut self.update_strategy),
            3 => FieldMut::value(&mut self.min_ready_seconds),
            4 => FieldMut::value(&mut self.revision_history_limit),
            _ => FieldMut::NONE,
        }
    }
}
