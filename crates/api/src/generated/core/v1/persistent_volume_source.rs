// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AWSElasticBlockStoreVolumeSource;
use super::AzureDiskVolumeSource;
use super::AzureFilePersistentVolumeSource;
use super::CSIPersistentVolumeSource;
use super::CephFSPersistentVolumeSource;
use super::CinderPersistentVolumeSource;
use super::FCVolumeSource;
use super::FlexPersistentVolumeSource;
use super::FlockerVolumeSource;
use super::GCEPersistentDiskVolumeSource;
use super::GlusterfsPersistentVolumeSource;
use super::HostPathVolumeSource;
use super::ISCSIPersistentVolumeSource;
use super::LocalVolumeSource;
use super::NFSVolumeSource;
use super::PhotonPersistentDiskVolumeSource;
use super::PortworxVolumeSource;
use super::QuobyteVolumeSource;
use super::RBDPersistentVolumeSource;
use super::ScaleIOPersistentVolumeSource;
use super::StorageOSPersistentVolumeSource;
use super::VsphereVirtualDiskVolumeSource;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeSource {
    pub gce_persistent_disk: Option<Shared<GCEPersistentDiskVolumeSource>>,
    pub aws_elastic_block_store: Option<Shared<AWSElasticBlockStoreVolumeSource>>,
    pub host_path: Option<Shared<HostPathVolumeSource>>,
    pub glusterfs: Option<Shared<GlusterfsPersistentVolumeSource>>,
    pub nfs: Option<Shared<NFSVolumeSource>>,
    pub rbd: Option<Shared<RBDPersistentVolumeSource>>,
    pub iscsi: Option<Shared<ISCSIPersistentVolumeSource>>,
    pub cinder: Option<Shared<CinderPersistentVolumeSource>>,
    pub cephfs: Option<Shared<CephFSPersistentVolumeSource>>,
    pub fc: Option<Shared<FCVolumeSource>>,
    pub flocker: Option<Shared<FlockerVolumeSource>>,
    pub flex_volume: Option<Shared<FlexPersistentVolumeSource>>,
    pub azure_file: Option<Shared<AzureFilePersistentVolumeSource>>,
    pub vsphere_volume: Option<Shared<VsphereVirtualDiskVolumeSource>>,
    pub quobyte: Option<Shared<QuobyteVolumeSource>>,
    pub azure_disk: Option<Shared<AzureDiskVolumeSource>>,
    pub photon_persistent_disk: Option<Shared<PhotonPersistentDiskVolumeSource>>,
    pub portworx_volume: Option<Shared<PortworxVolumeSource>>,
    pub scale_io: Option<Shared<ScaleIOPersistentVolumeSource>>,
    pub local: Option<Shared<LocalVolumeSource>>,
    pub storageos: Option<Shared<StorageOSPersistentVolumeSource>>,
    pub csi: Option<Shared<CSIPersistentVolumeSource>>,
}

impl PersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        gce_persistent_disk: None,
        aws_elastic_block_store: None,
        host_path: None,
        glusterfs: None,
        nfs: None,
        rbd: None,
        iscsi: None,
        cinder: None,
        cephfs: None,
        fc: None,
        flocker: None,
        flex_volume: None,
        azure_file: None,
        vsphere_volume: None,
        quobyte: None,
        azure_disk: None,
        photon_persistent_disk: None,
        portworx_volume: None,
        scale_io: None,
        local: None,
        storageos: None,
        csi: None,
    };
}

client_rs_machinery::message!(PersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("gcePersistentDisk", Flags::OMIT_EMPTY).of::<GCEPersistentDiskVolumeSource>(),
        Field::new("awsElasticBlockStore", Flags::OMIT_EMPTY).of::<AWSElasticBlockStoreVolumeSource>(),
        Field::new("hostPath", Flags::OMIT_EMPTY).of::<HostPathVolumeSource>(),
        Field::new("glusterfs", Flags::OMIT_EMPTY).of::<GlusterfsPersistentVolumeSource>(),
        Field::new("nfs", Flags::OMIT_EMPTY).of::<NFSVolumeSource>(),
        Field::new("rbd", Flags::OMIT_EMPTY).of::<RBDPersistentVolumeSource>(),
        Field::new("iscsi", Flags::OMIT_EMPTY).of::<ISCSIPersistentVolumeSource>(),
        Field::new("cinder", Flags::OMIT_EMPTY).of::<CinderPersistentVolumeSource>(),
        Field::new("cephfs", Flags::OMIT_EMPTY).of::<CephFSPersistentVolumeSource>(),
        Field::new("fc", Flags::OMIT_EMPTY).of::<FCVolumeSource>(),
        Field::new("flocker", Flags::OMIT_EMPTY).of::<FlockerVolumeSource>(),
        Field::new("flexVolume", Flags::OMIT_EMPTY).of::<FlexPersistentVolumeSource>(),
        Field::new("azureFile", Flags::OMIT_EMPTY).of::<AzureFilePersistentVolumeSource>(),
        Field::new("vsphereVolume", Flags::OMIT_EMPTY).of::<VsphereVirtualDiskVolumeSource>(),
        Field::new("quobyte", Flags::OMIT_EMPTY).of::<QuobyteVolumeSource>(),
        Field::new("azureDisk", Flags::OMIT_EMPTY).of::<AzureDiskVolumeSource>(),
        Field::new("photonPersistentDisk", Flags::OMIT_EMPTY).of::<PhotonPersistentDiskVolumeSource>(),
        Field::new("portworxVolume", Flags::OMIT_EMPTY).of::<PortworxVolumeSource>(),
        Field::new("scaleIO", Flags::OMIT_EMPTY).of::<ScaleIOPersistentVolumeSource>(),
        Field::new("local", Flags::OMIT_EMPTY).of::<LocalVolumeSource>(),
        Field::new("storageos", Flags::OMIT_EMPTY).of::<StorageOSPersistentVolumeSource>(),
        Field::new("csi", Flags::OMIT_EMPTY).of::<CSIPersistentVolumeSource>(),
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
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(15, 14),
        Wire::field(16, 15),
        Wire::field(17, 16),
        Wire::field(18, 17),
        Wire::field(19, 18),
        Wire::field(20, 19),
        Wire::field(21, 20),
        Wire::field(22, 21),
    ],
};

impl Fields for PersistentVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.gce_persistent_disk,
            1 => &self.aws_elastic_block_store,
            2 => &self.host_path,
            3 => &self.glusterfs,
            4 => &self.nfs,
            5 => &self.rbd,
            6 => &self.iscsi,
            7 => &self.cinder,
            8 => &self.cephfs,
            9 => &self.fc,
            10 => &self.flocker,
            11 => &self.flex_volume,
            12 => &self.azure_file,
            13 => &self.vsphere_volume,
            14 => &self.quobyte,
            15 => &self.azure_disk,
            16 => &self.photon_persistent_disk,
            17 => &self.portworx_volume,
            18 => &self.scale_io,
            19 => &self.local,
            20 => &self.storageos,
            21 => &self.csi,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.gce_persistent_disk,
            1 => &mut self.aws_elastic_block_store,
            2 => &mut self.host_path,
            3 => &mut self.glusterfs,
            4 => &mut self.nfs,
            5 => &mut self.rbd,
            6 => &mut self.iscsi,
            7 => &mut self.cinder,
            8 => &mut self.cephfs,
            9 => &mut self.fc,
            10 => &mut self.flocker,
            11 => &mut self.flex_volume,
            12 => &mut self.azure_file,
            13 => &mut self.vsphere_volume,
            14 => &mut self.quobyte,
            15 => &mut self.azure_disk,
            16 => &mut self.photon_persistent_disk,
            17 => &mut self.portworx_volume,
            18 => &mut self.scale_io,
            19 => &mut self.local,
            20 => &mut self.storageos,
            21 => &mut self.csi,
            _ => return None,
        })
    }
}
