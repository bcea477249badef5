//! Field management of a write: the owners afterwards, and the object that results from a server-side apply.

use std::fmt;
use std::sync::LazyLock;

use super::managers::{ManagerId, Managers, ManagersError, Operation, OwnedFields};
use super::schema::TypeRef;
use super::typed::{Comparison, TypeErrors};
use super::{FieldPath, FieldSet};
use crate::collections::VecMap;
use crate::{ApiError, CauseType, ErrorCause, Json, Str, Time};

/// The maximum number of separate entries for managers that did not apply. The oldest entries beyond it are merged
/// into one.
pub const MAX_UPDATE_MANAGERS: usize = 10;

/// The manager that takes over the fields of the oldest managers.
const ANCIENT: &str = "ancient-changes";
/// The manager of fields that were set before the server tracked managers.
const BEFORE_FIRST_APPLY: &str = "before-first-apply";
/// The manager's name of `kubectl apply --server-side`, which takes over from `kubectl apply`.
const KUBECTL: &str = "kubectl";
/// The annotation in which `kubectl apply` keeps the applied configuration.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The maximum size of all annotations together.
const ANNOTATIONS_MAX: usize = 256 * 1024;

/// The versions of a kind, as field management needs them.
///
/// Objects are JSON as a server writes them, with `apiVersion` and `kind`.
pub trait Versions {
    /// Returns the type of a version's objects; `None` if the version does not exist, and then its managers are
    /// dropped.
    fn type_of(&self, api_version: &str) -> Option<TypeRef<'_>>;

    /// Returns an empty object of the written kind and version: only the fields that every such object has.
    fn empty(&self) -> Json;

    /// Returns the object in another version.
    fn convert(&self, object: &Json, api_version: &str) -> Option<Json>;

    /// Returns the subset of these fields that a write can change. The others keep their old value, and the writer
    /// does not own them.
    fn written(&self, api_version: &str, fields: &FieldSet) -> FieldSet;
}

/// Tracks the managers of objects of one kind, written in one version.
#[derive(Clone, Copy)]
pub struct FieldManager<'v> {
    /// The kind's versions.
    pub versions: &'v dyn Versions,
    /// The written version.
    pub api_version: &'v str,
    /// The written kind.
    pub kind: &'v str,
    /// The written subresource; empty for the object itself.
    pub subresource: &'v str,
    /// The time of the write.
    pub now: Time,
}

/// A refused apply.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ApplyError {
    /// Other managers own fields that it would change; a forced apply takes them over.
    Conflict(Conflicts),
    /// The applied configuration is not an object of this kind and version.
    BadRequest(String),
    /// The applied configuration does not fit its type, or the stored object cannot be read.
    Invalid(String),
}

/// Fields that other managers own.
#[derive(Clone, Debug, Default)]
pub struct Conflicts(Vec<(ManagerId, FieldPath)>);

impl FieldManager<'_> {
    /// Returns the new object with its `managedFields` after a create, an update or a patch by a manager.
    ///
    /// `live` is the object before, or an empty one of its kind before a create; both are in the written version. A
    /// failure of field management leaves the managers unchanged: it never fails a write.
    pub fn update(&self, live: &Json, new: &Json, manager: &str) -> Json {
        let asked = new.path(MANAGED_FIELDS).unwrap_or(&Json::Null);
        let managers = self.managers_of(live, asked);
        let mut new = without_managers(new);
        let creates = live.path(&["metadata", "uid"]).and_then(Json::as_str).unwrap_or_default().is_empty();
        let result = if managers.0.is_empty() && !creates {
            // No manager is tracked, and tracking does not begin here.
            Ok(managers)
        } else {
            self.track(&without_managers(live), &new, managers, manager).map(capped)
        };
        let entries = match result {
            Ok(managers) => managers.to_json(),
            Err(_) => live.path(MANAGED_FIELDS).cloned(),
        };
        set_managers(&mut new, entries);
        new
    }

    /// Returns the object after a manager applies a part of it, with its `managedFields`.
    ///
    /// `live` is the object before, or an empty one of its kind if it does not exist. `applied` is the configuration
    /// that the manager sent. The result still lacks the defaults of the applied fields.
    pub fn apply(&self, live: &Json, applied: &Json, manager: &str, force: bool) -> Result<Json, ApplyError> {
        self.check_kind(applied)?;
        let stored = live.path(MANAGED_FIELDS).unwrap_or(&Json::Null);
        let mut managers = Managers::from_json(stored).map_err(|why: ManagersError| {
            ApplyError::Invalid(format!("failed to decode managed fields: {why}"))
        })?;
        let live = without_managers(live);
        if managers.0.is_empty() {
            managers =
                self.track(&self.versions.empty(), &live, managers, BEFORE_FIRST_APPLY).map_err(|why| {
                    ApplyError::Invalid(format!("failed to create manager for existing fields: {why}"))
                })?;
        }
        let mut result = self.applied(&live, applied, managers.clone(), manager, force);
        if let (KUBECTL, Err(ApplyError::Conflict(conflicts))) = (manager, &result)
            && let Some(allowed) = self.last_applied(&live)
        {
            let left: Vec<_> =
                conflicts.0.iter().filter(|(_, path)| !allowed.has(&path.0)).cloned().collect();
            result = if left.is_empty() {
                self.applied(&live, applied, managers, manager, true)
            } else {
                Err(ApplyError::Conflict(Conflicts(left)))
            };
        }
        let (mut object, managers) = result?;
        if manager == KUBECTL {
            renew_last_applied(&mut object, applied);
        }
        set_managers(&mut object, managers.to_json());
        Ok(object)
    }

    /// Returns the managers at the start of a write: those in the request, or else the existing ones.
    fn managers_of(&self, live: &Json, asked: &Json) -> Managers {
        let stored = || {
            let entries = live.path(MANAGED_FIELDS).unwrap_or(&Json::Null);
            Managers::from_json(entries).unwrap_or_default()
        };
        if !self.subresource.is_empty() {
            return stored();
        }
        match asked {
            // A client resets all managers with an empty list, or with a list of one empty entry.
            Json::List(entries)
                if entries.iter().all(|entry| entry.as_map().is_some_and(crate::Map::is_empty))
                    && entries.len() <= 1 =>
            {
                Managers::default()
            }
            asked => match Managers::from_json(asked) {
                Ok(managers) if !managers.0.is_empty() => managers,
                _ => stored(),
            },
        }
    }

    fn check_kind(&self, applied: &Json) -> Result<(), ApplyError> {
        let text = |key: &str| applied[key].as_str().unwrap_or_default();
        if text("apiVersion") != self.api_version || text("kind") != self.kind {
            let shown = shown_kind(text("apiVersion"), text("kind"));
            return Err(ApplyError::BadRequest(format!("invalid object type: {shown}")));
        }
        if applied.path(MANAGED_FIELDS).is_some_and(|entries| !entries.is_null()) {
            return Err(ApplyError::BadRequest("metadata.managedFields must be nil".to_owned()));
        }
        Ok(())
    }

    /// Returns the owners after a write that is not an apply.
    fn track(&self, live: &Json, new: &Json, managers: Managers, manager: &str) -> Result<Managers, String> {
        let ty = self.versions.type_of(self.api_version).ok_or("there is no such type")?;
        ty.validate(new, true).map_err(|why| why.to_string())?;
        ty.validate(live, true).map_err(|why| why.to_string())?;
        let mut managers = self.reconciled(managers);
        let id = ManagerId::new(manager, Operation::Update, self.api_version, self.subresource);
        let mut comparisons = VecMap::new();
        self.take(live, new, &mut managers, None, true, &mut comparisons)
            .map_err(|error| error.to_string())?;
        let found = comparisons.remove(self.api_version).unwrap_or_default();
        let taken = found.modified.union(&found.added).difference(&STRIPPED);
        if !taken.is_empty() {
            let fields = match managers.0.get(&id) {
                Some(before) => taken.union(&before.fields),
                None => taken,
            };
            let owned = OwnedFields { fields, api_version: self.api_version.into(), time: Some(self.now) };
            managers.0.insert(id, owned);
        }
        Ok(managers)
    }

    fn applied(
        &self,
        live: &Json,
        applied: &Json,
        managers: Managers,
        manager: &str,
        force: bool,
    ) -> Result<(Json, Managers), ApplyError> {
        let ty = self
            .versions
            .type_of(self.api_version)
            .ok_or_else(|| ApplyError::Invalid("there is no such type".to_owned()))?;
        let refuse = |what: &str, object: &Json, why: TypeErrors| {
            ApplyError::Invalid(format!(
                "failed to create typed {what} object ({}): {why}",
                shown_object(object)
            ))
        };
        ty.validate(applied, false).map_err(|why| refuse("patch", applied, why))?;
        ty.validate(live, true).map_err(|why| refuse("live", live, why))?;
        let mut managers = self.reconciled(managers);
        let id = ManagerId::new(manager, Operation::Apply, self.api_version, self.subresource);
        let merged = ty
            .merge(live, applied)
            .map_err(|why| ApplyError::Invalid(format!("failed to merge config: {why}")))?;
        let last = managers.0.get(&id).cloned();
        let fields = self.versions.written(self.api_version, &ty.fields_of(applied));
        let time = last.as_ref().and_then(|last| last.time);
        managers.0.insert(id.clone(), OwnedFields { fields, api_version: self.api_version.into(), time });
        let new = match &last {
            Some(last) if !last.fields.is_empty() => self.pruned(merged, &managers, last),
            _ => merged,
        };
        self.take(live, &new, &mut managers, Some(&id), force, &mut VecMap::new())?;
        let own = managers.0.get_mut(&id);
        if let Some(own) = own {
            own.fields = own.fields.difference(&STRIPPED);
            if own.fields.is_empty() {
                managers.0.remove(&id);
            }
        }
        if new == *live || super::path::compare(&new, live).is_eq() {
            return Ok((live.clone(), managers));
        }
        if let Some(own) = managers.0.get_mut(&id) {
            own.time = Some(self.now);
        }
        Ok((new, managers))
    }

    /// Takes the changed fields from all other managers; without force, there must be none.
    fn take(
        &self,
        live: &Json,
        new: &Json,
        managers: &mut Managers,
        but: Option<&ManagerId>,
        force: bool,
        comparisons: &mut VecMap<Str, Comparison>,
    ) -> Result<(), ApplyError> {
        self.compare_in(self.api_version, live, new, comparisons)?;
        let mut conflicts = Conflicts::default();
        let mut gone = Vec::new();
        for (id, owned) in &managers.0 {
            if Some(id) == but {
                continue;
            }
            if !self.compare_in(&owned.api_version, live, new, comparisons)? {
                gone.push(id.clone());
                continue;
            }
            if !force && let Some(found) = comparisons.get(&owned.api_version) {
                let changed = owned.fields.intersection(&found.modified.union(&found.added));
                conflicts.0.extend(changed.iter().map(|path| (id.clone(), path)));
            }
        }
        if !conflicts.0.is_empty() {
            return Err(ApplyError::Conflict(conflicts));
        }
        for id in gone {
            managers.0.remove(&id);
        }
        let lost: VecMap<&str, FieldSet> = comparisons
            .iter()
            .map(|(version, found)| {
                (version.as_str(), found.modified.union(&found.added).union(&found.removed))
            })
            .collect();
        managers.0.retain(|id, owned| {
            if Some(id) != but
                && let Some(lost) = lost.get(owned.api_version.as_str())
            {
                owned.fields = owned.fields.difference(lost);
            }
            !owned.fields.is_empty()
        });
        Ok(())
    }

    /// Compares two objects in a version, once; returns false if the version does not exist.
    fn compare_in(
        &self,
        api_version: &str,
        live: &Json,
        new: &Json,
        comparisons: &mut VecMap<Str, Comparison>,
    ) -> Result<bool, ApplyError> {
        if comparisons.contains_key(api_version) {
            return Ok(true);
        }
        let Some(ty) = self.versions.type_of(api_version) else { return Ok(false) };
        let converted = (self.in_version(live, api_version), self.in_version(new, api_version));
        let (Some(live), Some(new)) = converted else { return Ok(false) };
        let found = ty
            .compare(&live, &new)
            .map_err(|why| ApplyError::Invalid(format!("failed to compare objects: {why}")))?;
        let found = Comparison {
            removed: self.versions.written(api_version, &found.removed),
            modified: self.versions.written(api_version, &found.modified),
            added: self.versions.written(api_version, &found.added),
        };
        comparisons.insert(api_version.into(), found);
        Ok(true)
    }

    /// Removes the fields that the manager applied before and does not apply now from the merged object, unless
    /// others own them.
    fn pruned(&self, merged: Json, managers: &Managers, last: &OwnedFields) -> Json {
        let version = last.api_version.as_str();
        let found = (self.versions.type_of(version), self.in_version(&merged, version));
        let (Some(ty), Some(then)) = found else { return merged };
        let last_fields = ty.with_named_fields(&last.fields);
        let mut pruned = ty.remove(&then, &last_fields);
        // Restores every owned field, first in the version of the last apply: the others may need it for their
        // conversion.
        let mut owned: VecMap<&str, FieldSet> = VecMap::new();
        for manager in managers.0.values() {
            let all = owned.entry(manager.api_version.as_str()).or_default();
            *all = all.union(&manager.fields);
        }
        let first = owned.remove_entry(version);
        for (version, fields) in first.into_iter().chain(owned) {
            let Some(ty) = self.versions.type_of(version) else { continue };
            let converted = (self.in_version(&then, version), self.in_version(&pruned, version));
            let (Some(whole), Some(cut)) = converted else { continue };
            let named = |set: &FieldSet| ty.with_named_fields(set);
            let kept = named(&ty.fields_of(&cut)).union(&named(&fields));
            pruned = ty.remove(&whole, &named(&ty.fields_of(&whole)).difference(&kept));
        }
        let Some(cut) = self.in_version(&pruned, version) else { return merged };
        let whole = ty.with_named_fields(&ty.fields_of(&then));
        let dropped = whole.difference(&ty.with_named_fields(&ty.fields_of(&cut))).intersection(&last_fields);
        let result = ty.remove(&then, &dropped);
        self.in_version(&result, self.api_version).unwrap_or(merged)
    }

    /// Returns the managers whose version still exists, with their fields by the current types.
    fn reconciled(&self, managers: Managers) -> Managers {
        let known = managers.0.into_iter().filter_map(|(id, mut owned)| {
            owned.fields = self.versions.type_of(&owned.api_version)?.reconciled(&owned.fields);
            Some((id, owned))
        });
        Managers(known.collect())
    }

    fn in_version(&self, object: &Json, api_version: &str) -> Option<Json> {
        if object["apiVersion"].as_str() == Some(api_version) {
            return Some(object.clone());
        }
        self.versions.convert(object, api_version)
    }

    /// Fields that `kubectl apply` applied and that are unchanged: `kubectl apply --server-side` takes them over
    /// without a conflict.
    fn last_applied(&self, live: &Json) -> Option<FieldSet> {
        let text = live.path(&["metadata", "annotations", LAST_APPLIED])?.as_str()?;
        let last = Json::parse(text.as_bytes()).ok()?;
        if last["apiVersion"].as_str() != Some(self.api_version) {
            return None;
        }
        let ty = self.versions.type_of(self.api_version)?;
        ty.validate(&last, false).ok()?;
        ty.validate(live, false).ok()?;
        let found = ty.compare(&last, live).ok()?;
        let changed = found.modified.union(&found.added).union(&found.removed);
        Some(ty.fields_of(&last).difference(&changed))
    }
}

const MANAGED_FIELDS: &[&str] = &["metadata", "managedFields"];

/// Fields without an owner: those that the server sets, and those that identify the object.
static STRIPPED: LazyLock<FieldSet> = LazyLock::new(|| {
    const META: [&str; 9] = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let mut paths: Vec<FieldPath> =
        ["apiVersion", "kind", "metadata"].iter().map(|name| FieldPath::of_fields(&[name])).collect();
    paths.extend(META.iter().map(|name| FieldPath::of_fields(&["metadata", name])));
    paths.iter().collect()
});

fn without_managers(object: &Json) -> Json {
    let mut object = object.clone();
    object.remove(MANAGED_FIELDS);
    object
}

fn set_managers(object: &mut Json, entries: Option<Json>) {
    match entries {
        Some(entries) => drop(object.set(MANAGED_FIELDS, entries)),
        None => drop(object.remove(MANAGED_FIELDS)),
    }
}

/// Merges the oldest managers beyond the limit into one.
fn capped(mut managers: Managers) -> Managers {
    let seconds = |owned: &OwnedFields| owned.time.as_ref().map_or(0, |time| time.seconds());
    let mut updaters: Vec<(i64, ManagerId)> = managers
        .0
        .iter()
        .filter(|(id, _)| id.operation == Operation::Update)
        .map(|(id, owned)| (seconds(owned), id.clone()))
        .collect();
    updaters.sort();
    let mut left = updaters.len();
    let mut first_of_version: VecMap<Str, ManagerId> = VecMap::new();
    for (_, id) in updaters {
        if left <= MAX_UPDATE_MANAGERS {
            break;
        }
        let Some(owned) = managers.0.get(&id).cloned() else { continue };
        let bucket = ManagerId::new(ANCIENT, Operation::Update, &owned.api_version, "");
        let Some(first) = first_of_version.get(&owned.api_version) else {
            first_of_version.insert(owned.api_version.clone(), id);
            continue;
        };
        if !managers.0.contains_key(&bucket)
            && let Some(oldest) = managers.0.remove(first)
        {
            managers.0.insert(bucket.clone(), oldest);
        }
        managers.0.remove(&id);
        left -= 1;
        let before = managers.0.get(&bucket).map(|bucket| bucket.fields.clone()).unwrap_or_default();
        managers.0.insert(bucket, OwnedFields { fields: owned.fields.union(&before), ..owned });
    }
    managers
}

/// Updates the annotation of `kubectl apply` to the applied configuration, if the object has the annotation.
fn renew_last_applied(object: &mut Json, applied: &Json) {
    let path = ["metadata", "annotations", LAST_APPLIED];
    if object.path(&path).and_then(Json::as_str).is_none_or(str::is_empty) {
        return;
    }
    let mut applied = applied.clone();
    applied.remove(&path);
    if applied.path(&path[..2]).and_then(Json::as_map).is_some_and(crate::Map::is_empty) {
        applied.remove(&path[..2]);
    }
    let text = format!("{applied}\n");
    let others = object.path(&path[..2]).and_then(Json::as_map).into_iter().flatten();
    let others = others.filter(|(key, _)| key.as_str() != LAST_APPLIED);
    let size: usize = others.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    if size + LAST_APPLIED.len() + text.len() > ANNOTATIONS_MAX {
        object.remove(&path);
    } else {
        drop(object.set(&path, text));
    }
}

/// `namespace/name; group/version, Kind=kind`: Go's form of an object.
fn shown_object(object: &Json) -> String {
    let meta = |key: &str| object.path(&["metadata", key]).and_then(Json::as_str).unwrap_or_default();
    let text = |key: &str| object[key].as_str().unwrap_or_default();
    format!("{}/{}; {}", meta("namespace"), meta("name"), shown_kind(text("apiVersion"), text("kind")))
}

fn shown_kind(api_version: &str, kind: &str) -> String {
    let slash = if api_version.contains('/') { "" } else { "/" };
    format!("{slash}{api_version}, Kind={kind}")
}

impl Conflicts {
    /// Returns each field in conflict, with its manager.
    pub fn iter(&self) -> impl Iterator<Item = (&ManagerId, &FieldPath)> {
        self.0.iter().map(|(id, path)| (id, path))
    }

    fn message(&self) -> String {
        if let [(id, path)] = self.0.as_slice() {
            return format!("Apply failed with 1 conflict: conflict with {id}: {path}");
        }
        let mut lines = Vec::with_capacity(self.0.len() + 1);
        let mut last = None;
        for (id, path) in &self.0 {
            if last != Some(id) {
                lines.push(format!("conflicts with {id}:"));
                last = Some(id);
            }
            lines.push(format!("- {path}"));
        }
        format!("Apply failed with {} conflicts: {}", self.0.len(), lines.join("\n"))
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(conflicts) => f.write_str(&conflicts.message()),
            Self::BadRequest(why) | Self::Invalid(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ApplyError {}

/// The error response of the API server.
impl From<ApplyError> for ApiError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Conflict(conflicts) => {
                let causes: Vec<ErrorCause> = conflicts
                    .iter()
                    .map(|(id, path)| ErrorCause {
                        cause_type: CauseType::FieldManagerConflict,
                        message: format!("conflict with {id}").into(),
                        field: path.to_string().into(),
                    })
                    .collect();
                Self::apply_conflict(causes, conflicts.message())
            }
            ApplyError::BadRequest(why) => Self::bad_request(why),
            ApplyError::Invalid(why) => Self::new(crate::ErrorStatus {
                code: 500,
                message: why.into(),
                ..crate::ErrorStatus::default()
            }),
        }
    }
}

impl fmt::Debug for FieldManager<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldManager")
            .field("api_version", &self.api_version)
            .field("kind", &self.kind)
            .field("subresource", &self.subresource)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
