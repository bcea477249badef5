//! The rules of each built-in kind: one file per kind, one folder per group.
//!
//! A kind's file contains its [`KindRules`]: data (names, generations, selectable fields, columns) and plain
//! functions (defaults, preparation, validation, warnings). Errors and warnings have the real server's texts. The
//! folder's `mod.rs` lists the entries and contains the code that kinds of the group share; [`shared`] contains the
//! code that kinds of several groups share. A kind without a file has the entry of its group, and follows the rules
//! of all objects and of its type.
//!
//! To add a kind, write its file, and add the module and the entry to the folder's `mod.rs`. The compiler reports
//! an entry that is not listed as dead code.
//!
//! Nothing here depends on the store, the registry or HTTP. The real server's responses to valid and invalid
//! objects of each kind are recorded in `tests/corpora/validation.json` at the root of the repository.

pub(crate) mod admissionregistration;
mod apiextensions;
mod apiregistration;
mod apps;
mod authentication;
mod authorization;
mod autoscaling;
mod batch;
pub(crate) mod certificates;
pub(crate) mod columns;
mod conversion;
mod coordination;
pub(crate) mod core;
mod custom;
mod discovery;
mod events;
mod flowcontrol;
mod networking;
mod node;
mod policy;
pub(crate) mod rbac;
mod resource;
mod rules;
mod scheduling;
pub(crate) mod shared;
mod storage;
mod storagemigration;

pub(crate) use conversion::Conversion;
use rules::StatusRules;
pub(crate) use rules::{
    Action, Change, Charges, Claims, Connect, ConnectTo, DeletePlan, Dependents, FollowUp, Generation, Grace,
    Grants, KindRules, ParamRights, PartRules, Plugins, Post, PostContext, Posted, Review, Rules, Scope,
    Serves, Touched, WriteContext, Written,
};
pub use rules::{AdmissionPlugin, UnknownPlugin};

/// The entries of a group.
struct Group {
    /// The entry of kinds without a file.
    rules: KindRules,
    kinds: &'static [&'static KindRules],
}

/// The entries of all groups.
static TABLE: &[Group] = &[
    core::GROUP,
    admissionregistration::GROUP,
    apiextensions::GROUP,
    apiregistration::GROUP,
    apps::GROUP,
    authentication::GROUP,
    authorization::GROUP,
    autoscaling::GROUP,
    batch::GROUP,
    certificates::GROUP,
    coordination::GROUP,
    discovery::GROUP,
    events::GROUP,
    flowcontrol::GROUP,
    networking::GROUP,
    node::GROUP,
    policy::GROUP,
    rbac::GROUP,
    resource::GROUP,
    scheduling::GROUP,
    storage::GROUP,
    storagemigration::GROUP,
    // Groups whose kinds have no files.
    Group {
        rules: KindRules {
            group: "internal.apiserver.k8s.io",
            status: StatusRules::RESETS_METADATA,
            ..KindRules::DEFAULT
        },
        kinds: &[],
    },
    Group {
        rules: KindRules {
            group: "lifecycle.k8s.io",
            status: StatusRules::RESETS_METADATA,
            ..KindRules::DEFAULT
        },
        kinds: &[],
    },
];

/// The entry of a built-in kind, or of its group if it has none. The catalog looks it up once per resource.
pub(crate) fn find(group: &str, plural: &str) -> &'static KindRules {
    let Some(group) = TABLE.iter().find(|known| known.rules.group == group) else {
        return &KindRules::DEFAULT;
    };
    group.kinds.iter().find(|rules| rules.plural == plural).copied().unwrap_or(&group.rules)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_entry_belongs_to_one_resource() {
        let known: HashSet<_> =
            client_rs_api::served().iter().map(|info| (info.group, info.plural)).collect();
        let mut seen = HashSet::new();
        for (group, rules) in
            TABLE.iter().flat_map(|group| group.kinds.iter().map(move |rules| (group, rules)))
        {
            let at = (rules.group, rules.plural);
            assert_eq!(rules.group, group.rules.group, "{at:?}");
            assert!(known.contains(&at), "{at:?}");
            assert!(seen.insert(at), "{at:?} is there twice");
        }
    }

    #[test]
    fn subresources_of_entries_are_those_of_discovery() {
        for info in client_rs_api::served() {
            // Old versions do not have all resources.
            if info.version != "v1" {
                continue;
            }
            let rules = find(info.group, info.plural);
            let listed = |name: &str| info.subresources.iter().any(|known| known.name == name);
            for sub in rules.subresources {
                assert!(listed(sub.name), "{}/{}", info.plural, sub.name);
            }
            for sub in info.subresources.iter().filter(|sub| sub.name != "status") {
                assert!(rules.subresource(sub.name).is_some(), "{}/{} has no entry", info.plural, sub.name);
            }
        }
    }
}
