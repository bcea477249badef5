//! A write in progress, and how its outcome is reported.

use std::sync::Arc;

use client_rs_machinery::meta::v1::{ObjectMeta, PartialObjectMetadata, Status};
use client_rs_machinery::wire::{Decoding, Envelope, Format, Item, Payload, json};
use client_rs_machinery::{
    GroupResource, Object, ObjectKey, Str, Write, WriteLog, WriteObserver, WriteOutcome, WrittenObject,
};

use super::last_applies::{Apply, LastApplies};
use super::unchanged;
use crate::request::BodySource;
use crate::{Error, Request, Verb, write_scope};

/// A write that somebody observes. If it is dropped without an outcome, the outcome is unknown.
pub(super) struct PendingWrite {
    log: WriteLog,
    applies: Arc<LastApplies>,
    /// If it is an apply, which one. Boxed, because every request holds a pending write.
    apply: Option<Box<Apply>>,
    scope: Option<Arc<dyn WriteObserver>>,
    verb: Verb,
    resource: GroupResource,
    key: ObjectKey,
    subresource: Str,
    /// The body of the request: a create has the name of its object there.
    sent: BodySource,
    done: bool,
}

impl PendingWrite {
    /// Begins a write. `None` if nobody observes it, or if it can't change an object.
    pub(super) fn begin(log: &WriteLog, applies: &Arc<LastApplies>, request: &Request) -> Option<Self> {
        if request.verb().is_safe() || request.is_dry_run() {
            return None;
        }
        let scope = write_scope::current();
        if scope.is_none() && !log.is_observed() {
            return None;
        }
        let resource = request.group_resource();
        let subresource = request.subresource_path();
        // A connection to a pod or a service, and a token of a service account, change no object.
        let changes = !matches!(
            subresource.split('/').next().unwrap_or_default(),
            "attach" | "exec" | "log" | "portforward" | "proxy" | "token"
        );
        (changes && !resource.resource.is_empty()).then(|| Self {
            log: log.clone(),
            applies: Arc::clone(applies),
            apply: scope.as_ref().and_then(|_| unchanged::apply_of(request)).map(Box::new),
            scope,
            verb: request.verb(),
            key: ObjectKey::new(request.object_namespace(), request.object_name()),
            resource,
            subresource: (*subresource).into(),
            sent: request.body_source().clone(),
            done: false,
        })
    }

    /// The response has arrived.
    pub(super) fn answered(mut self, format: Option<Format>, body: &[u8]) {
        self.done = true;
        let Some((kind, metadata)) = format.and_then(|format| read(format, body)) else {
            return self.report(WriteOutcome::Unknown);
        };
        if kind == "Status" {
            // A deletion of many objects names none of them.
            if self.verb != Verb::Delete {
                return self.report(WriteOutcome::Unknown);
            }
            let format = format.unwrap_or(Format::Json);
            let status = Status::decode(format, body, &mut Decoding::new()).unwrap_or_default();
            let details = status.details.as_ref();
            return self
                .report(WriteOutcome::Deleted { uid: details.map_or("", |details| details.uid.as_str()) });
        }
        self.accepted(&metadata, format.unwrap_or(Format::Json), body);
    }

    /// The response has arrived, and is this object.
    pub(super) fn answered_with(mut self, object: &dyn Object, format: Format, body: &[u8]) {
        if object.kind() == "Status" {
            return self.answered(Some(format), body);
        }
        self.done = true;
        self.accepted(object, format, body);
    }

    /// Reports the object that the server returned.
    fn accepted(&mut self, object: &dyn Object, format: Format, body: &[u8]) {
        let (name, version) = (object.name(), object.resource_version());
        if name.is_empty() || version.is_empty() {
            return self.report(WriteOutcome::Unknown);
        }
        if self.key.name.is_empty() {
            self.key = ObjectKey::new(self.key.namespace.clone(), name);
        }
        self.remember(object, format, body);
        if self.verb == Verb::Delete && !object.is_being_deleted() {
            return self.report(WriteOutcome::Deleted { uid: object.uid() });
        }
        if self.is_gone(object, format, body) {
            return self.report(WriteOutcome::Gone { uid: object.uid() });
        }
        let body = if self.subresource == "scale" { &[] } else { body };
        self.report(WriteOutcome::Object(WrittenObject::new(object, format, body)));
    }

    /// Whether the write was the last one of an object: it was being deleted, and now waits for neither a finalizer nor a kubelet. An
    /// object that waits for its content, as a namespace does, has no grace period.
    fn is_gone(&self, object: &dyn Object, format: Format, body: &[u8]) -> bool {
        let is_update = matches!(self.verb, Verb::Put | Verb::Patch) && object.is_being_deleted();
        if !is_update || object.meta().finalizers().next().is_some() {
            return false;
        }
        let is_due = |meta: &ObjectMeta| meta.deletion_grace_period_seconds == Some(0);
        match object.meta().as_object_meta() {
            Some(meta) => is_due(meta),
            None => read(format, body).is_some_and(|(_, object)| is_due(&object.metadata)),
        }
    }

    /// Remembers what was applied, so that the same apply need not be sent again.
    fn remember(&mut self, object: &dyn Object, format: Format, body: &[u8]) {
        let returned = || match object.meta().as_object_meta() {
            Some(metadata) => Some(metadata.clone()),
            None => read(format, body).map(|(_, object)| object.metadata),
        };
        if let Some(apply) = self.apply.take() {
            if let Some(returned) = returned() {
                self.applies.applied(&self.resource, &self.key, *apply, &returned);
            }
        } else if self.verb == Verb::Put && self.applies.has(&self.resource, &self.key) {
            let sent = read(Format::Json, &self.sent.encoded(Format::Json));
            let from = sent.map(|(_, object)| object.metadata.resource_version);
            if let (Some(from), Some(returned)) = (from, returned()) {
                self.applies.replaced(&self.resource, &self.key, &self.subresource, &from, &returned);
            }
        }
    }

    /// The write has failed.
    pub(super) fn failed(mut self, error: &Error) {
        self.done = true;
        let unchanged = match error {
            Error::Request(_) | Error::Throttled { .. } => true,
            Error::WriteRefused { sent, .. } => !sent,
            // A conflict means that the caller's state is old: the server has another one.
            Error::Api { error, .. } => error.code() < 500 && error.code() != 409,
            error => error.is_connection_refused(),
        };
        if !unchanged {
            self.report(WriteOutcome::Unknown);
        }
    }

    fn report(&mut self, outcome: WriteOutcome<'_>) {
        if self.key.name.is_empty() && self.verb == Verb::Post {
            let sent = read(Format::Json, &self.sent.encoded(Format::Json));
            let name = sent.map(|(_, object)| object.metadata.name).unwrap_or_default();
            self.key = ObjectKey::new(self.key.namespace.clone(), name);
        }
        if self.key.name.is_empty() {
            return;
        }
        let write = Write::new(&self.log, &self.resource, &self.key, outcome);
        if let Some(scope) = &self.scope {
            scope.written(&write);
        }
        self.log.notify_others(&write, self.scope.as_deref());
    }
}

impl Drop for PendingWrite {
    fn drop(&mut self) {
        if !self.done {
            self.report(WriteOutcome::Unknown);
        }
    }
}

/// The kind and the metadata of an object.
pub(super) fn read(format: Format, body: &[u8]) -> Option<(String, PartialObjectMetadata)> {
    let mut decoding = Decoding::new();
    match format {
        Format::Protobuf => {
            let envelope = Envelope::open(body).ok()?;
            let metadata = if envelope.kind == "Status" {
                PartialObjectMetadata::default()
            } else {
                PartialObjectMetadata::decode_item(format, envelope.raw, &mut decoding).ok()?
            };
            Some((envelope.kind.to_owned(), metadata))
        }
        Format::Json => {
            let (mut kind, mut object) = (String::new(), PartialObjectMetadata::default());
            let (mut reader, mut first) = (json::Reader::new(body), true);
            reader.begin_object().ok()?;
            let mut has_metadata = false;
            while let Some(key) = reader.next_key(&mut first).ok()? {
                match &*key {
                    "kind" => kind = reader.text().ok()?.to_string(),
                    "metadata" => {
                        Item::read_json(&mut object.metadata, &mut reader, &mut decoding).ok()?;
                        has_metadata = true;
                    }
                    _ => reader.skip().ok()?,
                }
                // API servers write both before the rest.
                if has_metadata && !kind.is_empty() {
                    break;
                }
            }
            Some((kind, object))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use client_rs_machinery::{GroupResource, Unstructured, Write, WriteObserver, WriteOutcome};

    use crate::testing::Canned;
    use crate::{Request, Verb, observe_writes};

    #[derive(Default)]
    struct Outcomes(Mutex<Vec<String>>);

    impl WriteObserver for Outcomes {
        fn written(&self, write: &Write<'_>) {
            self.0.lock().unwrap().push(match write.outcome {
                WriteOutcome::Object(object) => format!("version {}", object.metadata.resource_version()),
                WriteOutcome::Deleted { uid } => format!("deleted {uid}"),
                WriteOutcome::Gone { uid } => format!("gone {uid}"),
                _ => "unknown".to_owned(),
            });
        }
    }

    /// Returns the reported outcome of an update whose response has this metadata: raw, and as an object.
    async fn outcome(resource: &GroupResource, metadata: &str) -> String {
        let path = format!("/apis/{}/v1/namespaces/b/{}/a", resource.group, resource.resource);
        let path = path.replace("/apis//", "/api/");
        let answer = format!(
            r#"{{"kind": "Thing", "apiVersion": "v1",
            "metadata": {{"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "7", {metadata}}}}}"#
        );
        let client = Canned::new().on(&format!("PUT {path}"), answer).client();
        let request = || {
            let request = Request::new(Verb::Put).api(&resource.group, "v1").resource(&resource.resource);
            request.namespace("b").name("a").body(b"{}".to_vec())
        };
        let outcomes = Arc::new(Outcomes::default());
        let both = async {
            client.send_raw(request()).await.unwrap();
            client.send_object::<Unstructured>(request()).await.unwrap();
        };
        observe_writes(outcomes.clone(), both).await;
        let outcomes = outcomes.0.lock().unwrap();
        assert_eq!((outcomes.len(), &outcomes[0]), (2, &outcomes[1]));
        outcomes[0].clone()
    }

    #[tokio::test]
    async fn the_last_write_of_an_object_that_is_being_deleted_is_its_end() {
        const DELETED: &str = r#""deletionTimestamp": "2026-03-01T12:00:00Z", "deletionGracePeriodSeconds""#;
        let (pods, things) = (GroupResource::new("", "pods"), GroupResource::new("example.com", "things"));
        assert_eq!(outcome(&things, &format!("{DELETED}: 0")).await, "gone u");
        assert_eq!(outcome(&pods, &format!("{DELETED}: 0")).await, "gone u");
        // It waits for its kubelet, for another finalizer, or for its content.
        assert_eq!(outcome(&pods, &format!("{DELETED}: 30")).await, "version 7");
        assert_eq!(outcome(&things, &format!(r#"{DELETED}: 0, "finalizers": ["a/b"]"#)).await, "version 7");
        let terminating = r#""deletionTimestamp": "2026-03-01T12:00:00Z""#;
        assert_eq!(outcome(&GroupResource::new("", "namespaces"), terminating).await, "version 7");
        assert_eq!(outcome(&things, r#""generation": 1"#).await, "version 7");
    }
}
