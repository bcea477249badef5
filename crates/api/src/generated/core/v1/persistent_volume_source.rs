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
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeSource {
    /// [`gcePersistentDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub gce_persistent_disk: Option<Shared<GCEPersistentDiskVolumeSource>>,
    /// [`awsElasticBlockStore`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub aws_elastic_block_store: Option<Shared<AWSElasticBlockStoreVolumeSource>>,
    /// [`hostPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
    pub host_path: Option<Shared<HostPathVolumeSource>>,
    /// [`glusterfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub glusterfs: Option<Shared<GlusterfsPersistentVolumeSource>>,
    /// [`nfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
    pub nfs: Option<Shared<NFSVolumeSource>>,
    /// [`rbd`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub rbd: Option<Shared<RBDPersistentVolumeSource>>,
    /// [`iscsi`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
    pub iscsi: Option<Shared<ISCSIPersistentVolumeSource>>,
    /// [`cinder`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub cinder: Option<Shared<CinderPersistentVolumeSource>>,
    /// [`cephfs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub cephfs: Option<Shared<CephFSPersistentVolumeSource>>,
    /// [`fc`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
    pub fc: Option<Shared<FCVolumeSource>>,
    /// [`flocker`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub flocker: Option<Shared<FlockerVolumeSource>>,
    /// [`flexVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub flex_volume: Option<Shared<FlexPersistentVolumeSource>>,
    /// [`azureFile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub azure_file: Option<Shared<AzureFilePersistentVolumeSource>>,
    /// [`vsphereVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub vsphere_volume: Option<Shared<VsphereVirtualDiskVolumeSource>>,
    /// [`quobyte`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub quobyte: Option<Shared<QuobyteVolumeSource>>,
    /// [`azureDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub azure_disk: Option<Shared<AzureDiskVolumeSource>>,
    /// [`photonPersistentDisk`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub photon_persistent_disk: Option<Shared<PhotonPersistentDiskVolumeSource>>,
    /// [`portworxVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub portworx_volume: Option<Shared<PortworxVolumeSource>>,
    /// [`scaleIO`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub scale_io: Option<Shared<ScaleIOPersistentVolumeSource>>,
    /// [`local`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
    pub local: Option<Shared<LocalVolumeSource>>,
    /// [`storageos`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional, deprecated.
    pub storageos: Option<Shared<StorageOSPersistentVolumeSource>>,
    /// [`csi`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumesource-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.gce_persistent_disk),
            1 => FieldRef::optional(&self.aws_elastic_block_store),
            2 => FieldRef::optional(&self.host_path),
            3 => FieldRef::optional(&self.glusterfs),
            4 => FieldRef::optional(&self.nfs),
            5 => FieldRef::optional(&self.rbd),
            6 => FieldRef::optional(&self.iscsi),
            7 => FieldRef::optional(&self.cinder),
            8 => FieldRef::optional(&self.cephfs),
            9 => FieldRef::optional(&self.fc),
            10 => FieldRef::optional(&self.flocker),
            11 => FieldRef::optional(&self.flex_volume),
            12 => FieldRef::optional(&self.azure_file),
            13 => FieldRef::optional(&self.vsphere_volume),
            14 => FieldRef::optional(&self.quobyte),
            15 => FieldRef::optional(&self.azure_disk),
            16 => FieldRef::optional(&self.photon_persistent_disk),
            17 => FieldRef::optional(&self.portworx_volume),
            18 => FieldRef::optional(&self.scale_io),
            19 => FieldRef::optional(&self.local),
            20 => FieldRef::optional(&self.storageos),
            21 => FieldRef::optional(&self.csi),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.gce_persistent_disk),
            1 => FieldMut::optional(&mut self.aws_elastic_block_store),
            2 => FieldMut::optional(&mut self.host_path),
            3 => FieldMut::optional(&mut self.glusterfs),
            4 => FieldMut::optional(&mut self.nfs),
            5 => FieldMut::optional(&mut self.rbd),
            6 => FieldMut::optional(&mut self.iscsi),
            7 => FieldMut::optional(&mut self.cinder),
            8 => FieldMut::optional(&mut self.cephfs),
            9 => FieldMut::optional(&mut self.fc),
            10 => FieldMut::optional(&mut self.flocker),
            11 => FieldMut::optional(&mut self.flex_volume),
            12 => FieldMut::optional(&mut self.azure_file),
            13 => FieldMut::optional(&mut self.vsphere_volume),
            14 => FieldMut::optional(&mut self.quobyte),
            15 => FieldMut::optional(&mut self.azure_disk),
            16 => FieldMut::optional(&mut self.photon_persistent_disk),
            17 => FieldMut::optional(&mut self.portworx_volume),
            18 => FieldMut::optional(&mut self.scale_io),
            19 => FieldMut::optional(&mut self.local),
            20 => FieldMut::optional(&mut self.storageos),
            21 => FieldMut::optional(&mut self.csi),
            _ => FieldMut::NONE,
        }
    }
}
