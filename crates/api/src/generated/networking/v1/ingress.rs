// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressSpec;
use super::IngressStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Ingress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingress-v1-networking-k8s-io) of `networking.k8s.io/v1`. Served as `ingresses`, namespaced. Since 1.19.
#[derive(Clone, PartialEq)]
pub struct Ingress {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingress-v1-networking-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingress-v1-networking-k8s-io): optional. The desired state.
    pub spec: IngressSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingress-v1-networking-k8s-io): optional. The observed state.
    pub status: IngressStatus,
}

impl Ingress {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: IngressSpec::EMPTY, status: IngressStatus::EMPTY };
}

client_rs_machinery::message!(Ingress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Ingress",
    type_meta: Some(TypeMeta { api_version: "networking.k8s.io/v1", kind: "Ingress", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<IngressSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<IngressStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Ingress {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Ingress, "networking.k8s.io/v1", "Ingress");

impl client_rs_machinery::Resource for Ingress {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "networking.k8s.io",
        version: "v1",
        kind: "Ingress",
        plural: "ingresses",
        singular: "ingress",
        namespaced: true,
        short_names: &["ing"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "networking.k8s.io",
            version: "v1",
            kind: "Ingress",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(Ingress: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
