// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AWSElasticBlockStoreVolumeSource;
use super::AzureDiskVolumeSource;
use super::AzureFileVolumeSource;
use super::CSIVolumeSource;
use super::CephFSVolumeSource;
use super::CinderVolumeSource;
use super::ConfigMapVolumeSource;
use super::DownwardAPIVolumeSource;
use super::EmptyDirVolumeSource;
use super::EphemeralVolumeSource;
use super::FCVolumeSource;
use super::FlexVolumeSource;
use super::FlockerVolumeSource;
use super::GCEPersistentDiskVolumeSource;
use super::GitRepoVolumeSource;
use super::GlusterfsVolumeSource;
use super::HostPathVolumeSource;
use super::ISCSIVolumeSource;
use super::ImageVolumeSource;
use super::NFSVolumeSource;
use super::PersistentVolumeClaimVolumeSource;
use super::PhotonPersistentDiskVolumeSource;
use super::PortworxVolumeSource;
use super::ProjectedVolumeSource;
use super::QuobyteVolumeSource;
use super::RBDVolumeSource;
use super::ScaleIOVolumeSource;
use super::SecretVolumeSource;
use super::StorageOSVolumeSource;
use super::VsphereVirtualDiskVolumeSource;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [VolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeSource {
    pub host_path: Option<Shared<HostPathVolumeSource>>,
    pub empty_dir: Option<Shared<EmptyDirVolumeSource>>,
    pub gce_persistent_disk: Option<Shared<GCEPersistentDiskVolumeSource>>,
    pub aws_elastic_block_store: Option<Shared<AWSElasticBlockStoreVolumeSource>>,
    pub git_repo: Option<Shared<GitRepoVolumeSource>>,
    pub secret: Option<Shared<SecretVolumeSource>>,
    pub nfs: Option<Shared<NFSVolumeSource>>,
    pub iscsi: Option<Shared<ISCSIVolumeSource>>,
    pub glusterfs: Option<Shared<GlusterfsVolumeSource>>,
    pub persistent_volume_claim: Option<Shared<PersistentVolumeClaimVolumeSource>>,
    pub rbd: Option<Shared<RBDVolumeSource>>,
    pub flex_volume: Option<Shared<FlexVolumeSource>>,
    pub cinder: Option<Shared<CinderVolumeSource>>,
    pub cephfs: Option<Shared<CephFSVolumeSource>>,
    pub flocker: Option<Shared<FlockerVolumeSource>>,
    pub downward_api: Option<Shared<DownwardAPIVolumeSource>>,
    pub fc: Option<Shared<FCVolumeSource>>,
    pub azure_file: Option<Shared<AzureFileVolumeSource>>,
    pub config_map: Option<Shared<ConfigMapVolumeSource>>,
    pub vsphere_volume: Option<Shared<VsphereVirtualDiskVolumeSource>>,
    pub quobyte: Option<Shared<QuobyteVolumeSource>>,
    pub azure_disk: Option<Shared<AzureDiskVolumeSource>>,
    pub photon_persistent_disk: Option<Shared<PhotonPersistentDiskVolumeSource>>,
    pub projected: Option<Shared<ProjectedVolumeSource>>,
    pub portworx_volume: Option<Shared<PortworxVolumeSource>>,
    pub scale_io: Option<Shared<ScaleIOVolumeSource>>,
    pub storageos: Option<Shared<StorageOSVolumeSource>>,
    pub csi: Option<Shared<CSIVolumeSource>>,
    pub ephemeral: Option<Shared<EphemeralVolumeSource>>,
    pub image: Option<Shared<ImageVolumeSource>>,
}

impl VolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        host_path: None,
        empty_dir: None,
        gce_persistent_disk: None,
        aws_elastic_block_store: None,
        git_repo: None,
        secret: None,
        nfs: None,
        iscsi: None,
        glusterfs: None,
        persistent_volume_claim: None,
        rbd: None,
        flex_volume: None,
        cinder: None,
        cephfs: None,
        flocker: None,
        downward_api: None,
        fc: None,
        azure_file: None,
        config_map: None,
        vsphere_volume: None,
        quobyte: None,
        azure_disk: None,
        photon_persistent_disk: None,
        projected: None,
        portworx_volume: None,
        scale_io: None,
        storageos: None,
        csi: None,
        ephemeral: None,
        image: None,
    };
}

client_rs_machinery::message!(VolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeSource",
    type_meta: None,
    fields: &[
        Field::new("hostPath", Flags::OMIT_EMPTY).of::<HostPathVolumeSource>(),
        Field::new("emptyDir", Flags::OMIT_EMPTY).of::<EmptyDirVolumeSource>(),
        Field::new("gcePersistentDisk", Flags::OMIT_EMPTY).of::<GCEPersistentDiskVolumeSource>(),
        Field::new("awsElasticBlockStore", Flags::OMIT_EMPTY).of::<AWSElasticBlockStoreVolumeSource>(),
        Field::new("gitRepo", Flags::OMIT_EMPTY).of::<GitRepoVolumeSource>(),
        Field::new("secret", Flags::OMIT_EMPTY).of::<SecretVolumeSource>(),
        Field::new("nfs", Flags::OMIT_EMPTY).of::<NFSVolumeSource>(),
        Field::new("iscsi", Flags::OMIT_EMPTY).of::<ISCSIVolumeSource>(),
        Field::new("glusterfs", Flags::OMIT_EMPTY).of::<GlusterfsVolumeSource>(),
        Field::new("persistentVolumeClaim", Flags::OMIT_EMPTY).of::<PersistentVolumeClaimVolumeSource>(),
        Field::new("rbd", Flags::OMIT_EMPTY).of::<RBDVolumeSource>(),
        Field::new("flexVolume", Flags::OMIT_EMPTY).of::<FlexVolumeSource>(),
        Field::new("cinder", Flags::OMIT_EMPTY).of::<CinderVolumeSource>(),
        Field::new("cephfs", Flags::OMIT_EMPTY).of::<CephFSVolumeSource>(),
        Field::new("flocker", Flags::OMIT_EMPTY).of::<FlockerVolumeSource>(),
        Field::new("downwardAPI", Flags::OMIT_EMPTY).of::<DownwardAPIVolumeSource>(),
        Field::new("fc", Flags::OMIT_EMPTY).of::<FCVolumeSource>(),
        Field::new("azureFile", Flags::OMIT_EMPTY).of::<AzureFileVolumeSource>(),
        Field::new("configMap", Flags::OMIT_EMPTY).of::<ConfigMapVolumeSource>(),
        Field::new("vsphereVolume", Flags::OMIT_EMPTY).of::<VsphereVirtualDiskVolumeSource>(),
        Field::new("quobyte", Flags::OMIT_EMPTY).of::<QuobyteVolumeSource>(),
        Field::new("azureDisk", Flags::OMIT_EMPTY).of::<AzureDiskVolumeSource>(),
        Field::new("photonPersistentDisk", Flags::OMIT_EMPTY).of::<PhotonPersistentDiskVolumeSource>(),
        Field::new("projected", Flags::OMIT_EMPTY).of::<ProjectedVolumeSource>(),
        Field::new("portworxVolume", Flags::OMIT_EMPTY).of::<PortworxVolumeSource>(),
        Field::new("scaleIO", Flags::OMIT_EMPTY).of::<ScaleIOVolumeSource>(),
        Field::new("storageos", Flags::OMIT_EMPTY).of::<StorageOSVolumeSource>(),
        Field::new("csi", Flags::OMIT_EMPTY).of::<CSIVolumeSource>(),
        Field::new("ephemeral", Flags::OMIT_EMPTY).of::<EphemeralVolumeSource>(),
        Field::new("image", Flags::OMIT_EMPTY).of::<ImageVolumeSource>(),
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
        Wire::field(23, 22),
        Wire::field(24, 24),
        Wire::field(25, 25),
        Wire::field(26, 23),
        Wire::field(27, 26),
        Wire::field(28, 27),
        Wire::field(29, 28),
        Wire::field(30, 29),
    ],
};

impl Fields for VolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.host_path,
            1 => &self.empty_dir,
            2 => &self.gce_persistent_disk,
            3 => &self.aws_elastic_block_store,
            4 => &self.git_repo,
            5 => &self.secret,
            6 => &self.nfs,
            7 => &self.iscsi,
            8 => &self.glusterfs,
            9 => &self.persistent_volume_claim,
            10 => &self.rbd,
            11 => &self.flex_volume,
            12 => &self.cinder,
            13 => &self.cephfs,
            14 => &self.flocker,
            15 => &self.downward_api,
            16 => &self.fc,
            17 => &self.azure_file,
            18 => &self.config_map,
            19 => &self.vsphere_volume,
            20 => &self.quobyte,
            21 => &self.azure_disk,
            22 => &self.photon_persistent_disk,
            23 => &self.projected,
            24 => &self.portworx_volume,
            25 => &self.scale_io,
            26 => &self.storageos,
            27 => &self.csi,
            28 => &self.ephemeral,
            29 => &self.image,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.host_path,
            1 => &mut self.empty_dir,
            2 => &mut self.gce_persistent_disk,
            3 => &mut self.aws_elastic_block_store,
            4 => &mut self.git_repo,
            5 => &mut self.secret,
            6 => &mut self.nfs,
            7 => &mut self.iscsi,
            8 => &mut self.glusterfs,
            9 => &mut self.persistent_volume_claim,
            10 => &mut self.rbd,
            11 => &mut self.flex_volume,
            12 => &mut self.cinder,
            13 => &mut self.cephfs,
            14 => &mut self.flocker,
            15 => &mut self.downward_api,
            16 => &mut self.fc,
            17 => &mut self.azure_file,
            18 => &mut self.config_map,
            19 => &mut self.vsphere_volume,
            20 => &mut self.quobyte,
            21 => &mut self.azure_disk,
            22 => &mut self.photon_persistent_disk,
            23 => &mut self.projected,
            24 => &mut self.portworx_volume,
            25 => &mut self.scale_io,
            26 => &mut self.storageos,
            27 => &mut self.csi,
            28 => &mut self.ephemeral,
            29 => &mut self.image,
            _ => return None,
        })
    }
}
