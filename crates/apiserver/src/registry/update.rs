//! Update and patch.

use std::sync::Arc;

use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Object, Unstructured};

use super::catalog::Served;
use super::context::Context;
use super::create::{By, NotCreated, WriteOptions, ensure_namespace, not_stored};
use super::{Found, Registry, Stored, Wrote, internal, key, metadata, prepare};
use crate::kinds::Prepare;
use crate::store::{Expect, Write};

/// What of an object a write changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// All but its status, where that is a subresource.
    Whole,
    /// Its status.
    Status,
    /// What a subresource of the kind is about: the function takes the rest from the old object.
    Sub(Prepare),
}

/// What a write says of the object that it means to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// A UID in the new object is that of the old one, or the write is in conflict.
    SameUid,
    /// None: a patch has changed the object that is there.
    None,
    /// None, and what is not there is created: server-side apply.
    Upsert,
}

impl Registry {
    /// Changes an object: `make` gives the new one for the one that is there, and may be asked again when another write
    /// came between. True when the object was created.
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
                match self.finish_create(served, object, options) {
                    Ok(stored) => return Ok((stored, true)),
                    Err(NotCreated::Refused(error)) => return Err(error),
                    // Another request was faster: this one then changes what is there.
                    Err(NotCreated::Exists { name: taken, .. }) if taken == name => continue,
                    Err(NotCreated::Exists { name: taken, .. }) => {
                        return Err(ApiError::already_exists(&served.group_resource(), &taken));
                    }
                }
            };
            // A custom object is changed in the version of the request, and stored in its own.
            let before = found.clone();
            let found = Found { stored: served.shown(&found.stored, options.session)?, ..found };
            let mut new = make(Some(&found.stored))?;
            let old = &found.stored.object;
            ensure_namespace(served, namespace, &mut new)?;
            options.mutate(served, namespace, &mut new, Some(old))?;
            before_update(served, namespace, part, precondition, &mut new, &found, options.now(self))?;
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
            if options.dry_run {
                return Ok((Arc::new(Stored::new(new)), false));
            }
            // What is answered of an object that goes is what was asked for, with the version it was asked of.
            let asked = gone.then(|| Arc::new(Stored::new(new.clone())));
            let write = if gone { Write::Delete(new) } else { Write::Put(new) };
            // Otherwise another write came between: what is there now decides, as it says of which version the new
            // one is.
            if let Ok(change) = self.commit(table, &key, Expect::At(found.revision), write) {
                let outcome = if gone { Wrote::Deleted } else { Wrote::Updated };
                self.after_write(served, &change.value, outcome);
                return Ok((asked.unwrap_or_else(|| Arc::clone(&change.value)), false));
            }
        }
    }
}

/// Fills in and checks a changed object.
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
        // The real server names the resource where it should name the kind.
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
    // An empty status is none: the type writes it, and what was created has not got it.
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
        // What the server itself writes may be in another version, and changes no more than metadata.
        _ if served.custom().is_some() && new.api_version() != served.api_version() => {}
        Part::Whole => served.rules.check_update(new, old, &mut errors),
        Part::Status => served.rules.check_status(new, old, &mut errors),
        Part::Sub(_) => {}
    }
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&served.group_kind(), new.name(), &FieldErrors(errors)))
}

/// Takes the times of `managedFields` from the old object where nothing else differs: that is no change.
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

/// Whether the last finalizer of an object that is being deleted is gone with this write, and the object with it.
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
