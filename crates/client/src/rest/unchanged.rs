//! Writes that would change nothing.

use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{ObjectKey, Write, WriteOutcome};

use super::client::RestClient;
use super::last_applies::Apply;
use super::pending_write;
use crate::{Request, Verb, write_scope};

/// A note on a request that is sent even if it changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SendUnchanged;

impl RestClient {
    /// The object as a cache has it, if the request would change nothing: an update to exactly that object at that version, or
    /// the last apply once more, with nobody's write since.
    ///
    /// Only inside [`observe_writes`](crate::observe_writes) of somebody who has such a cache.
    pub(crate) fn unchanged<K: Payload>(&self, request: &mut Request) -> Option<K> {
        if request.error().is_some() || request.is_dry_run() || request.noted::<SendUnchanged>().is_some() {
            return None;
        }
        let scope = write_scope::current()?;
        let resource = request.group_resource();
        let key = ObjectKey::new(request.object_namespace(), request.object_name());
        let cached = scope.cached(&self.0.writes, &resource, &key)?.downcast::<K>().ok()?;
        let (format, known) = match request.verb() {
            // Equal bytes have equal versions, so that the server would either do nothing or refuse an old version.
            Verb::Put if request.body_source().differs(&*cached) => None,
            Verb::Put => {
                let preferred = self.content_format(request);
                let (format, sent) = request.body_source_mut().encode_early(preferred)?;
                let known = cached.encode(format);
                (sent == known).then_some((format, known))
            }
            Verb::Patch => {
                let apply = apply_of(request)?;
                if !self.0.applies.has(&resource, &key) {
                    return None;
                }
                let known = cached.encode(Format::Json);
                let (_, metadata) = pending_write::read(Format::Json, &known)?;
                let version = &metadata.metadata.resource_version;
                self.0.applies.is_last(&resource, &key, &apply, version).then_some((Format::Json, known))
            }
            _ => None,
        }?;
        let object = K::decode(format, &known, &mut Decoding::new()).ok()?;
        scope.suppressed(&Write::new(&self.0.writes, &resource, &key, WriteOutcome::Unknown));
        Some(object)
    }
}

/// The apply of a request, if it is one.
pub(super) fn apply_of(request: &Request) -> Option<Apply> {
    let content_type = request.own_headers().get(http::header::CONTENT_TYPE)?.to_str().ok()?;
    if request.verb() != Verb::Patch || !content_type.starts_with("application/apply-patch") {
        return None;
    }
    let document = request.body_source().bytes()?;
    let options = request.own_params();
    let manager =
        options.iter().find(|(name, _)| name == "fieldManager").map(|(_, manager)| manager.clone())?;
    Some(Apply::new(request.subresource_path().into_owned(), manager, options, document))
}
