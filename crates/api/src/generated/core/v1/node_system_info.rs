// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSwapStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`NodeSystemInfo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSystemInfo {
    /// [`machineID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub machine_id: Str,
    /// [`systemUUID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub system_uuid: Str,
    /// [`bootID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub boot_id: Str,
    /// [`kernelVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub kernel_version: Str,
    /// [`osImage`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub os_image: Str,
    /// [`containerRuntimeVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub container_runtime_version: Str,
    /// [`kubeletVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub kubelet_version: Str,
    /// [`kubeProxyVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required, deprecated.
    pub kube_proxy_version: Str,
    /// [`operatingSystem`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub operating_system: Str,
    /// [`architecture`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): required.
    pub architecture: Str,
    /// [`swap`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): optional, since 1.33.
    pub swap: Option<Shared<NodeSwapStatus>>,
    /// [`runningInUserNamespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodesysteminfo-v1-core): optional, since 1.37. Feature gate `KubeletInUserNamespace`.
    pub running_in_user_namespace: Option<bool>,
}

impl NodeSystemInfo {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        machine_id: Str::EMPTY,
        system_uuid: Str::EMPTY,
        boot_id: Str::EMPTY,
        kernel_version: Str::EMPTY,
        os_image: Str::EMPTY,
        container_runtime_version: Str::EMPTY,
        kubelet_version: Str::EMPTY,
        kube_proxy_version: Str::EMPTY,
        operating_system: Str::EMPTY,
        architecture: Str::EMPTY,
        swap: None,
        running_in_user_namespace: None,
    };
}

client_rs_machinery::message!(NodeSystemInfo, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSystemInfo",
    type_meta: None,
    fields: &[
        Field::new("machineID", Flags::NONE),
        Field::new("systemUUID", Flags::NONE),
        Field::new("bootID", Flags::NONE),
        Field::new("kernelVersion", Flags::NONE),
        Field::new("osImage", Flags::NONE),
        Field::new("containerRuntimeVersion", Flags::NONE),
        Field::new("kubeletVersion", Flags::NONE),
        Field::new("kubeProxyVersion", Flags::NONE),
        Field::new("operatingSystem", Flags::NONE),
        Field::new("architecture", Flags::NONE),
        Field::new("swap", Flags::OMIT_EMPTY).of::<NodeSwapStatus>(),
        Field::new("runningInUserNamespace", Flags::OMIT_EMPTY),
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
        Wire::field(12, 11),
    ],
};

impl Fields for NodeSystemInfo {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.machine_id),
            1 => FieldRef::value(&self.system_uuid),
            2 => FieldRef::value(&self.boot_id),
            3 => FieldRef::value(&self.kernel_version),
            4 => FieldRef::value(&self.os_image),
            5 => FieldRef::value(&self.container_runtime_version),
            6 => FieldRef::value(&self.kubelet_version),
            7 => FieldRef::value(&self.kube_proxy_version),
            8 => FieldRef::value(&self.operating_system),
            9 => FieldRef::value(&self.architecture),
            10 => FieldRef::optional(&self.swap),
            11 => FieldRef::value(&self.running_in_user_namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.machine_id),
            1 => FieldMut::value(&mut self.system_uuid),
            2 => FieldMut::value(&mut self.boot_id),
            3 => FieldMut::value(&mut self.kernel_version),
            4 => FieldMut::value(&mut self.os_image),
            5 => FieldMut::value(&mut self.container_runtime_version),
            6 => FieldMut::value(&mut self.kubelet_version),
            7 => FieldMut::value(&mut self.kube_proxy_version),
            8 => FieldMut::value(&mut self.operating_system),
            9 => FieldMut::value(&mut self.architecture),
            10 => FieldMut::optional(&mut self.swap),
            11 => FieldMut::value(&mut self.running_in_user_namespace),
            _ => FieldMut::NONE,
        }
    }
}
