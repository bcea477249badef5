//! ClusterTrustBundle.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "clustertrustbundles", unconditional_update: false, ..super::GROUP };
