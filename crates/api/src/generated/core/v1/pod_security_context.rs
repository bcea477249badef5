// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AppArmorProfile;
use super::SELinuxOptions;
use super::SeccompProfile;
use super::Sysctl;
use super::WindowsSecurityContextOptions;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [PodSecurityContext](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsecuritycontext-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSecurityContext {
    pub se_linux_options: Option<Shared<SELinuxOptions>>,
    pub windows_options: Option<Shared<WindowsSecurityContextOptions>>,
    pub run_as_user: Option<i64>,
    pub run_as_group: Option<i64>,
    pub run_as_non_root: Option<bool>,
    pub supplemental_groups: List<i64>,
    pub supplemental_groups_policy: Option<Str>,
    pub fs_group: Option<i64>,
    pub sysctls: List<Sysctl>,
    pub fs_group_change_policy: Option<Str>,
    pub seccomp_profile: Option<Shared<SeccompProfile>>,
    pub app_armor_profile: Option<Shared<AppArmorProfile>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.se_linux_options,
            1 => &self.windows_options,
            2 => &self.run_as_user,
            3 => &self.run_as_group,
            4 => &self.run_as_non_root,
            5 => &self.supplemental_groups,
            6 => &self.supplemental_groups_policy,
            7 => &self.fs_group,
            8 => &self.sysctls,
            9 => &self.fs_group_change_policy,
            10 => &self.seccomp_profile,
            11 => &self.app_armor_profile,
            12 => &self.se_linux_change_policy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.se_linux_options,
            1 => &mut self.windows_options,
            2 => &mut self.run_as_user,
            3 => &mut self.run_as_group,
            4 => &mut self.run_as_non_root,
            5 => &mut self.supplemental_groups,
            6 => &mut self.supplemental_groups_policy,
            7 => &mut self.fs_group,
            8 => &mut self.sysctls,
            9 => &mut self.fs_group_change_policy,
            10 => &mut self.seccomp_profile,
            11 => &mut self.app_armor_profile,
            12 => &mut self.se_linux_change_policy,
            _ => return None,
        })
    }
}
