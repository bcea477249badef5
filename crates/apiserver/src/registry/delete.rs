//! Delete.

use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{
    ApiError, Duration, FieldError, FieldErrors, GroupKind, GroupResource, Json, Object, Str, Time,
    Unstructured,
};

use super::catalog::Served;
use super::create::not_stored;
use super::metadata::{FOREGROUND, ORPHAN};
use super::{Admission, Operation, Subject};
use super::{Found, ListError, ListRequest, Listing, Registry, Stored, Wrote, key};
use crate::kinds::{DeletePlan, Dependents, Grace};
use crate::store::{Expect, Write};

/// The result of a delete.
#[derive(Debug)]
pub(crate) struct Deleted {
    /// The object: its last state, or its current one.
    pub(crate) object: Arc<Stored>,
    /// Whether it is gone. If not, it waits for a finalizer or its grace period.
    pub(crate) gone: bool,
}

impl Registry {
    /// Deletes an object, or starts its deletion.
    pub(crate) fn delete(
        &self,
        served: &Served,
        namespace: &str,
        name: &str,
        options: &DeleteOptions,
        session: Option<&dyn Admission>,
    ) -> Result<Deleted, ApiError> {
        check_options(options)?;
        let table = served.table.ok_or_else(|| not_stored(served))?;
        let key = key(served, namespace, name);
        let dry_run = !options.dry_run.is_empty();
        loop {
            let found = self.get(served, namespace, name)?;
            check_preconditions(served, options, &found)?;
            (served.rules.delete.check_name)(name)?;
            if let Some(session) = session {
                admit(served, namespace, &found, options, session)?;
            }
            let mut object = found.stored.object.clone();
            let now = session.map_or_else(|| self.clock.now(), Admission::now);
            let write = match plan(served, options, &mut object, now) {
                DeletePlan::Nothing => return Ok(Deleted { object: found.stored, gone: false }),
                DeletePlan::Hold => Write::Put(object),
                DeletePlan::Delete => Write::Delete(object),
            };
            let gone = matches!(write, Write::Delete(_));
            if let Some(session) = session {
                let (Write::Put(object) | Write::Delete(object)) = &write;
                served.request_conversion(object, Some(session));
                session.check_answered()?;
            }
            if let Write::Put(object) = &write
                && *object == found.stored.object
            {
                return Ok(Deleted { object: found.stored, gone: false });
            }
            if dry_run {
                let (Write::Put(object) | Write::Delete(object)) = write;
                return Ok(Deleted { object: Arc::new(Stored::new(object)), gone });
            }
            let mut expect = Expect::At(found.revision);
            if gone && served.rules.delete.grace.is_some() {
                // Watches receive the marked object before the removal, as with a grace period.
                let Write::Delete(object) = &write else { continue };
                match self.commit(table, &key, expect, Write::Put(object.clone())) {
                    Ok(change) => expect = Expect::At(change.revision),
                    Err(_) => continue,
                }
            }
            // A mismatch means that another write came first: try again.
            if let Ok(change) = self.commit(table, &key, expect, write) {
                let outcome = if gone { Wrote::Deleted } else { Wrote::Updated };
                self.after_write(served, &change.value, outcome);
                return Ok(Deleted { object: Arc::clone(&change.value), gone });
            }
        }
    }

    /// Deletes all objects of a list, and returns those that it found.
    pub(crate) fn delete_collection(
        &self,
        served: &Served,
        request: &ListRequest<'_>,
        options: &DeleteOptions,
        session: &dyn Admission,
    ) -> Result<Arc<Listing>, ListError> {
        check_options(options)?;
        let listing = session.keep_listing(|| self.list(served, request))?;
        // All webhooks review all objects before the first one is deleted.
        for item in &listing.items {
            if let Ok(found) = self.get(served, item.object.namespace(), item.object.name()) {
                let _ = admit(served, request.namespace, &found, options, session);
            }
            let _ = served.shown(item, Some(session));
        }
        session.check_answered()?;
        for item in &listing.items {
            let (namespace, name) = (item.object.namespace(), item.object.name());
            match self.delete(served, namespace, name, options, Some(session)) {
                Err(error) if !error.is_not_found() => return Err(error.into()),
                _ => {}
            }
        }
        Ok(listing)
    }
}

/// Plans the delete of an object, and changes the object accordingly.
fn plan(served: &Served, options: &DeleteOptions, object: &mut Unstructured, now: Time) -> DeletePlan {
    if let Some(plan) = (served.rules.delete.begin)(object, now) {
        return plan;
    }
    let grace = served.rules.delete.grace.map_or(Grace::None, |grace| grace(object, options));
    if grace == Grace::Pending {
        return DeletePlan::Nothing;
    }
    let finalizers = finalizers(served, object, options);
    if !finalizers.iter().map(Str::as_str).eq(object.finalizers()) {
        object.set_finalizers(finalizers.iter().cloned());
    }
    let held = !finalizers.is_empty();
    match grace {
        Grace::Seconds(seconds) => {
            shorten(object, seconds, now);
            if held || seconds > 0 { DeletePlan::Hold } else { DeletePlan::Delete }
        }
        _ if held => {
            mark(object, now);
            DeletePlan::Hold
        }
        _ => DeletePlan::Delete,
    }
}

/// Calls the webhooks for a delete.
fn admit(
    served: &Served,
    namespace: &str,
    found: &Found,
    options: &DeleteOptions,
    session: &dyn Admission,
) -> Result<(), ApiError> {
    let shown = served.shown(&found.stored, Some(session))?;
    let told = Json::parse(&options.to_json()).unwrap_or_default();
    let subject = Subject {
        served,
        kind: None,
        operation: Operation::Delete,
        namespace: if served.rules.is_namespace { found.stored.object.name() } else { namespace },
        dry_run: !options.dry_run.is_empty(),
        options: Some(&told),
    };
    session.admit_delete(&subject, &shown.object)
}

/// Sets the deletion time of a pod. A second request can only make it earlier.
fn shorten(pod: &mut Unstructured, seconds: i64, now: Time) {
    let of = |seconds: i64| Duration::from_nanos(seconds.saturating_mul(1_000_000_000));
    let (mut seconds, mut at) = (seconds, now.checked_add(of(seconds)));
    if let Some(old) = pod.deletion_timestamp() {
        let asked = old.checked_sub(of(pod.deletion_grace_period_seconds().unwrap_or(0)));
        at = asked.and_then(|asked| asked.checked_add(of(seconds)));
        if at.is_none_or(|at| at < now) {
            at = Some(now);
            seconds = seconds.min(1);
        }
    } else if pod.generation() > 0 {
        pod.set_generation(pod.generation() + 1);
    }
    pod.set_deletion_timestamp(at.or(Some(now)));
    pod.set_deletion_grace_period_seconds(Some(seconds));
}

/// Marks an object with finalizers as being deleted.
fn mark(object: &mut Unstructured, now: Time) {
    if !object.is_being_deleted() && object.generation() > 0 {
        object.set_generation(object.generation() + 1);
    }
    if object.deletion_timestamp().is_none_or(|at| at > now) {
        object.set_deletion_timestamp(Some(now));
    }
    object.set_deletion_grace_period_seconds(Some(0));
}

/// The finalizers of the object, with those of the propagation policy.
fn finalizers(served: &Served, object: &Unstructured, options: &DeleteOptions) -> Vec<Str> {
    let has = |name: &str| object.finalizers().any(|found| found == name);
    let supported = served.rules.delete.dependents != Dependents::Ignore;
    let policy = options.propagation_policy.as_deref();
    let orphan = match (options.orphan_dependents, policy) {
        (Some(orphan), _) => orphan,
        (None, Some(policy)) => policy == "Orphan",
        (None, None) if has(ORPHAN) => true,
        (None, None) if has(FOREGROUND) => false,
        (None, None) => served.rules.delete.dependents == Dependents::Orphan,
    };
    let foreground = match (options.orphan_dependents, policy) {
        (Some(_), _) => false,
        (None, Some(policy)) => policy == "Foreground",
        (None, None) => has(FOREGROUND) && !has(ORPHAN),
    };
    let others = object.finalizers().filter(|name| ![ORPHAN, FOREGROUND].contains(name));
    let mut all: Vec<Str> = others.map(Str::from).collect();
    if supported && orphan {
        all.push(ORPHAN.into());
    }
    if supported && foreground {
        all.push(FOREGROUND.into());
    }
    all
}

fn check_options(options: &DeleteOptions) -> Result<(), ApiError> {
    let mut errors = Vec::new();
    if let Some(policy) = &options.propagation_policy {
        if options.orphan_dependents.is_some() {
            let why = "orphanDependents and deletionPropagation cannot be both set";
            errors.push(FieldError::invalid("propagationPolicy", policy, why));
        }
        if !matches!(policy.as_str(), "Foreground" | "Background" | "Orphan") {
            let supported = ["Foreground", "Background", "Orphan", "nil"];
            errors.push(FieldError::not_supported("propagationPolicy", policy, &supported));
        }
    }
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&GroupKind::new("meta.k8s.io", "DeleteOptions"), "", &FieldErrors(errors)))
}

fn check_preconditions(served: &Served, options: &DeleteOptions, found: &Found) -> Result<(), ApiError> {
    let Some(preconditions) = options.preconditions.as_deref() else { return Ok(()) };
    let object = &found.stored.object;
    // The real server has the kind here instead of the resource.
    let kind = GroupResource::new(served.info.group.as_str(), served.info.kind.as_str());
    let conflict = |why: String| Err(ApiError::conflict(&kind, object.name(), why));
    if let Some(uid) = &preconditions.uid
        && *uid != *object.uid()
    {
        return conflict(format!(
            "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been \
             deleted and then recreated",
            object.uid()
        ));
    }
    if let Some(version) = &preconditions.resource_version
        && *version != *object.resource_version()
    {
        return conflict(format!(
            "the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record ({}). \
             The object might have been modified",
            object.resource_version()
        ));
    }
    Ok(())
}
