//! `networking.k8s.io`.

mod ingress;
mod ingress_class;
mod ip_address;
mod network_policy;
mod service_cidr;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "networking.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &ingress::RULES,
        &ingress_class::RULES,
        &ip_address::RULES,
        &network_policy::RULES,
        &service_cidr::RULES,
    ],
};
