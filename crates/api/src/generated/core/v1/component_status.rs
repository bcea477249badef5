// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ComponentCondition;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ComponentStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentstatus-v1-core) of `core/v1`. Served as `componentstatuses`, cluster-scoped. Since 1.0. Deprecated.
#[derive(Clone, PartialEq)]
pub struct ComponentStatus {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentstatus-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentstatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<ComponentCondition>,
}

impl ComponentStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, conditions: List::EMPTY };
}

client_rs_machinery::message!(ComponentStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ComponentStatus",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ComponentStatus", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ComponentCondition>()
            .merged_by("type"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ComponentStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ComponentStatus, "v1", "ComponentStatus");

impl client_rs_machinery::Resource for ComponentStatus {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "ComponentStatus",
        plural: "componentstatuses",
        singular: "componentstatus",
        namespaced: false,
        short_names: &["cs"],
        categories: &[],
        verbs: &["get", "list"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ComponentStatus: Get, List);
