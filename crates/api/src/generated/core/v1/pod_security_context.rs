// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AppArmorProfile;
use super::SELinuxOptions;
use super::SeccompProfile;
use super::Sysctl;
use super::WindowsSecurityContextOptions;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PodSecurityContext`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSecurityContext {
    /// [`seLinuxOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub se_linux_options: Option<Shared<SELinuxOptions>>,
    /// [`windowsOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub windows_options: Option<Shared<WindowsSecurityContextOptions>>,
    /// [`runAsUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub run_as_user: Option<i64>,
    /// [`runAsGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub run_as_group: Option<i64>,
    /// [`runAsNonRoot`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub run_as_non_root: Option<bool>,
    /// [`supplementalGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional. Apply replaces the list.
    pub supplemental_groups: List<i64>,
    /// [`supplementalGroupsPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional, since 1.31. One of `Merge`, `Strict`. Feature gate `SupplementalGroupsPolicy`.
    pub supplemental_groups_policy: Option<Str>,
    /// [`fsGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional.
    pub fs_group: Option<i64>,
    /// [`sysctls`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional. Apply replaces the list.
    pub sysctls: List<Sysctl>,
    /// [`fsGroupChangePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional, since 1.18. One of `Always`, `OnRootMismatch`.
    pub fs_group_change_policy: Option<Str>,
    /// [`seccompProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional, since 1.19.
    pub seccomp_profile: Option<Shared<SeccompProfile>>,
    /// [`appArmorProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional, since 1.30.
    pub app_armor_profile: Option<Shared<AppArmorProfile>>,
    /// [`seLinuxChangePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core): optional, since 1.32. Known values: `MountOption`, `Recursive`. Feature gate `SELinuxChangePolicy`.
    pub se_linux_change_policy: Option<Str>,
}

impl PodSecurityContext {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        se_linux_options: None,
        windows_options: None,
        run_as_user: None,
        run_as_group: None,
        run_as_non_root: None,
        supplemental_groups: List::EMPTY,
        supplemental_groups_policy: None,
        fs_group: None,
        sysctls: List::EMPTY,
        fs_group_change_policy: None,
        seccomp_profile: None,
        app_armor_profile: None,
        se_linux_change_policy: None,
    };
}

client_rs_machinery::message!(PodSecurityContext, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodSecurityContext",
    type_meta: None,
    fields: &[
        Field::new("seLinuxOptions", Flags::OMIT_EMPTY).of::<SELinuxOptions>(),
        Field::new("windowsOptions", Flags::OMIT_EMPTY).of::<WindowsSecurityContextOptions>(),
        Field::new("runAsUser", Flags::OMIT_EMPTY),
        Field::new("runAsGroup", Flags::OMIT_EMPTY),
        Field::new("runAsNonRoot", Flags::OMIT_EMPTY),
        Field::new("supplementalGroups", Flags::OMIT_EMPTY),
        Field::new("supplementalGroupsPolicy", Flags::OMIT_EMPTY),
        Field::new("fsGroup", Flags::OMIT_EMPTY),
        Field::new("sysctls", Flags::OMIT_EMPTY).of::<Sysctl>(),
        Field::new("fsGroupChangePolicy", Flags::OMIT_EMPTY),
        Field::new("seccompProfile", Flags::OMIT_EMPTY).of::<SeccompProfile>(),
        Field::new("appArmorProfile", Flags::OMIT_EMPTY).of::<AppArmorProfile>(),
        Field::new("seLinuxChangePolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 4),
        Wire::field(4, 5),
        Wire::field(5, 7),
        Wire::field(6, 3),
        Wire::field(7, 8),
        Wire::field(8, 1),
        Wire::field(9, 9),
        Wire::field(10, 10),
        Wire::field(11, 11),
        Wire::field(12, 6),
        Wire::field(13, 12),
    ],
};

impl Fields for PodSecurityContext {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.se_linux_options),
            1 => FieldRef::optional(&self.windows_options),
            2 => FieldRef::value(&self.run_as_user),
            3 => FieldRef::value(&self.run_as_group),
            4 => FieldRef::value(&self.run_as_non_root),
            5 => FieldRef::value(&self.supplemental_groups),
            6 => FieldRef::value(&self.supplemental_groups_policy),
            7 => FieldRef::value(&self.fs_group),
            8 => FieldRef::list(&self.sysctls),
            9 => FieldRef::value(&self.fs_group_change_policy),
            10 => FieldRef::optional(&self.seccomp_profile),
            11 => FieldRef::optional(&self.app_armor_profile),
            12 => FieldRef::value(&self.se_linux_change_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.se_linux_options),
            1 => FieldMut::optional(&mut self.windows_options),
            2 => FieldMut::value(&mut self.run_as_user),
            3 => FieldMut::value(&mut self.run_as_group),
            4 => FieldMut::value(&mut self.run_as_non_root),
            5 => FieldMut::value(&mut self.supplemental_groups),
            6 => FieldMut::value(&mut self.supplemental_groups_policy),
            7 => FieldMut::value(&mut self.fs_group),
            8 => FieldMut::list(&mut self.sysctls),
            9 => FieldMut::value(&mut self.fs_group_change_policy),
            10 => FieldMut::optional(&mut self.seccomp_profile),
            11 => FieldMut::optional(&mut self.app_armor_profile),
            12 => FieldMut::value(&mut self.se_linux_change_policy),
            _ => FieldMut::NONE,
        }
    }
}
