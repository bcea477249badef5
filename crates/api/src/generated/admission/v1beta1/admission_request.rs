// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::authentication::v1::UserInfo;
use client_rs_machinery::meta::v1::GroupVersionKind;
use client_rs_machinery::meta::v1::GroupVersionResource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{RawExtension, Shared, Str};

/// `AdmissionRequest` of `admission.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct AdmissionRequest {
    /// `uid`: optional.
    pub uid: Str,
    /// `kind`: optional.
    pub kind: GroupVersionKind,
    /// `resource`: optional.
    pub resource: GroupVersionResource,
    /// `subResource`: optional.
    pub sub_resource: Str,
    /// `requestKind`: optional.
    pub request_kind: Option<Shared<GroupVersionKind>>,
    /// `requestResource`: optional.
    pub request_resource: Option<Shared<GroupVersionResource>>,
    /// `requestSubResource`: optional.
    pub request_sub_resource: Str,
    /// `name`: optional.
    pub name: Str,
    /// `namespace`: optional.
    pub namespace: Str,
    /// `operation`: optional. Known values: `CONNECT`, `CREATE`, `DELETE`, `UPDATE`.
    pub operation: Str,
    /// `userInfo`: optional.
    pub user_info: UserInfo,
    /// `object`: optional.
    pub object: RawExtension,
    /// `oldObject`: optional.
    pub old_object: RawExtension,
    /// `dryRun`: optional. Defaults to `false`.
    pub dry_run: Option<bool>,
    /// `options`: optional.
    pub options: RawExtension,
}

impl AdmissionRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        uid: Str::EMPTY,
        kind: GroupVersionKind::EMPTY,
        resource: GroupVersionResource::EMPTY,
        sub_resource: Str::EMPTY,
        request_kind: None,
        request_resource: None,
        request_sub_resource: Str::EMPTY,
        name: Str::EMPTY,
        namespace: Str::EMPTY,
        operation: Str::EMPTY,
        user_info: UserInfo::EMPTY,
        object: RawExtension::EMPTY,
        old_object: RawExtension::EMPTY,
        dry_run: None,
        options: RawExtension::EMPTY,
    };
}

client_rs_machinery::message!(AdmissionRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AdmissionRequest",
    type_meta: None,
    fields: &[
        Field::new("uid", Flags::NONE),
        Field::new("kind", Flags::NONE).of::<GroupVersionKind>(),
        Field::new("resource", Flags::NONE).of::<GroupVersionResource>(),
        Field::new("subResource", Flags::OMIT_EMPTY),
        Field::new("requestKind", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("requestResource", Flags::OMIT_EMPTY).of::<GroupVersionResource>(),
        Field::new("requestSubResource", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("operation", Flags::NONE),
        Field::new("userInfo", Flags::NONE).of::<UserInfo>(),
        Field::new("object", Flags::OMIT_EMPTY),
        Field::new("oldObject", Flags::OMIT_EMPTY),
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("options", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 7),
        Wire::field(6, 8),
        Wire::field(7, 9),
        Wire::field(8, 10),
        Wire::field(9, 11),
        Wire::field(10, 12),
        Wire::field(11, 13),
        Wire::field(12, 14),
        Wire::field(13, 4),
        Wire::field(14, 5),
        Wire::field(15, 6),
    ],
};

impl Fields for AdmissionRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::message(&self.kind),
            2 => FieldRef::message(&self.resource),
            3 => FieldRef::value(&self.sub_resource),
            4 => FieldRef::optional(&self.request_kind),
            5 => FieldRef::optional(&self.request_resource),
            6 => FieldRef::value(&self.request_sub_resource),
            7 => FieldRef::value(&self.name),
            8 => FieldRef::value(&self.namespace),
            9 => FieldRef::value(&self.operation),
            10 => FieldRef::message(&self.user_info),
            11 => FieldRef::value(&self.object),
            12 => FieldRef::value(&self.old_object),
            13 => FieldRef::value(&self.dry_run),
            14 => FieldRef::value(&self.options),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::message(&mut self.kind),
            2 => FieldMut::message(&mut self.resource),
            3 => FieldMut::value(&mut self.sub_resource),
            4 => FieldMut::optional(&mut self.request_kind),
            5 => FieldMut::optional(&mut self.request_resource),
            6 => FieldMut::value(&mut self.request_sub_resource),
            7 => FieldMut::value(&mut self.name),
            8 => FieldMut::value(&mut self.namespace),
            9 => FieldMut::value(&mut self.operation),
            10 => FieldMut::message(&mut self.user_info),
            11 => FieldMut::value(&mut self.object),
            12 => FieldMut::value(&mut self.old_object),
            13 => FieldMut::value(&mut self.dry_run),
            14 => FieldMut::value(&mut self.options),
            _ => FieldMut::NONE,
        }
    }
}
