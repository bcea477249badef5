// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TokenRequest;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `CSIDriverSpec` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CSIDriverSpec {
    /// `attachRequired`: optional, immutable.
    pub attach_required: Option<bool>,
    /// `podInfoOnMount`: optional, immutable. Defaults to `false`.
    pub pod_info_on_mount: Option<bool>,
    /// `volumeLifecycleModes`: optional, immutable. Known values: `Ephemeral`, `Persistent`. Apply replaces the list.
    pub volume_lifecycle_modes: List<Str>,
    /// `storageCapacity`: optional.
    pub storage_capacity: Option<bool>,
    /// `fsGroupPolicy`: optional, immutable. Known values: `File`, `None`, `ReadWriteOnceWithFSType`.
    pub fs_group_policy: Option<Str>,
    /// `tokenRequests`: optional. Apply replaces the list.
    pub token_requests: List<TokenRequest>,
    /// `requiresRepublish`: optional. Defaults to `false`.
    pub requires_republish: Option<bool>,
    /// `seLinuxMount`: optional. Defaults to `false`. Feature gate `SELinuxMountReadWriteOncePod`.
    pub se_linux_mount: Option<bool>,
    /// `nodeAllocatableUpdatePeriodSeconds`: optional. Feature gate `MutableCSINodeAllocatableCount`.
    pub node_allocatable_update_period_seconds: Option<i64>,
    /// `serviceAccountTokenInSecrets`: optional. Feature gate `CSIServiceAccountTokenSecrets`.
    pub service_account_token_in_secrets: Option<bool>,
    /// `preventPodSchedulingIfMissing`: optional. Defaults to `false`. Feature gate `VolumeLimitScaling`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.attach_required),
            1 => FieldRef::value(&self.pod_info_on_mount),
            2 => FieldRef::value(&self.volume_lifecycle_modes),
            3 => FieldRef::value(&self.storage_capacity),
            4 => FieldRef::value(&self.fs_group_policy),
            5 => FieldRef::list(&self.token_requests),
            6 => FieldRef::value(&self.requires_republish),
            7 => FieldRef::value(&self.se_linux_mount),
            8 => FieldRef::value(&self.node_allocatable_update_period_seconds),
            9 => FieldRef::value(&self.service_account_token_in_secrets),
            10 => FieldRef::value(&self.prevent_pod_scheduling_if_missing),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.attach_required),
            1 => FieldMut::value(&mut self.pod_info_on_mount),
            2 => FieldMut::value(&mut self.volume_lifecycle_modes),
            3 => FieldMut::value(&mut self.storage_capacity),
            4 => FieldMut::value(&mut self.fs_group_policy),
            5 => FieldMut::list(&mut self.token_requests),
            6 => FieldMut::value(&mut self.requires_republish),
            7 => FieldMut::value(&mut self.se_linux_mount),
            8 => FieldMut::value(&mut self.node_allocatable_update_period_seconds),
            9 => FieldMut::value(&mut self.service_account_token_in_secrets),
            10 => FieldMut::value(&mut self.prevent_pod_scheduling_if_missing),
            _ => FieldMut::NONE,
        }
    }
}
