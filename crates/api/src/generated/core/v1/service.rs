// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceSpec;
use super::ServiceStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Service`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#service-v1-core) of `core/v1`. Served as `services`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Service {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#service-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#service-v1-core): optional. The desired state.
    pub spec: Shared<ServiceSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#service-v1-core): optional, set by the system. The observed state.
    pub status: ServiceStatus,
}

impl Service {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: ServiceStatus::EMPTY };
}

client_rs_machinery::message!(Service, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Service",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Service", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ServiceSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ServiceStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Service {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Service, "v1", "Service");

impl client_rs_machinery::Resource for Service {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Service",
        plural: "services",
        singular: "service",
        namespaced: true,
        short_names: &["svc"],
        categories: &["all"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[
            client_rs_machinery::SubresourceInfo {
                name: "proxy",
                group: "",
                version: "v1",
                kind: "ServiceProxyOptions",
                verbs: &["create", "delete", "get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "status",
                group: "",
                version: "v1",
                kind: "Service",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(Service: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Proxy> for Service {
    type Payload = crate::core::v1::ServiceProxyOptions;
    type Answer = crate::core::v1::ServiceProxyOptions;
}
