// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LocalObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`ISCSIVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ISCSIVolumeSource {
    /// [`targetPortal`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): required.
    pub target_portal: Str,
    /// [`iqn`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): required.
    pub iqn: Str,
    /// [`lun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): required.
    pub lun: i32,
    /// [`iscsiInterface`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional. Defaults to `default`.
    pub iscsi_interface: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`portals`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional. Apply replaces the list.
    pub portals: List<Str>,
    /// [`chapAuthDiscovery`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub chap_auth_discovery: bool,
    /// [`chapAuthSession`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub chap_auth_session: bool,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub secret_ref: Option<Shared<LocalObjectReference>>,
    /// [`initiatorName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsivolumesource-v1-core): optional.
    pub initiator_name: Option<Str>,
}

impl ISCSIVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        target_portal: Str::EMPTY,
        iqn: Str::EMPTY,
        lun: 0,
        iscsi_interface: Str::EMPTY,
        fs_type: Str::EMPTY,
        read_only: false,
        portals: List::EMPTY,
        chap_auth_discovery: false,
        chap_auth_session: false,
        secret_ref: None,
        initiator_name: None,
    };
}

client_rs_machinery::message!(ISCSIVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ISCSIVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("targetPortal", Flags::NONE),
        Field::new("iqn", Flags::NONE),
        Field::new("lun", Flags::NONE),
        Field::new("iscsiInterface", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("portals", Flags::OMIT_EMPTY),
        Field::new("chapAuthDiscovery", Flags::OMIT_EMPTY),
        Field::new("chapAuthSession", Flags::OMIT_EMPTY),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<LocalObjectReference>(),
        Field::new("initiatorName", Flags::OMIT_EMPTY),
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
        Wire::field(10, 9),
        Wire::field(11, 8),
        Wire::field(12, 10),
    ],
};

impl Fields for ISCSIVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.target_portal),
            1 => FieldRef::value(&self.iqn),
            2 => FieldRef::value(&self.lun),
            3 => FieldRef::value(&self.iscsi_interface),
            4 => FieldRef::value(&self.fs_type),
            5 => FieldRef::value(&self.read_only),
            6 => FieldRef::value(&self.portals),
            7 => FieldRef::value(&self.chap_auth_discovery),
            8 => FieldRef::value(&self.chap_auth_session),
            9 => FieldRef::optional(&self.secret_ref),
            10 => FieldRef::value(&self.initiator_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.target_portal),
            1 => FieldMut::value(&mut self.iqn),
            2 => FieldMut::value(&mut self.lun),
            3 => FieldMut::value(&mut self.iscsi_interface),
            4 => FieldMut::value(&mut self.fs_type),
            5 => FieldMut::value(&mut self.read_only),
            6 => FieldMut::value(&mut self.portals),
            7 => FieldMut::value(&mut self.chap_auth_discovery),
            8 => FieldMut::value(&mut self.chap_auth_session),
            9 => FieldMut::optional(&mut self.secret_ref),
            10 => FieldMut::value(&mut self.initiator_name),
            _ => FieldMut::NONE,
        }
    }
}
