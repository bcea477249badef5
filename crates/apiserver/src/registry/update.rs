//! Update and patch.

use std::sync::Arc;

use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Object, Unstructured};

use super::catalog::Served;
use super::context::Context;
use super::create::{By, NotCreated, WriteOptions, ensure_namespace, not_stored};
use super::{Charge, Found, NotCommitted, Registry, Stored, Wrote, internal, key, metadata, prepare};
use crate::kinds::{PartRules, Touched, Written};
use crate::store::{Expect, Write};

/// The part of an object that a write changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Everything except the status, if that is a subresource.
    Whole,
    /// Its status.
    Status,
    /// The part of a subresource.
    Sub(&'static PartRules),
}

impl Part {
    fn touched(self) -> Touched {
        match self {
            Self::Whole => Touched::Whole,
            Self::Status => Touched::Status,
            Self::Sub(_) => Touched::Other,
        }
    }
}

/// The precondition of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// A UID in the new object must be that of the old one; otherwise the write is a conflict.
    SameUid,
    /// None: a patch was applied to the existing object.
    None,
    /// None, and an object that does not exist is created: server-side apply.
    Upsert,
}

impl Registry {
    /// Changes an object. `make` computes the new object from the existing one, and is called again after a
    /// conflict. Returns true if the object was created.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn update(
        &self,
        served: &Served,
        namespace: &str,
        name: &str,
        part: Part,
        precondition: Precondition,
        options: WriteOptions<'_>,
        make: &mut dyn FnMut(Option<&Stored>) -> Result<Unstructured, ApiError>,
    ) -> Result<(Arc<Stored>, bool), ApiError> {
        let table = served.table.ok_or_else(|| not_stored(served))?;
        let key = key(served, namespace, name);
        let _unique = self.unique(served);
        loop {
            let Some(found) = self.find_key(table, &key) else {
                let creates = served.rules.create_on_update || precondition == Precondition::Upsert;
                if !creates || !matches!(part, Part::Whole) {
                    return Err(ApiError::not_found(&served.group_resource(), name));
                }
                let mut object = make(None)?;
                self.begin_create(served, namespace, &mut object, By::Update, options)?;
                match self.finish_create(served, object, "", options) {
                    Ok(stored) => return Ok((stored, true)),
                    Err(NotCreated::Refused(error)) => return Err(error),
                    // Another request created it first: update that object.
                    Err(NotCreated::Exists { name: taken, .. }) if taken == name => continue,
                    Err(NotCreated::Exists { name: taken, .. }) => {
                        return Err(ApiError::already_exists(&served.group_resource(), &taken));
                    }
                }
            };
            // A custom object is changed in the version of the request, and stored in the stored version.
            let before = found.clone();
            let found = Found { stored: served.shown(&found.stored, options.session)?, ..found };
            let mut new = make(Some(&found.stored))?;
            let old = &found.stored.object;
            ensure_namespace(served, namespace, &mut new)?;
            options.mutate(served, namespace, &mut new, Some(old))?;
            before_update(served, namespace, part, precondition, &mut new, &found, options.now(self))?;
            if let Some(check) = served.rules.check_admission.filter(|_| !options.admitted) {
                let write = Written { new: &new, old: Some(old), part: part.touched() };
                check(&write, &Context { registry: self, options })?;
            }
            options.validate(served, &new, Some(old))?;
            if let Some(allocate) = served.rules.allocate {
                allocate(&mut new, Some(old), &Context { registry: self, options })?;
            }
            keep_times(&mut new, &found.stored.object);
            let new = served.to_stored(new, options.session)?;
            served.request_conversion(&new, options.session);
            options.check_answered()?;
            if new == before.stored.object {
                return Ok((before.stored, false));
            }
            let gone = is_gone(served, &new, &found.stored.object);
            let old = Some(&found.stored.object);
            let counted = Charge { served, old, part: part.touched(), now: options.now(self) };
            if options.dry_run {
                self.check_quotas(&counted, &new)?;
                return Ok((Arc::new(Stored::new(new)), false));
            }
            // The response for an object that this update removes is the new object, with the resource version of
            // the request.
            let asked = gone.then(|| Arc::new(Stored::new(new.clone())));
            let write = if gone { Write::Delete(new) } else { Write::Put(new) };
            // On a mismatch another write came first. The loop starts again with the current object, and a resource
            // version in the new object can now be a conflict.
            match self.commit_charged(table, &key, Expect::At(found.revision), write, &counted) {
                Ok(change) => {
                    let outcome = if gone { Wrote::Deleted } else { Wrote::Updated };
                    self.after_write(served, &change.value, outcome);
                    return Ok((asked.unwrap_or_else(|| Arc::clone(&change.value)), false));
                }
                Err(NotCommitted::Refused(error)) => return Err(error),
                Err(NotCommitted::Mismatch) => {}
            }
        }
    }
}

/// Prepares and validates a changed object.
fn before_update(
    served: &Served,
    namespace: &str,
    part: Part,
    precondition: Precondition,
    new: &mut Unstructured,
    found: &Found,
    now: client_rs_machinery::Time,
) -> Result<(), ApiError> {
    let old = &found.stored.object;
    if precondition == Precondition::SameUid && !new.uid().is_empty() && new.uid() != old.uid() {
        return Err(uid_conflict(served, namespace, old.name(), new.uid(), old.uid()));
    }
    let asked = match new.resource_version() {
        "" => 0,
        text => text
            .parse::<u64>()
            .map_err(|_| internal(format!("strconv.ParseUint: parsing {text:?}: invalid syntax")))?,
    };
    let unconditional = asked == 0;
    if unconditional && !served.rules.unconditional_update {
        let error =
            FieldError::invalid_json("metadata.resourceVersion", "0", "must be specified for an update");
        // The real server has the resource here instead of the kind.
        let kind = GroupKind::new(served.info.group.as_str(), served.info.plural.as_str());
        return Err(ApiError::invalid(&kind, old.name(), &FieldErrors(vec![error])));
    }
    if !unconditional && asked != found.revision {
        return Err(modified(served, old.name()));
    }
    new.set_resource_version(found.revision.to_string());
    if let Some(meta) = new.object.get_mut("metadata").and_then(Json::as_map_mut) {
        meta.remove("selfLink");
    }
    prepare::update(served, part, new, old, now);
    // An empty status counts as missing: the type encodes it, but a new object does not have it.
    let empty = |status: &Json| status.as_map().is_some_and(client_rs_machinery::Map::is_empty);
    if new.object.get("status").is_some_and(empty) && old.object.get("status").is_none() {
        new.object.remove("status");
    }
    if new.uid().is_empty() {
        new.set_uid(old.uid());
    }
    new.set_creation_timestamp(old.creation_timestamp());
    if old.is_being_deleted() {
        new.set_deletion_timestamp(old.deletion_timestamp());
    }
    if new.deletion_grace_period_seconds().is_none() {
        new.set_deletion_grace_period_seconds(old.deletion_grace_period_seconds());
    }
    let mut errors = metadata::check(served, new);
    errors.extend(metadata::check_update(new, old));
    match part {
        // Writes of the server itself may be in another version, and change only the metadata.
        _ if served.custom().is_some() && new.api_version() != served.api_version() => {}
        Part::Whole => served.rules.check_update(new, old, &mut errors),
        Part::Status => served.rules.check_status(new, old, &mut errors),
        Part::Sub(rules) => (rules.validate)(new, old, &mut errors),
    }
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&served.group_kind(), new.name(), &FieldErrors(errors)))
}

/// Copies the times of `managedFields` from the old object if nothing else differs: that is not a change.
fn keep_times(new: &mut Unstructured, old: &Unstructured) {
    const PATH: &[&str] = &["metadata", "managedFields"];
    let entries = |object: &Unstructured| object.nested(PATH).ok().flatten().cloned();
    let (Some(Json::List(ours)), Some(theirs)) = (entries(new), entries(old)) else { return };
    let timeless = |entry: &Json| {
        let mut entry = entry.clone();
        entry.remove(&["time"]);
        entry
    };
    let others = theirs.as_list().into_iter().flatten();
    if ours.iter().map(timeless).ne(others.map(timeless)) {
        return;
    }
    let mut same = new.clone();
    drop(same.set_nested(PATH, theirs));
    if same == *old {
        *new = same;
    }
}

/// Whether this write removes the last finalizer of an object that is being deleted, and so the object.
fn is_gone(served: &Served, new: &Unstructured, old: &Unstructured) -> bool {
    !(served.rules.delete.is_held)(new)
        && new.finalizers().next().is_none()
        && old.is_being_deleted()
        && old.deletion_grace_period_seconds().unwrap_or(0) == 0
}

fn modified(served: &Served, name: &str) -> ApiError {
    let why = "the object has been modified; please apply your changes to the latest version and try again";
    ApiError::conflict(&served.group_resource(), name, why)
}

fn uid_conflict(served: &Served, namespace: &str, name: &str, asked: &str, found: &str) -> ApiError {
    let key = key(served, namespace, name);
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: /registry/{}/{key}, ResourceVersion: 0, AdditionalErrorMsg: \
         Precondition failed: UID in precondition: {asked}, UID in object meta: {found}",
        served.info.plural
    );
    ApiError::conflict(&served.group_resource(), name, why)
}
