// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/storage/v1alpha1`.

mod csi_storage_capacity;
mod csi_storage_capacity_list;
mod volume_attachment;
mod volume_attachment_list;
mod volume_attachment_source;
mod volume_attachment_spec;
mod volume_attachment_status;
mod volume_attributes_class;
mod volume_attributes_class_list;
mod volume_error;

pub use csi_storage_capacity::CSIStorageCapacity;
pub use csi_storage_capacity_list::CSIStorageCapacityList;
pub use volume_attachment::VolumeAttachment;
pub use volume_attachment_list::VolumeAttachmentList;
pub use volume_attachment_source::VolumeAttachmentSource;
pub use volume_attachment_spec::VolumeAttachmentSpec;
pub use volume_attachment_status::VolumeAttachmentStatus;
pub use volume_attributes_class::VolumeAttributesClass;
pub use volume_attributes_class_list::VolumeAttributesClassList;
pub use volume_error::VolumeError;
