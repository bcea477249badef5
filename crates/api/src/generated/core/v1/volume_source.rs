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
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeSource {
    /// [`hostPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub host_path: Option<Shared<HostPathVolumeSource>>,
    /// [`emptyDir`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub empty_dir: Option<Shared<EmptyDirVolumeSource>>,
    /// [`gcePersistentDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub gce_persistent_disk: Option<Shared<GCEPersistentDiskVolumeSource>>,
    /// [`awsElasticBlockStore`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub aws_elastic_block_store: Option<Shared<AWSElasticBlockStoreVolumeSource>>,
    /// [`gitRepo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub git_repo: Option<Shared<GitRepoVolumeSource>>,
    /// [`secret`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub secret: Option<Shared<SecretVolumeSource>>,
    /// [`nfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub nfs: Option<Shared<NFSVolumeSource>>,
    /// [`iscsi`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub iscsi: Option<Shared<ISCSIVolumeSource>>,
    /// [`glusterfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub glusterfs: Option<Shared<GlusterfsVolumeSource>>,
    /// [`persistentVolumeClaim`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub persistent_volume_claim: Option<Shared<PersistentVolumeClaimVolumeSource>>,
    /// [`rbd`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub rbd: Option<Shared<RBDVolumeSource>>,
    /// [`flexVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub flex_volume: Option<Shared<FlexVolumeSource>>,
    /// [`cinder`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub cinder: Option<Shared<CinderVolumeSource>>,
    /// [`cephfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub cephfs: Option<Shared<CephFSVolumeSource>>,
    /// [`flocker`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub flocker: Option<Shared<FlockerVolumeSource>>,
    /// [`downwardAPI`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub downward_api: Option<Shared<DownwardAPIVolumeSource>>,
    /// [`fc`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub fc: Option<Shared<FCVolumeSource>>,
    /// [`azureFile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub azure_file: Option<Shared<AzureFileVolumeSource>>,
    /// [`configMap`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub config_map: Option<Shared<ConfigMapVolumeSource>>,
    /// [`vsphereVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub vsphere_volume: Option<Shared<VsphereVirtualDiskVolumeSource>>,
    /// [`quobyte`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub quobyte: Option<Shared<QuobyteVolumeSource>>,
    /// [`azureDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub azure_disk: Option<Shared<AzureDiskVolumeSource>>,
    /// [`photonPersistentDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub photon_persistent_disk: Option<Shared<PhotonPersistentDiskVolumeSource>>,
    /// [`projected`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub projected: Option<Shared<ProjectedVolumeSource>>,
    /// [`portworxVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub portworx_volume: Option<Shared<PortworxVolumeSource>>,
    /// [`scaleIO`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub scale_io: Option<Shared<ScaleIOVolumeSource>>,
    /// [`storageos`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, deprecated.
    pub storageos: Option<Shared<StorageOSVolumeSource>>,
    /// [`csi`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional.
    pub csi: Option<Shared<CSIVolumeSource>>,
    /// [`ephemeral`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, since 1.19.
    pub ephemeral: Option<Shared<EphemeralVolumeSource>>,
    /// [`image`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumesource-v1-core): optional, since 1.31.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.host_path),
            1 => FieldRef::optional(&self.empty_dir),
            2 => FieldRef::optional(&self.gce_persistent_disk),
            3 => FieldRef::optional(&self.aws_elastic_block_store),
            4 => FieldRef::optional(&self.git_repo),
            5 => FieldRef::optional(&self.secret),
            6 => FieldRef::optional(&self.nfs),
            7 => FieldRef::optional(&self.iscsi),
            8 => FieldRef::optional(&self.glusterfs),
            9 => FieldRef::optional(&self.persistent_volume_claim),
            10 => FieldRef::optional(&self.rbd),
            11 => FieldRef::optional(&self.flex_volume),
            12 => FieldRef::optional(&self.cinder),
            13 => FieldRef::optional(&self.cephfs),
            14 => FieldRef::optional(&self.flocker),
            15 => FieldRef::optional(&self.downward_api),
            16 => FieldRef::optional(&self.fc),
            17 => FieldRef::optional(&self.azure_file),
            18 => FieldRef::optional(&self.config_map),
            19 => FieldRef::optional(&self.vsphere_volume),
            20 => FieldRef::optional(&self.quobyte),
            21 => FieldRef::optional(&self.azure_disk),
            22 => FieldRef::optional(&self.photon_persistent_disk),
            23 => FieldRef::optional(&self.projected),
            24 => FieldRef::optional(&self.portworx_volume),
            25 => FieldRef::optional(&self.scale_io),
            26 => FieldRef::optional(&self.storageos),
            27 => FieldRef::optional(&self.csi),
            28 => FieldRef::optional(&self.ephemeral),
            29 => FieldRef::optional(&self.image),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.host_path),
            1 => FieldMut::optional(&mut self.empty_dir),
            2 => FieldMut::optional(&mut self.gce_persistent_disk),
            3 => FieldMut::optional(&mut self.aws_elastic_block_store),
            4 => FieldMut::optional(&mut self.git_repo),
            5 => FieldMut::optional(&mut self.secret),
            6 => FieldMut::optional(&mut self.nfs),
            7 => FieldMut::optional(&mut self.iscsi),
            8 => FieldMut::optional(&mut self.glusterfs),
            9 => FieldMut::optional(&mut self.persistent_volume_claim),
            10 => FieldMut::optional(&mut self.rbd),
            11 => FieldMut::optional(&mut self.flex_volume),
            12 => FieldMut::optional(&mut self.cinder),
            13 => FieldMut::optional(&mut self.cephfs),
            14 => FieldMut::optional(&mut self.flocker),
            15 => FieldMut::optional(&mut self.downward_api),
            16 => FieldMut::optional(&mut self.fc),
            17 => FieldMut::optional(&mut self.azure_file),
            18 => FieldMut::optional(&mut self.config_map),
            19 => FieldMut::optional(&mut self.vsphere_volume),
            20 => FieldMut::optional(&mut self.quobyte),
            21 => FieldMut::optional(&mut self.azure_disk),
            22 => FieldMut::optional(&mut self.photon_persistent_disk),
            23 => FieldMut::optional(&mut self.projected),
            24 => FieldMut::optional(&mut self.portworx_volume),
            25 => FieldMut::optional(&mut self.scale_io),
            26 => FieldMut::optional(&mut self.storageos),
            27 => FieldMut::optional(&mut self.csi),
            28 => FieldMut::optional(&mut self.ephemeral),
            29 => FieldMut::optional(&mut self.image),
            _ => FieldMut::NONE,
        }
    }
}
