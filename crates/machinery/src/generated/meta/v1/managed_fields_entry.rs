// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{FieldsV1, Str, Time};

/// [`ManagedFieldsEntry`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ManagedFieldsEntry {
    /// [`manager`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional.
    pub manager: Str,
    /// [`operation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional. One of `Apply`, `Update`.
    pub operation: Str,
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional.
    pub api_version: Str,
    /// [`time`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional.
    pub time: Option<Time>,
    /// [`fieldsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional.
    pub fields_type: Str,
    /// [`fieldsV1`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional.
    pub fields_v1: Option<FieldsV1>,
    /// [`subresource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#managedfieldsentry-v1-meta): optional, since 1.22.
    pub subresource: Str,
}

impl ManagedFieldsEntry {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        manager: Str::EMPTY,
        operation: Str::EMPTY,
        api_version: Str::EMPTY,
        time: None,
        fields_type: Str::EMPTY,
        fields_v1: None,
        subresource: Str::EMPTY,
    };
}

crate::message!(ManagedFieldsEntry, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ManagedFieldsEntry",
    type_meta: None,
    fields: &[
        Field::new("manager", Flags::OMIT_EMPTY),
        Field::new("operation", Flags::OMIT_EMPTY),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
        Field::new("time", Flags::OMIT_EMPTY),
        Field::new("fieldsType", Flags::OMIT_EMPTY),
        Field::new("fieldsV1", Flags::OMIT_EMPTY),
        Field::new("subresource", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(6, 4),
        Wire::field(7, 5),
        Wire::field(8, 6),
    ],
};

impl Fields for ManagedFieldsEntry {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.manager),
            1 => FieldRef::value(&self.operation),
            2 => FieldRef::value(&self.api_version),
            3 => FieldRef::value(&self.time),
            4 => FieldRef::value(&self.fields_type),
            5 => FieldRef::value(&self.fields_v1),
            6 => FieldRef::value(&self.subresource),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.manager),
            1 => FieldMut::value(&mut self.operation),
            2 => FieldMut::value(&mut self.api_version),
            3 => FieldMut::value(&mut self.time),
            4 => FieldMut::value(&mut self.fields_type),
            5 => FieldMut::value(&mut self.fields_v1),
            6 => FieldMut::value(&mut self.subresource),
            _ => FieldMut::NONE,
        }
    }
}
