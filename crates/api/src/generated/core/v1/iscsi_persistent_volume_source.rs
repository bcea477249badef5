// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [ISCSIPersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#iscsipersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ISCSIPersistentVolumeSource {
    pub target_portal: Str,
    pub iqn: Str,
    pub lun: i32,
    pub iscsi_interface: Str,
    pub fs_type: Str,
    pub read_only: bool,
    pub portals: List<Str>,
    pub chap_auth_discovery: bool,
    pub chap_auth_session: bool,
    pub secret_ref: Option<Shared<SecretReference>>,
    pub initiator_name: Option<Str>,
}

impl ISCSIPersistentVolumeSource {
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

client_rs_machinery::message!(ISCSIPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ISCSIPersistentVolumeSource",
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
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
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

impl Fields for ISCSIPersistentVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.target_portal,
            1 => &self.iqn,
            2 => &self.lun,
            3 => &self.iscsi_interface,
            4 => &self.fs_type,
            5 => &self.read_only,
            6 => &self.portals,
            7 => &self.chap_auth_discovery,
            8 => &self.chap_auth_session,
            9 => &self.secret_ref,
            10 => &self.initiator_name,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.target_portal,
            1 => &mut self.iqn,
            2 => &mut self.lun,
            3 => &mut self.iscsi_interface,
            4 => &mut self.fs_type,
            5 => &mut self.read_only,
            6 => &mut self.portals,
            7 => &mut self.chap_auth_discovery,
            8 => &mut self.chap_auth_session,
            9 => &mut self.secret_ref,
            10 => &mut self.initiator_name,
            _ => return None,
        })
    }
}
