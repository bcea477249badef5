// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::RawExtension;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `ControllerRevision` of `apps/v1beta2`. Since 1.8. Deprecated since 1.9. Not served since 1.16. Replaced by `ControllerRevision` of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct ControllerRevision {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `data`: required.
    pub data: RawExtension,
    /// `revision`: optional.
    pub revision: i64,
}

impl ControllerRevision {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, data: RawExtension::EMPTY, revision: 0 };
}

client_rs_machinery::message!(ControllerRevision, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ControllerRevision",
    type_meta: Some(TypeMeta { api_version: "apps/v1beta2", kind: "ControllerRevision", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("data", Flags::NONE),
        Field::new("revision", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ControllerRevision {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.data),
            2 => FieldRef::value(&self.revision),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.data),
            2 => FieldMut::value(&mut self.revision),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ControllerRevision, "apps/v1beta2", "ControllerRevision");

impl client_rs_machinery::Resource for ControllerRevision {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apps",
        version: "v1beta2",
        kind: "ControllerRevision",
        plural: "controllerrevisions",
        singular: "controllerrevision",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ControllerRevision: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
