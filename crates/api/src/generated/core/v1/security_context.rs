// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AppArmorProfile;
use super::Capabilities;
use super::SELinuxOptions;
use super::SeccompProfile;
use super::WindowsSecurityContextOptions;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`SecurityContext`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SecurityContext {
    /// [`capabilities`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub capabilities: Option<Shared<Capabilities>>,
    /// [`privileged`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional. Defaults to `false`.
    pub privileged: Option<bool>,
    /// [`seLinuxOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub se_linux_options: Option<Shared<SELinuxOptions>>,
    /// [`windowsOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub windows_options: Option<Shared<WindowsSecurityContextOptions>>,
    /// [`runAsUser`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub run_as_user: Option<i64>,
    /// [`runAsGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub run_as_group: Option<i64>,
    /// [`runAsNonRoot`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub run_as_non_root: Option<bool>,
    /// [`readOnlyRootFilesystem`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional. Defaults to `false`.
    pub read_only_root_filesystem: Option<bool>,
    /// [`allowPrivilegeEscalation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional.
    pub allow_privilege_escalation: Option<bool>,
    /// [`procMount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional. One of `Default`, `Unmasked`.
    pub proc_mount: Option<Str>,
    /// [`seccompProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional, since 1.19.
    pub seccomp_profile: Option<Shared<SeccompProfile>>,
    /// [`appArmorProfile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#securitycontext-v1-core): optional, since 1.30.
    pub app_armor_profile: Option<Shared<AppArmorProfile>>,
}

impl SecurityContext {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        capabilities: None,
        privileged: None,
        se_linux_options: None,
        windows_options: None,
        run_as_user: None,
        run_as_group: None,
        run_as_non_root: None,
        read_only_root_filesystem: None,
        allow_privilege_escalation: None,
        proc_mount: None,
        seccomp_profile: None,
        app_armor_profile: None,
    };
}

client_rs_machinery::message!(SecurityContext, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SecurityContext",
    type_meta: None,
    fields: &[
        Field::new("capabilities", Flags::OMIT_EMPTY).of::<Capabilities>(),
        Field::new("privileged", Flags::OMIT_EMPTY),
        Field::new("seLinuxOptions", Flags::OMIT_EMPTY).of::<SELinuxOptions>(),
        Field::new("windowsOptions", Flags::OMIT_EMPTY).of::<WindowsSecurityContextOptions>(),
        Field::new("runAsUser", Flags::OMIT_EMPTY),
        Field::new("runAsGroup", Flags::OMIT_EMPTY),
        Field::new("runAsNonRoot", Flags::OMIT_EMPTY),
        Field::new("readOnlyRootFilesystem", Flags::OMIT_EMPTY),
        Field::new("allowPrivilegeEscalation", Flags::OMIT_EMPTY),
        Field::new("procMount", Flags::OMIT_EMPTY),
        Field::new("seccompProfile", Flags::OMIT_EMPTY).of::<SeccompProfile>(),
        Field::new("appArmorProfile", Flags::OMIT_EMPTY).of::<AppArmorProfile>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 6),
        Wire::field(6, 7),
        Wire::field(7, 8),
        Wire::field(8, 5),
        Wire::field(9, 9),
        Wire::field(10, 3),
        Wire::field(11, 10),
        Wire::field(12, 11),
    ],
};

impl Fields for SecurityContext {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.capabilities),
            1 => FieldRef::value(&self.privileged),
            2 => FieldRef::optional(&self.se_linux_options),
            3 => FieldRef::optional(&self.windows_options),
            4 => FieldRef::value(&self.run_as_user),
            5 => FieldRef::value(&self.run_as_group),
            6 => FieldRef::value(&self.run_as_non_root),
            7 => FieldRef::value(&self.read_only_root_filesystem),
            8 => FieldRef::value(&self.allow_privilege_escalation),
            9 => FieldRef::value(&self.proc_mount),
            10 => FieldRef::optional(&self.seccomp_profile),
            11 => FieldRef::optional(&self.app_armor_profile),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.capabilities),
            1 => FieldMut::value(&mut self.privileged),
            2 => FieldMut::optional(&mut self.se_linux_options),
            3 => FieldMut::optional(&mut self.windows_options),
            4 => FieldMut::value(&mut self.run_as_user),
            5 => FieldMut::value(&mut self.run_as_group),
            6 => FieldMut::value(&mut self.run_as_non_root),
            7 => FieldMut::value(&mut self.read_only_root_filesystem),
            8 => FieldMut::value(&mut self.allow_privilege_escalation),
            9 => FieldMut::value(&mut self.proc_mount),
            10 => FieldMut::optional(&mut self.seccomp_profile),
            11 => FieldMut::optional(&mut self.app_armor_profile),
            _ => FieldMut::NONE,
        }
    }
}
