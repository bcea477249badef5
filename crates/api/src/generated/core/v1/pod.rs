// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodSpec;
use super::PodStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Pod`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core) of `core/v1`. Served as `pods`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Pod {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core): optional. The desired state.
    pub spec: Shared<PodSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core): optional, set by the system. The observed state.
    pub status: Shared<PodStatus>,
}

impl Pod {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(Pod, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Pod",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Pod", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<PodSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PodStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Pod {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Pod, "v1", "Pod");

impl client_rs_machinery::Resource for Pod {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Pod",
        plural: "pods",
        singular: "pod",
        namespaced: true,
        short_names: &["po"],
        categories: &["all"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[
            client_rs_machinery::SubresourceInfo {
                name: "attach",
                group: "",
                version: "v1",
                kind: "PodAttachOptions",
                verbs: &["create", "get"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "binding",
                group: "",
                version: "v1",
                kind: "Binding",
                verbs: &["create"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "ephemeralcontainers",
                group: "",
                version: "v1",
                kind: "Pod",
                verbs: &["get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "eviction",
                group: "policy",
                version: "v1",
                kind: "Eviction",
                verbs: &["create"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "exec",
                group: "",
                version: "v1",
                kind: "PodExecOptions",
                verbs: &["create", "get"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "log",
                group: "",
                version: "v1",
                kind: "Pod",
                verbs: &["get"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "portforward",
                group: "",
                version: "v1",
                kind: "PodPortForwardOptions",
                verbs: &["create", "get"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "proxy",
                group: "",
                version: "v1",
                kind: "PodProxyOptions",
                verbs: &["create", "delete", "get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "resize",
                group: "",
                version: "v1",
                kind: "Pod",
                verbs: &["get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "status",
                group: "",
                version: "v1",
                kind: "Pod",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(Pod: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Attach> for Pod {
    type Payload = crate::core::v1::PodAttachOptions;
    type Answer = crate::core::v1::PodAttachOptions;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Binding> for Pod {
    type Payload = crate::core::v1::Binding;
    type Answer = client_rs_machinery::meta::v1::Status;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::EphemeralContainers> for Pod {
    type Payload = crate::core::v1::Pod;
    type Answer = crate::core::v1::Pod;
}

#[cfg(feature = "policy")]
impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Eviction> for Pod {
    type Payload = crate::policy::v1::Eviction;
    type Answer = client_rs_machinery::meta::v1::Status;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Exec> for Pod {
    type Payload = crate::core::v1::PodExecOptions;
    type Answer = crate::core::v1::PodExecOptions;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Log> for Pod {
    type Payload = crate::core::v1::PodLogOptions;
    type Answer = crate::core::v1::PodLogOptions;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::PortForward> for Pod {
    type Payload = crate::core::v1::PodPortForwardOptions;
    type Answer = crate::core::v1::PodPortForwardOptions;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Proxy> for Pod {
    type Payload = crate::core::v1::PodProxyOptions;
    type Answer = crate::core::v1::PodProxyOptions;
}

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Resize> for Pod {
    type Payload = crate::core::v1::Pod;
    type Answer = crate::core::v1::Pod;
}
