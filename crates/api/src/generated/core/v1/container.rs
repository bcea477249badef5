// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerPort;
use super::ContainerResizePolicy;
use super::ContainerRestartRule;
use super::EnvFromSource;
use super::EnvVar;
use super::Lifecycle;
use super::Probe;
use super::ResourceRequirements;
use super::SecurityContext;
use super::VolumeDevice;
use super::VolumeMount;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`Container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Container {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): required, immutable in a pod.
    pub name: Str,
    /// [`image`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional.
    pub image: Str,
    /// [`command`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply replaces the list.
    pub command: List<Str>,
    /// [`args`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply replaces the list.
    pub args: List<Str>,
    /// [`workingDir`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod.
    pub working_dir: Str,
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply merges entries by `containerPort`, `protocol`. Strategic merge patch merges entries by `containerPort`.
    pub ports: List<ContainerPort>,
    /// [`envFrom`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply replaces the list.
    pub env_from: List<EnvFromSource>,
    /// [`env`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply and strategic merge patch merge entries by `name`.
    pub env: List<EnvVar>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable with exceptions.
    pub resources: ResourceRequirements,
    /// [`resizePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, since 1.27. Apply replaces the list. Feature gate `InPlacePodVerticalScaling`.
    pub resize_policy: List<ContainerResizePolicy>,
    /// [`restartPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, since 1.28. Known values: `Always`, `Never`, `OnFailure`.
    pub restart_policy: Option<Str>,
    /// [`restartPolicyRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, since 1.34. Apply replaces the list. Feature gate `ContainerRestartRules`.
    pub restart_policy_rules: List<ContainerRestartRule>,
    /// [`volumeMounts`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Apply and strategic merge patch merge entries by `mountPath`.
    pub volume_mounts: List<VolumeMount>,
    /// [`volumeDevices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional. Apply and strategic merge patch merge entries by `devicePath`.
    pub volume_devices: List<VolumeDevice>,
    /// [`livenessProbe`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod.
    pub liveness_probe: Option<Shared<Probe>>,
    /// [`readinessProbe`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod.
    pub readiness_probe: Option<Shared<Probe>>,
    /// [`startupProbe`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod.
    pub startup_probe: Option<Shared<Probe>>,
    /// [`lifecycle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod.
    pub lifecycle: Option<Shared<Lifecycle>>,
    /// [`terminationMessagePath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. Defaults to `/dev/termination-log`.
    pub termination_message_path: Str,
    /// [`terminationMessagePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. One of `FallbackToLogsOnError`, `File`. Defaults to `File`.
    pub termination_message_policy: Str,
    /// [`imagePullPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional, immutable in a pod. One of `Always`, `IfNotPresent`, `Never`.
    pub image_pull_policy: Str,
    /// [`securityContext`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional.
    pub security_context: Option<Shared<SecurityContext>>,
    /// [`stdin`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional.
    pub stdin: bool,
    /// [`stdinOnce`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional.
    pub stdin_once: bool,
    /// [`tty`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#container-v1-core): optional.
    pub tty: bool,
}

impl Container {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        image: Str::EMPTY,
        command: List::EMPTY,
        args: List::EMPTY,
        working_dir: Str::EMPTY,
        ports: List::EMPTY,
        env_from: List::EMPTY,
        env: List::EMPTY,
        resources: ResourceRequirements::EMPTY,
        resize_policy: List::EMPTY,
        restart_policy: None,
        restart_policy_rules: List::EMPTY,
        volume_mounts: List::EMPTY,
        volume_devices: List::EMPTY,
        liveness_probe: None,
        readiness_probe: None,
        startup_probe: None,
        lifecycle: None,
        termination_message_path: Str::EMPTY,
        termination_message_policy: Str::EMPTY,
        image_pull_policy: Str::EMPTY,
        security_context: None,
        stdin: false,
        stdin_once: false,
        tty: false,
    };
}

client_rs_machinery::message!(Container, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Container",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("image", Flags::OMIT_EMPTY),
        Field::new("command", Flags::OMIT_EMPTY),
        Field::new("args", Flags::OMIT_EMPTY),
        Field::new("workingDir", Flags::OMIT_EMPTY),
        Field::new("ports", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ContainerPort>()
            .merged_by("containerPort"),
        Field::new("envFrom", Flags::OMIT_EMPTY).of::<EnvFromSource>(),
        Field::new("env", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)).of::<EnvVar>().merged_by("name"),
        Field::new("resources", Flags::OMIT_EMPTY).of::<ResourceRequirements>(),
        Field::new("resizePolicy", Flags::OMIT_EMPTY).of::<ContainerResizePolicy>(),
        Field::new("restartPolicy", Flags::OMIT_EMPTY),
        Field::new("restartPolicyRules", Flags::OMIT_EMPTY).of::<ContainerRestartRule>(),
        Field::new("volumeMounts", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<VolumeMount>()
            .merged_by("mountPath"),
        Field::new("volumeDevices", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<VolumeDevice>()
            .merged_by("devicePath"),
        Field::new("livenessProbe", Flags::OMIT_EMPTY).of::<Probe>(),
        Field::new("readinessProbe", Flags::OMIT_EMPTY).of::<Probe>(),
        Field::new("startupProbe", Flags::OMIT_EMPTY).of::<Probe>(),
        Field::new("lifecycle", Flags::OMIT_EMPTY).of::<Lifecycle>(),
        Field::new("terminationMessagePath", Flags::OMIT_EMPTY),
        Field::new("terminationMessagePolicy", Flags::OMIT_EMPTY),
        Field::new("imagePullPolicy", Flags::OMIT_EMPTY),
        Field::new("securityContext", Flags::OMIT_EMPTY).of::<SecurityContext>(),
        Field::new("stdin", Flags::OMIT_EMPTY),
        Field::new("stdinOnce", Flags::OMIT_EMPTY),
        Field::new("tty", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 7),
        Wire::field(8, 8),
        Wire::field(9, 12),
        Wire::field(10, 14),
        Wire::field(11, 15),
        Wire::field(12, 17),
        Wire::field(13, 18),
        Wire::field(14, 20),
        Wire::field(15, 21),
        Wire::field(16, 22),
        Wire::field(17, 23),
        Wire::field(18, 24),
        Wire::field(19, 6),
        Wire::field(20, 19),
        Wire::field(21, 13),
        Wire::field(22, 16),
        Wire::field(23, 9),
        Wire::field(24, 10),
        Wire::field(25, 11),
    ],
};

impl Fields for Container {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.image),
            2 => FieldRef::value(&self.command),
            3 => FieldRef::value(&self.args),
            4 => FieldRef::value(&self.working_dir),
            5 => FieldRef::list(&self.ports),
            6 => FieldRef::list(&self.env_from),
            7 => FieldRef::list(&self.env),
            8 => FieldRef::message(&self.resources),
            9 => FieldRef::list(&self.resize_policy),
            10 => FieldRef::value(&self.restart_policy),
            11 => FieldRef::list(&self.restart_policy_rules),
            12 => FieldRef::list(&self.volume_mounts),
            13 => FieldRef::list(&self.volume_devices),
            14 => FieldRef::optional(&self.liveness_probe),
            15 => FieldRef::optional(&self.readiness_probe),
            16 => FieldRef::optional(&self.startup_probe),
            17 => FieldRef::optional(&self.lifecycle),
            18 => FieldRef::value(&self.termination_message_path),
            19 => FieldRef::value(&self.termination_message_policy),
            20 => FieldRef::value(&self.image_pull_policy),
            21 => FieldRef::optional(&self.security_context),
            22 => FieldRef::value(&self.stdin),
            23 => FieldRef::value(&self.stdin_once),
            24 => FieldRef::value(&self.tty),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.image),
            2 => FieldMut::value(&mut self.command),
            3 => FieldMut::value(&mut self.args),
            4 => FieldMut::value(&mut self.working_dir),
            5 => FieldMut::list(&mut self.ports),
            6 => FieldMut::list(&mut self.env_from),
            7 => FieldMut::list(&mut self.env),
            8 => FieldMut::message(&mut self.resources),
            9 => FieldMut::list(&mut self.resize_policy),
            10 => FieldMut::value(&mut self.restart_policy),
            11 => FieldMut::list(&mut self.restart_policy_rules),
            12 => FieldMut::list(&mut self.volume_mounts),
            13 => FieldMut::list(&mut self.volume_devices),
            14 => FieldMut::optional(&mut self.liveness_probe),
            15 => FieldMut::optional(&mut self.readiness_probe),
            16 => FieldMut::optional(&mut self.startup_probe),
            17 => FieldMut::optional(&mut self.lifecycle),
            18 => FieldMut::value(&mut self.termination_message_path),
            19 => FieldMut::value(&mut self.termination_message_policy),
            20 => FieldMut::value(&mut self.image_pull_policy),
            21 => FieldMut::optional(&mut self.security_context),
            22 => FieldMut::value(&mut self.stdin),
            23 => FieldMut::value(&mut self.stdin_once),
            24 => FieldMut::value(&mut self.tty),
            _ => FieldMut::NONE,
        }
    }
}
