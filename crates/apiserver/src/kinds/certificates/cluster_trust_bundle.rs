//! `ClusterTrustBundle`.

use crate::kinds::rules::{KindRules, Rights, SignerRight};

pub(super) const RULES: KindRules = KindRules {
    plural: "clustertrustbundles",
    unconditional_update: false,
    rights: Rights::signers(&[SignerRight {
        subresource: "",
        verb: "attest",
        what: "attest for",
        changes: &[&["spec"]],
        of_new: true,
    }]),
    ..super::SHARED
};
