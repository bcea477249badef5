// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatefulSetOrdinals;
use super::StatefulSetPersistentVolumeClaimRetentionPolicy;
use super::StatefulSetUpdateStrategy;
use crate::core::v1::PersistentVolumeClaim;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [StatefulSetSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetspec-v1beta1-apps) of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetSpec {
    pub replicas: Option<i32>,
    pub selector: Option<Shared<LabelSelector>>,
    pub template: Shared<PodTemplateSpec>,
    pub volume_claim_templates: List<PersistentVolumeClaim>,
    pub service_name: Str,
    pub pod_management_policy: Str,
    pub update_strategy: StatefulSetUpdateStrategy,
    pub revision_history_limit: Option<i32>,
    pub min_ready_seconds: i32,
    pub persistent_volume_claim_retention_policy:
        Option<Shared<StatefulSetPersistentVolumeClaimRetentionPolicy>>,
    pub ordinals: Option<Shared<StatefulSetOrdinals>>,
}

impl StatefulSetSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        replicas: None,
        selector: None,
        template: Shared::DEFAULT,
        volume_claim_templates: List::EMPTY,
        service_name: Str::EMPTY,
        pod_management_policy: Str::EMPTY,
        update_strategy: StatefulSetUpdateStrategy::EMPTY,
        revision_history_limit: None,
        min_ready_seconds: 0,
        persistent_volume_claim_retention_policy: None,
        ordinals: None,
    };
}

client_rs_machinery::message!(StatefulSetSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetSpec",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("template", Flags::NONE).of::<PodTemplateSpec>(),
        Field::new("volumeClaimTemplates", Flags::OMIT_EMPTY).of::<PersistentVolumeClaim>(),
        Field::new("serviceName", Flags::NONE),
        Field::new("podManagementPolicy", Flags::OMIT_EMPTY),
        Field::new("updateStrategy", Flags::OMIT_EMPTY).of::<StatefulSetUpdateStrategy>(),
        Field::new("revisionHistoryLimit", Flags::OMIT_EMPTY),
        Field::new("minReadySeconds", Flags::OMIT_EMPTY),
        Field::new("persistentVolumeClaimRetentionPolicy", Flags::OMIT_EMPTY)
            .of::<StatefulSetPersistentVolumeClaimRetentionPolicy>(),
        Field::new("ordinals", Flags::OMIT_EMPTY).of::<StatefulSetOrdinals>(),
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
        Wire::field(10, 9),
        Wire::field(11, 10),
    ],
};

impl Fields for StatefulSetSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.replicas,
            1 => &self.selector,
            2 => &self.template,
            3 => &self.volume_claim_templates,
            4 => &self.service_name,
            5 => &self.pod_management_policy,
            6 => &self.update_strategy,
            7 => &self.revision_history_limit,
            8 => &self.min_ready_seconds,
            9 => &self.persistent_volume_claim_retention_policy,
            10 => &self.ordinals,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.replicas,
            1 => &mut self.selector,
            2 => &mut self.template,
            3 => &mut self.volume_claim_templates,
            4 => &mut self.service_name,
            5 => &mut self.pod_management_policy,
            6 => &mut self.update_strategy,
            7 => &mut self.revision_history_limit,
            8 => &mut self.min_ready_seconds,
            9 => &mut self.persistent_volume_claim_retention_policy,
            10 => &mut self.ordinals,
            _ => return None,
        })
    }
}
