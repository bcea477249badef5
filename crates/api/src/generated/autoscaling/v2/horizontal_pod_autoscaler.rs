// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HorizontalPodAutoscalerSpec;
use super::HorizontalPodAutoscalerStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`HorizontalPodAutoscaler`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscaler-v2-autoscaling) of `autoscaling/v2`. Served as `horizontalpodautoscalers`, namespaced. Since 1.23.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscaler {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscaler-v2-autoscaling): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscaler-v2-autoscaling): required. The desired state.
    pub spec: Shared<HorizontalPodAutoscalerSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscaler-v2-autoscaling): optional. The observed state.
    pub status: Shared<HorizontalPodAutoscalerStatus>,
}

impl HorizontalPodAutoscaler {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(HorizontalPodAutoscaler, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HorizontalPodAutoscaler",
    type_meta: Some(TypeMeta {
        api_version: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<HorizontalPodAutoscalerSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<HorizontalPodAutoscalerStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for HorizontalPodAutoscaler {
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

client_rs_machinery::object!(HorizontalPodAutoscaler, "autoscaling/v2", "HorizontalPodAutoscaler");

impl client_rs_machinery::Resource for HorizontalPodAutoscaler {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "autoscaling",
        version: "v2",
        kind: "HorizontalPodAutoscaler",
        plural: "horizontalpodautoscalers",
        singular: "horizontalpodautoscaler",
        namespaced: true,
        short_names: &["hpa"],
        categories: &["all"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "autoscaling",
            version: "v2",
            kind: "HorizontalPodAutoscaler",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(HorizontalPodAutoscaler: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
