//! `certificates.k8s.io`.

pub(crate) mod certificate_signing_request;
mod cluster_trust_bundle;
mod pod_certificate_request;
mod request_status;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "certificates.k8s.io",
    own_labels: true,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &certificate_signing_request::RULES,
        &cluster_trust_bundle::RULES,
        &pod_certificate_request::RULES,
    ],
};
