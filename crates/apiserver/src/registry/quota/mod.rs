//! Resource quotas: a write is checked and charged in the step that stores it, so that concurrent writes can't exceed
//! a quota together.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, Quantity, Str, Time, Unstructured, collections::VecSet};

use super::{Registry, Served, State, Stored};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::at;
use crate::kinds::{AdmissionPlugin, Charges, Scope, Touched, Written};
use crate::store::{Range, TableId};

/// A write that quotas may limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge<'a> {
    pub(super) served: &'a Served,
    /// The object before; `None` for a create.
    pub(super) old: Option<&'a Unstructured>,
    pub(super) part: Touched,
    pub(super) now: Time,
}

/// A quota with a new usage.
#[derive(Debug)]
pub(super) struct Charged {
    pub(super) key: Str,
    /// The revision of the quota before.
    pub(super) revision: u64,
    pub(super) quota: Unstructured,
}

impl Registry {
    /// Checks a write that is not stored.
    pub(super) fn check_quotas(&self, charge: &Charge<'_>, new: &Unstructured) -> Result<(), ApiError> {
        self.charged(&self.read(), charge, new).map(drop)
    }

    /// The quotas of a namespace after a write, or the error of the first one that it exceeds.
    pub(super) fn charged(
        &self,
        state: &State,
        charge: &Charge<'_>,
        new: &Unstructured,
    ) -> Result<Vec<Charged>, ApiError> {
        let (Some(table), true) = (self.quotas, charge.served.info.namespaced) else { return Ok(Vec::new()) };
        if state.store.is_empty(table)
            || !self.options.runs(AdmissionPlugin::ResourceQuota)
            || !charge.applies(new)
        {
            return Ok(Vec::new());
        }
        charge.evaluate(new, &quotas(state, table, new.namespace()))
    }

    /// The usage of a quota, from all objects of its namespace. Only resources that some kind uses are in it.
    pub(crate) fn quota_usage(&self, quota: &Unstructured) -> Amounts {
        let spec = at(quota, "spec");
        let (hard, scopes) = (Amounts::of(&spec["hard"]), Scope::of(spec));
        let (now, prefix) = (self.clock.now(), format!("{}/", quota.namespace()));
        let catalog = self.catalog();
        let (mut used, mut seen) = (Amounts::default(), VecSet::new());
        let state = self.read();
        for served in catalog.all().iter().filter(|served| served.info.namespaced) {
            let Some(table) = served.table.filter(|_| seen.insert(served.at())) else { continue };
            let limited: Vec<&str> = hard.names().filter(|name| uses(served, name)).collect();
            if limited.is_empty() {
                continue;
            }
            for name in &limited {
                used.add(name, &Quantity::ZERO);
            }
            let objects = state.store.scan(table, Range { prefix: &prefix, from: "" }, u64::MAX);
            for (_, _, stored) in objects.into_iter().flatten() {
                if served.rules.quota.in_scopes(&scopes, &stored.object) {
                    used.add_all(
                        &usage(served, &stored.object, now).filtered(|name, _| limited.contains(&name)),
                    );
                }
            }
        }
        used
    }
}

/// The quotas of a namespace, with their keys and revisions.
fn quotas(state: &State, table: TableId, namespace: &str) -> Vec<(Str, u64, Arc<Stored>)> {
    let prefix = format!("{namespace}/");
    let scanned = state.store.scan(table, Range { prefix: &prefix, from: "" }, u64::MAX);
    let scanned = scanned.into_iter().flatten();
    scanned.map(|(key, revision, stored)| (key.clone(), revision, Arc::clone(stored))).collect()
}

impl Charge<'_> {
    /// Whether the write can change the usage of a quota.
    fn applies(&self, new: &Unstructured) -> bool {
        let rules = &self.served.rules.quota;
        if rules.ignored {
            return false;
        }
        let Some(old) = self.old else { return true };
        let write = Written { new, old: Some(old), part: self.part };
        rules.charges.is_some_and(|charges: &Charges| (charges.on_update)(&write, old))
    }

    fn refused(&self, new: &Unstructured, why: String) -> ApiError {
        ApiError::forbidden(&self.served.group_resource(), new.name(), why)
    }

    fn evaluate(
        &self,
        new: &Unstructured,
        quotas: &[(Str, u64, Arc<Stored>)],
    ) -> Result<Vec<Charged>, ApiError> {
        let rules = &self.served.rules.quota;
        let mut matching = Vec::new();
        for (key, revision, stored) in quotas {
            let quota = &stored.object;
            let (spec, status) = (at(quota, "spec"), at(quota, "status"));
            let (hard, used) = (Amounts::of(&status["hard"]), Amounts::of(&status["used"]));
            let limited: VecSet<&str> = hard.names().filter(|name| uses(self.served, name)).collect();
            let scopes = Scope::of(spec);
            if limited.is_empty() || !rules.in_scopes(&scopes, new) {
                continue;
            }
            if let Some(charges) = rules.charges {
                (charges.constraints)(&limited, new)
                    .map_err(|why| self.refused(new, format!("failed quota: {}: {why}", quota.name())))?;
            }
            if limited.iter().any(|name| !used.has(name)) {
                let names: Vec<&str> = limited.into_iter().collect();
                let why =
                    format!("status unknown for quota: {}, resources: {}", quota.name(), names.join(","));
                return Err(self.refused(new, why));
            }
            let was_charged = self.old.is_some_and(|old| rules.in_scopes(&scopes, old));
            matching.push((key, *revision, quota, hard, used, was_charged));
        }
        if matching.is_empty() {
            return Ok(Vec::new());
        }
        let needed = usage(self.served, new, self.now);
        let negative = needed.filtered(|_, amount| amount.sign() < 0);
        if !negative.is_empty() {
            let names: Vec<&str> = negative.names().collect();
            let why = format!("quota usage is negative for resource(s): {}", names.join(","));
            return Err(self.refused(new, why));
        }
        let before = self.old.map(|old| usage(self.served, old, self.now)).unwrap_or_default();
        let mut charged = Vec::new();
        for (key, revision, quota, hard, used, was_charged) in matching {
            let added = if was_charged { needed.increase_since(&before) } else { needed.clone() };
            let requested = added.filtered(|name, amount| hard.has(name) && !amount.is_zero());
            if requested.is_empty() {
                continue;
            }
            let mut total = used.clone();
            total.add_all(&requested);
            let exceeds = |name: &str| {
                requested.has(name)
                    && total.get(name).zip(hard.get(name)).is_some_and(|(total, hard)| total > hard)
            };
            if self.part != Touched::Status && hard.names().any(exceeds) {
                let only = |amounts: &Amounts| amounts.filtered(|name, _| exceeds(name)).shown();
                let why = format!(
                    "exceeded quota: {}, requested: {}, used: {}, limited: {}",
                    quota.name(),
                    only(&requested),
                    only(&used),
                    only(&hard)
                );
                return Err(self.refused(new, why));
            }
            let mut quota = quota.clone();
            // It can't fail: a quota with a usage has a status.
            drop(quota.set_nested(&["status", "used"], total.to_json()));
            charged.push(Charged { key: key.clone(), revision, quota });
        }
        Ok(charged)
    }
}

/// Whether objects of a resource use the resource of this name in a quota.
pub(crate) fn uses(served: &Served, name: &str) -> bool {
    let rules = &served.rules.quota;
    if rules.ignored {
        return false;
    }
    let counted = name.strip_prefix("count/").is_some_and(|counted| is_resource(served, counted));
    counted || rules.alias == Some(name) || rules.charges.is_some_and(|charges| (charges.has)(name))
}

/// Whether the name is that of the resource: plural, and group if it has one.
fn is_resource(served: &Served, name: &str) -> bool {
    match name.strip_prefix(served.info.plural.as_str()) {
        Some("") => served.info.group.is_empty(),
        Some(rest) => rest.strip_prefix('.').is_some_and(|group| group == served.info.group.as_str()),
        None => false,
    }
}

/// The usage of an object under all names.
pub(crate) fn usage(served: &Served, object: &Unstructured, now: Time) -> Amounts {
    let rules = &served.rules.quota;
    let mut used = rules.charges.map(|charges| (charges.usage)(object, now)).unwrap_or_default();
    let (group, plural) = served.at();
    let separator = if group.is_empty() { "" } else { "." };
    used.set(format!("count/{plural}{separator}{group}"), Quantity::from(1));
    if let Some(alias) = rules.alias {
        used.set(alias, Quantity::from(1));
    }
    used
}

/// Whether a quota's status is missing or outdated, so that it must be computed.
pub(crate) fn is_outdated(quota: &Unstructured) -> bool {
    let status = at(quota, "status");
    let of = |list: &Json| Amounts::of(list);
    status["used"].is_null() || of(&status["hard"]) != of(&at(quota, "spec")["hard"])
}
