// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatefulSetOrdinals;
use super::StatefulSetPersistentVolumeClaimRetentionPolicy;
use super::StatefulSetUpdateStrategy;
use crate::core::v1::PersistentVolumeClaim;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `StatefulSetSpec` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetSpec {
    /// `replicas`: optional. Defaults to `1`.
    pub replicas: Option<i32>,
    /// `selector`: required, immutable.
    pub selector: Option<Shared<LabelSelector>>,
    /// `template`: required.
    pub template: Shared<PodTemplateSpec>,
    /// `volumeClaimTemplates`: optional, immutable. Apply replaces the list.
    pub volume_claim_templates: List<PersistentVolumeClaim>,
    /// `serviceName`: optional, immutable.
    pub service_name: Str,
    /// `podManagementPolicy`: optional, immutable. Known values: `OrderedReady`, `Parallel`.
    pub pod_management_policy: Str,
    /// `updateStrategy`: optional.
    pub update_strategy: StatefulSetUpdateStrategy,
    /// `revisionHistoryLimit`: optional. Defaults to `10`.
    pub revision_history_limit: Option<i32>,
    /// `minReadySeconds`: optional.
    pub min_ready_seconds: i32,
    /// `persistentVolumeClaimRetentionPolicy`: optional.
    pub persistent_volume_claim_retention_policy:
        Option<Shared<StatefulSetPersistentVolumeClaimRetentionPolicy>>,
    /// `ordinals`: optional.
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
            3 => FieldRef::list(&self.volume_claim_templates),
            4 => FieldRef::value(&self.service_name),
            5 => FieldRef::value(&self.pod_management_policy),
            6 => FieldRef::message(&self.update_strategy),
            7 => FieldRef::value(&self.revision_history_limit),
            8 => FieldRef::value(&self.min_ready_seconds),
            9 => FieldRef::optional(&self.persistent_volume_claim_retention_policy),
            10 => FieldRef::optional(&self.ordinals),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::optional(&mut self.selector),
            2 => FieldMut::shared(&mut self.template),
            3 => FieldMut::list(&mut self.volume_claim_templates),
            4 => FieldMut::value(&mut self.service_name),
            5 => FieldMut::value(&mut self.pod_management_policy),
            6 => FieldMut::message(&mut self.update_strategy),
            7 => FieldMut::value(&mut self.revision_history_limit),
            8 => FieldMut::value(&mut self.min_ready_seconds),
            9 => FieldMut::optional(&mut self.persistent_volume_claim_retention_policy),
            10 => FieldMut::optional(&mut self.ordinals),
            _ => FieldMut::NONE,
        }
    }
}
