//! Create.

use std::sync::Arc;

use client_rs_machinery::{
    ApiError, CauseType, ErrorCause, FieldError, FieldErrors, GroupKind, Json, StatusReason, Time,
    Unstructured,
};

use super::catalog::Served;
use super::context::Context;
use super::{
    Admission, Charge, Found, NotCommitted, Operation, Registry, Stored, Subject, Wrote, internal, key,
    metadata, prepare,
};
use crate::kinds::{AdmissionPlugin, Touched, Written};
use crate::store::{Expect, Write};

/// The options of a write.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WriteOptions<'a> {
    /// Whether everything is checked but nothing is written.
    pub(crate) dry_run: bool,
    /// The webhooks of the request. Writes of the server itself have none.
    pub(crate) session: Option<&'a dyn Admission>,
    /// Whether webhooks have already reviewed the request, in the form of a scale or a binding.
    pub(crate) admitted: bool,
}

/// The request that creates an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Create,
    /// An update or an apply of an object that does not exist.
    Update,
}

/// The reason why an object was not created.
pub(super) enum NotCreated {
    /// An object of its name exists, or did a moment ago.
    Exists {
        name: String,
        existing: Option<Found>,
    },
    Refused(ApiError),
}

impl From<ApiError> for NotCreated {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl WriteOptions<'_> {
    /// The time of the request.
    pub(super) fn now(&self, registry: &Registry) -> Time {
        self.session.map_or_else(|| registry.clock.now(), Admission::now)
    }

    /// The subject of a review by webhooks.
    fn subject<'s>(&self, served: &'s Served, operation: Operation, namespace: &'s str) -> Subject<'s> {
        Subject { served, kind: None, operation, namespace, dry_run: self.dry_run, options: None }
    }

    fn admission(&self) -> Option<&dyn Admission> {
        self.session.filter(|_| !self.admitted)
    }

    /// Calls the mutating webhooks. Returns whether they changed the object.
    pub(super) fn mutate(
        &self,
        served: &Served,
        namespace: &str,
        object: &mut Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<bool, ApiError> {
        let Some(session) = self.admission() else { return Ok(false) };
        let operation = if old.is_some() { Operation::Update } else { Operation::Create };
        let name = object.name().to_owned();
        let subject_namespace = if served.rules.is_namespace { &name } else { namespace };
        let changed = session.mutate(&self.subject(served, operation, subject_namespace), object, old)?;
        // Webhooks can't move an object, and can't set fields that only the server sets.
        if old.is_none() {
            wipe(object);
        }
        ensure_namespace(served, namespace, object)?;
        Ok(changed)
    }

    /// Calls the validating webhooks.
    pub(super) fn validate(
        &self,
        served: &Served,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError> {
        let Some(session) = self.admission() else { return Ok(()) };
        let operation = if old.is_some() { Operation::Update } else { Operation::Create };
        let namespace = if served.rules.is_namespace { object.name() } else { object.namespace() };
        session.validate(&self.subject(served, operation, namespace), object, old)
    }

    /// Refuses to write while a response is missing.
    pub(super) fn check_answered(&self) -> Result<(), ApiError> {
        self.session.map_or(Ok(()), <dyn Admission>::check_answered)
    }

    /// A generated value that is the same in all runs of the request.
    pub(super) fn keep(&self, what: &str, make: impl FnOnce() -> String) -> String {
        match self.session {
            Some(session) => session.keep(what, make),
            None => make(),
        }
    }
}

/// How many times a generated name is tried.
const NAME_ATTEMPTS: usize = 8;
/// A name has at most 63 characters. Five of them are random.
const GENERATED_BASE_MAX: usize = 58;
/// No vowels and no similar characters, so that a name does not spell a word.
const SUFFIX: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

impl Registry {
    /// Creates an object.
    pub(crate) fn create(
        &self,
        served: &Served,
        namespace: &str,
        mut object: Unstructured,
        options: WriteOptions<'_>,
    ) -> Result<Arc<Stored>, ApiError> {
        // The resource version is checked by the write, after admission and validation. A dry run does not check it.
        let version = object.resource_version().to_owned();
        self.begin_create(served, namespace, &mut object, By::Create, options)?;
        let generated = object.name().is_empty() && !object.generate_name().is_empty();
        let attempts = if generated { NAME_ATTEMPTS } else { 1 };
        let mut result = Err(internal("no attempt was made"));
        for attempt in 0..attempts {
            let mut object = object.clone();
            if generated {
                let name = || generate_name(object.generate_name());
                let name = options.keep(&format!("name {attempt}"), name);
                object.set_name(name);
            }
            let _unique = self.unique(served);
            result = match self.finish_create(served, object, &version, options) {
                Ok(created) => Ok(created),
                Err(NotCreated::Refused(error)) => Err(error),
                Err(NotCreated::Exists { name, existing }) => {
                    Err(already_exists(served, &name, generated, existing.as_ref()))
                }
            };
            if !result.as_ref().is_err_and(ApiError::is_already_exists) {
                break;
            }
        }
        result
    }

    /// The first half of every create: the new object in its namespace, after admission.
    pub(super) fn begin_create(
        &self,
        served: &Served,
        namespace: &str,
        object: &mut Unstructured,
        by: By,
        options: WriteOptions<'_>,
    ) -> Result<(), ApiError> {
        ensure_namespace(served, namespace, object)?;
        self.check_namespace(served, namespace, object.name())?;
        if let (By::Create, Some(why)) = (by, served.rules.closed()) {
            return Err(ApiError::forbidden(&served.group_resource(), object.name(), why));
        }
        wipe(object);
        // The plugins run before the webhooks, and once more if a webhook changed the object.
        let context = Context { registry: self, options };
        let admit =
            |object: &mut Unstructured| served.rules.admit.map_or(Ok(()), |admit| admit(object, &context));
        admit(object)?;
        if options.mutate(served, namespace, object, None)? {
            admit(object)?;
        }
        Ok(())
    }

    /// The second half of every create: prepares, validates and stores an object that has its name.
    ///
    /// The caller holds the lock of [`unique`](Self::unique). `version` is the resource version that the request has.
    pub(super) fn finish_create(
        &self,
        served: &Served,
        mut object: Unstructured,
        version: &str,
        options: WriteOptions<'_>,
    ) -> Result<Arc<Stored>, NotCreated> {
        let table = served.table.ok_or_else(|| not_stored(served))?;
        let context = Context { registry: self, options };
        let now = options.now(self);
        object.set_creation_timestamp(Some(now));
        object.set_uid(options.keep("uid", new_uid));
        if let Some(complete) = served.rules.complete {
            complete(&mut object, &context);
        }
        prepare::create(served, &mut object, now);
        self.protect(served, &mut object);
        check_create(served, &object)?;
        if let Some(check) = served.rules.check_admission {
            check(&Written { new: &object, old: None, part: Touched::Whole }, &context)?;
        }
        options.validate(served, &object, None)?;
        if let Some(allocate) = served.rules.allocate {
            allocate(&mut object, None, &context)?;
        }
        let name = object.name().to_owned();
        let key = key(served, object.namespace(), &name);
        let mut object = served.to_stored(object, options.session).map_err(ApiError::from)?;
        served.request_conversion(&object, options.session);
        options.check_answered()?;
        let counted = Charge { served, old: None, part: Touched::Whole, now };
        if options.dry_run {
            self.check_quotas(&counted, &object)?;
            if let Some(found) = self.find_key(table, &key) {
                return Err(NotCreated::Exists { name, existing: Some(found) });
            }
            object.set_resource_version(version);
            return Ok(Arc::new(Stored::new(object)));
        }
        // A version that is not a number counts as unset, as in the real server.
        if version.parse::<u64>().is_ok_and(|version| version != 0) {
            return Err(internal("resourceVersion should not be set on objects to be created").into());
        }
        match self.commit_charged(table, &key, Expect::Absent, Write::Put(object), &counted) {
            Ok(change) => {
                self.after_write(served, &change.value, Wrote::Created);
                Ok(Arc::clone(&change.value))
            }
            Err(NotCommitted::Refused(error)) => Err(error.into()),
            Err(NotCommitted::Mismatch) => {
                Err(NotCreated::Exists { existing: self.find_key(table, &key), name })
            }
        }
    }

    /// Adds the finalizer that keeps storage while it is in use, if the controller that removes it runs.
    fn protect(&self, served: &Served, object: &mut Unstructured) {
        let Some(finalizer) = served.rules.delete.protection else { return };
        let protects = (self.options.collects || self.options.alone)
            && self.options.runs(AdmissionPlugin::StorageObjectInUseProtection);
        if protects && !object.finalizers().any(|own| own == finalizer) {
            let all: Vec<String> =
                object.finalizers().map(str::to_owned).chain([finalizer.to_owned()]).collect();
            object.set_finalizers(all);
        }
    }

    /// Refuses a create in a namespace that does not exist or is being deleted.
    pub(super) fn check_namespace(
        &self,
        served: &Served,
        namespace: &str,
        name: &str,
    ) -> Result<(), ApiError> {
        if !served.info.namespaced {
            return Ok(());
        }
        let namespaces = self.namespaces();
        let found = self.get(&namespaces, "", namespace)?;
        let phase = found.stored.object.object.get("status").map(|status| status["phase"].clone());
        if phase.as_ref().and_then(Json::as_str) != Some("Terminating") {
            return Ok(());
        }
        let why =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut status = ApiError::forbidden(&served.group_resource(), name, why).into_status();
        if let Some(details) = &mut status.details {
            let cause = ErrorCause {
                cause_type: CauseType::NamespaceTerminating,
                message: format!("namespace {namespace} is being terminated").into(),
                field: "metadata.namespace".into(),
            };
            details.causes = [cause].into();
        }
        Err(status.into())
    }
}

/// Validates a new object.
fn check_create(served: &Served, object: &Unstructured) -> Result<(), ApiError> {
    // A wrong kind is reported alone, under its own name.
    if served.custom().is_some() && object.kind() != served.info.kind {
        let why = format!("must be {}", served.info.kind);
        let error = FieldError::invalid("kind", object.kind(), why);
        let kind = GroupKind::new(served.info.group.as_str(), object.kind());
        return Err(ApiError::invalid(&kind, object.name(), &FieldErrors(vec![error])));
    }
    let mut errors = metadata::check(served, object);
    served.rules.check_create(object, &mut errors);
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&served.group_kind(), object.name(), &FieldErrors(errors)))
}

/// Removes the fields that only the server sets.
pub(super) fn wipe(object: &mut Unstructured) {
    if let Some(meta) = object.object.get_mut("metadata").and_then(Json::as_map_mut) {
        for system in [
            "resourceVersion",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
            "uid",
            "creationTimestamp",
        ] {
            meta.remove(system);
        }
    }
}

/// Checks that the object is in the namespace of the request, or has none.
pub(super) fn ensure_namespace(
    served: &Served,
    namespace: &str,
    object: &mut Unstructured,
) -> Result<(), ApiError> {
    if !served.info.namespaced {
        if !object.namespace().is_empty() {
            object.set_namespace("");
        }
        return Ok(());
    }
    if object.namespace().is_empty() {
        object.set_namespace(namespace);
    }
    if object.namespace() == namespace {
        return Ok(());
    }
    let why = "the namespace of the provided object does not match the namespace sent on the request";
    Err(ApiError::bad_request(why))
}

pub(super) fn not_stored(served: &Served) -> ApiError {
    ApiError::method_not_supported(&served.group_resource(), "create")
}

fn already_exists(served: &Served, name: &str, generated: bool, existing: Option<&Found>) -> ApiError {
    let resource = served.group_resource();
    let error = if generated {
        ApiError::generate_name_conflict(&resource, name, 1)
    } else {
        ApiError::already_exists(&resource, name)
    };
    if existing.is_none_or(|existing| existing.stored.object.deletion_timestamp().is_none()) {
        return error;
    }
    debug_assert_eq!(error.reason(), &StatusReason::AlreadyExists);
    let mut status = error.into_status();
    status.message = format!("object is being deleted: {}", status.message).into();
    status.into()
}

fn generate_name(base: &str) -> String {
    let mut end = base.len().min(GENERATED_BASE_MAX);
    while !base.is_char_boundary(end) {
        end -= 1;
    }
    base[..end].to_owned() + &random_suffix()
}

/// Five random characters for a name that is very likely unique.
pub(super) fn random_suffix() -> String {
    (0..5).map(|_| char::from(SUFFIX[fastrand::usize(..SUFFIX.len())])).collect()
}

/// A random UUID.
pub(crate) fn new_uid() -> String {
    let random = fastrand::u128(..);
    let version = (random & !(0xf << 76)) | (0x4 << 76);
    let uuid = (version & !(0x3 << 62)) | (0x2 << 62);
    let hex = format!("{uuid:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn uids_are_version_4() {
        let uid = new_uid();
        assert_eq!(uid.len(), 36);
        assert_eq!(uid.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&uid.as_bytes()[19]));
        assert_ne!(uid, new_uid());
    }

    #[test]
    fn long_generate_names_are_truncated() {
        assert_eq!(generate_name(&"x".repeat(100)).len(), 63);
        assert!(generate_name("web-").starts_with("web-"));
        assert_eq!(generate_name("web-").len(), 9);
    }
}
