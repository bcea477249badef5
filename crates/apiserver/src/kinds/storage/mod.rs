//! `storage.k8s.io`.

mod csi_driver;
mod csi_node;
mod csi_storage_capacity;
mod storage_class;
mod volume_attachment;
mod volume_attributes_class;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules =
    KindRules { group: "storage.k8s.io", status: StatusRules::RESETS_METADATA, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &csi_driver::RULES,
        &csi_node::RULES,
        &csi_storage_capacity::RULES,
        &storage_class::RULES,
        &volume_attachment::RULES,
        &volume_attributes_class::RULES,
    ],
};
