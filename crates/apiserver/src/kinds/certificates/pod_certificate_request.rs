//! `PodCertificateRequest`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "podcertificaterequests", unconditional_update: false, ..super::SHARED };
