//! What the server knows about each built-in kind besides its type: one file per kind, one folder per group.
//!
//! A kind's file holds its [`KindRules`]: facts (names, generations, selectable fields, columns) and plain functions
//! (defaults, preparation, validation, warnings), in the real server's words. The folder's `mod.rs` lists the entries,
//! and holds what kinds of the group share; [`shared`] holds what kinds of several groups share. A kind without a file
//! follows the rules that all objects have and those of its type, and no others.
//!
//! Nothing here knows of the store, the registry or HTTP. What the real server says to good and bad objects of each kind
//! is recorded in `tests/api/validation_corpus.json`.

mod admissionregistration;
mod apiextensions;
mod apiregistration;
mod apps;
mod authentication;
mod authorization;
mod autoscaling;
mod batch;
mod certificates;
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
mod rbac;
mod resource;
mod rules;
mod scheduling;
pub(crate) mod shared;
mod storage;
mod storagemigration;

pub(crate) use conversion::Conversion;
pub(crate) use rules::{
    Action, DeletePlan, Dependents, Generation, Grace, KindRules, Review, Rules, Subresource, WriteContext,
};

/// The entries of all groups.
static TABLE: &[&[&KindRules]] = &[
    core::KINDS,
    admissionregistration::KINDS,
    apiextensions::KINDS,
    apiregistration::KINDS,
    apps::KINDS,
    authentication::KINDS,
    authorization::KINDS,
    autoscaling::KINDS,
    batch::KINDS,
    certificates::KINDS,
    coordination::KINDS,
    discovery::KINDS,
    events::KINDS,
    flowcontrol::KINDS,
    networking::KINDS,
    node::KINDS,
    policy::KINDS,
    rbac::KINDS,
    resource::KINDS,
    scheduling::KINDS,
    storage::KINDS,
    storagemigration::KINDS,
];

/// The entry of a built-in kind, if it has one. For whoever builds a catalog: a request finds it there.
pub(crate) fn find(group: &str, plural: &str) -> Option<&'static KindRules> {
    let mut all = TABLE.iter().copied().flatten().copied();
    all.find(|rules| rules.group == group && rules.plural == plural)
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
        for rules in TABLE.iter().copied().flatten() {
            let at = (rules.group, rules.plural);
            assert!(known.contains(&at), "{at:?}");
            assert!(seen.insert(at), "{at:?} is there twice");
        }
    }

    #[test]
    fn subresources_of_entries_are_those_of_discovery() {
        for info in client_rs_api::served() {
            let Some(rules) = find(info.group, info.plural) else { continue };
            for sub in rules.subresources {
                assert!(info.subresources.iter().any(|known| known.name == sub.name), "{}", sub.name);
            }
        }
    }
}
