//! What the server knows about each built-in kind besides its type: one file per kind, one folder per group.
//!
//! A kind's file holds its [`KindRules`]: facts (names, generations, selectable fields, columns) and plain functions
//! (defaults, preparation, validation, warnings), in the real server's words. The folder's `mod.rs` lists the entries,
//! and holds what kinds of the group share; [`shared`] holds what kinds of several groups share. A kind without a file
//! has the facts of its group, and follows the rules that all objects have and those of its type.
//!
//! To add a kind: its file, and in the folder's `mod.rs` the line of the module and the one in the list. An entry that
//! is not listed is dead code, which the compiler reports.
//!
//! Nothing here knows of the store, the registry or HTTP. What the real server says to good and bad objects of each kind
//! is recorded in `tests/corpora/validation.json` at the root of the repository.

mod admissionregistration;
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
    Action, Change, Claims, Connect, ConnectTo, DeletePlan, Dependents, FollowUp, Generation, Grace, Grants,
    KindRules, Post, PostContext, Posted, Prepare, Review, Rules, Serves, WriteContext,
};

/// The entries of a group.
struct Group {
    /// What its kinds share: the entry of a kind that has no file.
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
    // Groups without a kind of their own.
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

/// The entry of a built-in kind: its own, else that of its group. The catalog asks once per resource and keeps it.
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
    fn every_entry_is_of_a_resource_that_can_be_served_and_has_no_twin() {
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
            // Old versions lack some.
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
