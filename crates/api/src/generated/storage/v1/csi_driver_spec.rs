// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TokenRequest;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [CSIDriverSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csidriverspec-v1-storage-k8s-io) of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CSIDriverSpec {
    pub attach_required: Option<bool>,
    pub pod_info_on_mount: Option<bool>,
    pub volume_lifecycle_modes: List<Str>,
    pub storage_capacity: Option<bool>,
    pub fs_group_policy: Option<Str>,
    pub token_requests: List<TokenRequest>,
    pub requires_republish: Option<bool>,
    pub se_linux_mount: Option<bool>,
    pub node_allocatable_update_period_seconds: Option<i64>,
    pub service_account_token_in_secrets: Option<bool>,
    pub prevent_pod_scheduling_if_missing: Option<bool>,
}

impl CSIDriverSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        attach_required: None,
        pod_info_on_mount: None,
        volume_lifecycle_modes: List::EMPTY,
        storage_capacity: None,
        fs_group_policy: None,
        token_requests: List::EMPTY,
        requires_republish: None,
        se_linux_mount: None,
        node_allocatable_update_period_seconds: None,
        service_account_token_in_secrets: None,
        prevent_pod_scheduling_if_missing: None,
    };
}

client_rs_machinery::message!(CSIDriverSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSIDriverSpec",
    type_meta: None,
    fields: &[
        Field::new("attachRequired", Flags::OMIT_EMPTY),
        Field::new("podInfoOnMount", Flags::OMIT_EMPTY),
        Field::new("volumeLifecycleModes", Flags::OMIT_EMPTY),
        Field::new("storageCapacity", Flags::OMIT_EMPTY),
        Field::new("fsGroupPolicy", Flags::OMIT_EMPTY),
        Field::new("tokenRequests", Flags::OMIT_EMPTY).of::<TokenRequest>(),
        Field::new("requiresRepublish", Flags::OMIT_EMPTY),
        Field::new("seLinuxMount", Flags::OMIT_EMPTY),
        Field::new("nodeAllocatableUpdatePeriodSeconds", Flags::OMIT_EMPTY),
        Field::new("serviceAccountTokenInSecrets", Flags::OMIT_EMPTY),
        Field::new("preventPodSchedulingIfMissing", Flags::OMIT_EMPTY),
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

impl Fields for CSIDriverSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.attach_required,
            1 => &self.pod_info_on_mount,
            2 => &self.volume_lifecycle_modes,
            3 => &self.storage_capacity,
            4 => &self.fs_group_policy,
            5 => &self.token_requests,
            6 => &self.requires_republish,
            7 => &self.se_linux_mount,
            8 => &self.node_allocatable_update_period_seconds,
            9 => &self.service_account_token_in_secrets,
            10 => &self.prevent_pod_scheduling_if_missing,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.attach_required,
            1 => &mut self.pod_info_on_mount,
            2 => &mut self.volume_lifecycle_modes,
            3 => &mut self.storage_capacity,
            4 => &mut self.fs_group_policy,
            5 => &mut self.token_requests,
            6 => &mut self.requires_republish,
            7 => &mut self.se_linux_mount,
            8 => &mut self.node_allocatable_update_period_seconds,
            9 => &mut self.service_account_token_in_secrets,
            10 => &mut self.prevent_pod_scheduling_if_missing,
            _ => return None,
        })
    }
}
