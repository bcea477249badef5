// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `PriorityClass` of `scheduling.k8s.io/v1beta1`. Since 1.11. Deprecated since 1.14. Not served since 1.22. Replaced by `PriorityClass` of `scheduling.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PriorityClass {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `value`: optional.
    pub value: i32,
    /// `globalDefault`: optional.
    pub global_default: bool,
    /// `description`: optional.
    pub description: Str,
    /// `preemptionPolicy`: optional. One of `Never`, `PreemptLowerPriority`. Defaults to `PreemptLowerPriority`.
    pub preemption_policy: Option<Str>,
}

impl PriorityClass {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        value: 0,
        global_default: false,
        description: Str::EMPTY,
        preemption_policy: None,
    };
}

client_rs_machinery::message!(PriorityClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityClass",
    type_meta: Some(TypeMeta {
        api_version: "scheduling.k8s.io/v1beta1",
        kind: "PriorityClass",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("value", Flags::NONE),
        Field::new("globalDefault", Flags::OMIT_EMPTY),
        Field::new("description", Flags::OMIT_EMPTY),
        Field::new("preemptionPolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for PriorityClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.value),
            2 => FieldRef::value(&self.global_default),
            3 => FieldRef::value(&self.description),
            4 => FieldRef::value(&self.preemption_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.value),
            2 => FieldMut::value(&mut self.global_default),
            3 => FieldMut::value(&mut self.description),
            4 => FieldMut::value(&mut self.preemption_policy),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PriorityClass, "scheduling.k8s.io/v1beta1", "PriorityClass");

impl client_rs_machinery::Resource for PriorityClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "scheduling.k8s.io",
        version: "v1beta1",
        kind: "PriorityClass",
        plural: "priorityclasses",
        singular: "priorityclass",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(PriorityClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
