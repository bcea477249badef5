//! What a real cluster's controllers keep in order besides owners and namespaces: aggregated roles, storage that is in use,
//! and events that nobody looks at any more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{Json, Object, Str, Unstructured};

use super::catalog::{Catalog, Served};
use super::{Registry, Stored};
use crate::kinds::core::{persistent_volume, persistent_volume_claim};
use crate::store::{Change, Expect, Range, TableId, Write};

/// How long an event is kept after it was last written, in seconds.
const EVENT_SECONDS: i64 = 60 * 60;

/// What there is to look after.
#[derive(Debug, Default)]
pub(super) struct House {
    roles: Option<TableId>,
    claims: Option<TableId>,
    volumes: Option<TableId>,
    pods: Option<TableId>,
    events: Option<TableId>,
    /// A role has changed.
    roles_dirty: AtomicBool,
    /// Storage that is being deleted may be free now.
    storage_dirty: AtomicBool,
    /// When each event is to go, by its key, in seconds since 1970.
    expiries: Mutex<HashMap<Str, i64>>,
}

impl House {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = |group: &str, plural: &str| catalog.find(group, "v1", plural)?.table;
        Self {
            roles: table("rbac.authorization.k8s.io", "clusterroles"),
            claims: table("", "persistentvolumeclaims"),
            volumes: table("", "persistentvolumes"),
            pods: table("", "pods"),
            events: table("", "events"),
            ..Self::default()
        }
    }

    /// Takes note of a write; true when it gives something to do.
    pub(super) fn note(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64) -> bool {
        let table = Some(table);
        if table == self.events {
            let mut expiries = self.expiries.lock().unwrap_or_else(PoisonError::into_inner);
            if change.deleted {
                expiries.remove(&change.key);
            } else {
                expiries.insert(change.key.clone(), now + EVENT_SECONDS);
            }
            return false;
        }
        if table == self.roles {
            self.roles_dirty.store(true, Ordering::SeqCst);
            return true;
        }
        let object = &change.value.object;
        let freed =
            (table == self.claims || table == self.volumes) && object.is_being_deleted() && !change.deleted
                || table == self.pods && (change.deleted || is_over(object));
        if freed {
            self.storage_dirty.store(true, Ordering::SeqCst);
        }
        freed
    }
}

impl Registry {
    /// Does what there is to do; false when there is nothing.
    pub(super) fn keep_house(&self) -> bool {
        let mut done = false;
        if self.house.roles_dirty.swap(false, Ordering::SeqCst) {
            self.aggregate_roles();
            done = true;
        }
        if self.house.storage_dirty.swap(false, Ordering::SeqCst) {
            self.release_storage();
            done = true;
        }
        done
    }

    /// Lets the events go that are past their time. The real server's storage does so by itself; here it is done before
    /// somebody looks.
    pub(crate) fn expire_events(&self) {
        let Some(table) = self.house.events else { return };
        let now = self.clock().now().seconds();
        let mut due: Vec<Str> = {
            let expiries = self.house.expiries.lock().unwrap_or_else(PoisonError::into_inner);
            expiries.iter().filter(|(_, at)| **at <= now).map(|(key, _)| key.clone()).collect()
        };
        due.sort();
        for key in due {
            let Some(found) = self.find_key(table, &key) else { continue };
            // One that is written meanwhile lives on.
            let gone = Write::Delete(found.stored.object.clone());
            let _ = self.commit(table, &key, Expect::At(found.revision), gone);
        }
    }

    /// Writes into each role that is made of others what those hold.
    fn aggregate_roles(&self) {
        let Some(served) = self.catalog().find("rbac.authorization.k8s.io", "v1", "clusterroles") else {
            return;
        };
        let roles = self.everything(&served);
        for role in &roles {
            let selectors = role.nested_slice(&["aggregationRule", "clusterRoleSelectors"]).ok().flatten();
            let Some(selectors) = selectors else { continue };
            let mut held: Vec<Json> = Vec::new();
            for selector in selectors.iter().filter_map(selector) {
                for part in roles.iter().filter(|part| part.name() != role.name()) {
                    let labels = labels::from_fn(|key| part.label(key));
                    if !selector.matches(&labels) {
                        continue;
                    }
                    let own = part.object.get("rules").and_then(Json::as_list).into_iter().flatten();
                    for rule in own {
                        if !held.contains(rule) {
                            held.push(rule.clone());
                        }
                    }
                }
            }
            let held = Json::from(held);
            let now = role.object.get("rules").cloned().unwrap_or(Json::EMPTY_LIST);
            if now != held {
                self.edit(&served, role, &|role| {
                    role.object.insert("rules", held.clone());
                });
            }
        }
    }

    /// Takes the protection from storage that is being deleted and that nobody uses.
    fn release_storage(&self) {
        let catalog = self.catalog();
        let find = |plural: &str| catalog.find("", "v1", plural);
        let (Some(claims), Some(volumes), Some(pods)) =
            (find("persistentvolumeclaims"), find("persistentvolumes"), find("pods"))
        else {
            return;
        };
        let leaving = |object: &Unstructured, finalizer: &str| {
            object.is_being_deleted() && object.finalizers().any(|own| own == finalizer)
        };
        for claim in self.everything(&claims) {
            if leaving(&claim, persistent_volume_claim::PROTECTION) {
                let used = self.everything(&pods).iter().any(|pod| {
                    pod.namespace() == claim.namespace() && !is_over(pod) && uses(pod, claim.name())
                });
                if !used {
                    self.remove_finalizer(&claims, &claim, persistent_volume_claim::PROTECTION);
                }
            }
        }
        for volume in self.everything(&volumes) {
            let bound = volume.nested_str(&["status", "phase"]).ok().flatten() == Some("Bound");
            if leaving(&volume, persistent_volume::PROTECTION) && !bound {
                self.remove_finalizer(&volumes, &volume, persistent_volume::PROTECTION);
            }
        }
    }

    /// All objects of a resource, by name.
    fn everything(&self, served: &Served) -> Vec<Unstructured> {
        let Some(table) = served.table else { return Vec::new() };
        let state = self.read();
        let scanned = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX);
        scanned.into_iter().flatten().map(|(_, _, stored)| stored.object.clone()).collect()
    }
}

/// Whether a pod has done what it was for.
fn is_over(pod: &Unstructured) -> bool {
    matches!(pod.nested_str(&["status", "phase"]), Ok(Some("Succeeded" | "Failed")))
}

fn uses(pod: &Unstructured, claim: &str) -> bool {
    let volumes = pod.nested_slice(&["spec", "volumes"]).ok().flatten().unwrap_or_default();
    volumes.iter().any(|volume| volume["persistentVolumeClaim"]["claimName"].as_str() == Some(claim))
}

fn selector(value: &Json) -> Option<Selector> {
    crate::object::label_selector(value).ok()
}
