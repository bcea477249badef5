//! `PodCertificateRequest`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "podcertificaterequests",
    unconditional_update: false,
    stored_version: Some("v1beta1"),
    ..super::SHARED
};
