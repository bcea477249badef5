//! `certificates.k8s.io`.

mod certificate_signing_request;
mod cluster_trust_bundle;
mod pod_certificate_request;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const SHARED: KindRules = KindRules {
    group: "certificates.k8s.io",
    own_labels: true,
    status_resets_metadata: true,
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
