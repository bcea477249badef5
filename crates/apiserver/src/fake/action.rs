//! A request as a test sees it.

use bytes::Bytes;
use client_rs_machinery::patch::PatchType;
use client_rs_machinery::wire::{Decoding, Envelope, Format, decode_json_into, decode_protobuf_into};
use client_rs_machinery::{GroupVersionResource, Scheme, Unstructured};
use http::{header, request};

use crate::http::decode::yaml_to_json;
use crate::http::media::Encoding;
use crate::request::{Query, Target};

/// What was asked of a resource.
///
/// What a request does not have is empty, or `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FakeAction {
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `delete-collection`.
    pub verb: String,
    /// The resource.
    pub resource: GroupVersionResource,
    /// Such as `status`.
    pub subresource: String,
    /// The namespace of the request.
    pub namespace: String,
    /// The name of the request; that of an object that is created stands in [`object`](Self::object) alone.
    pub name: String,
    /// What is created or put in place; the options of a delete.
    pub object: Option<Unstructured>,
    /// What changes an object in part.
    pub patch: Option<PatchAction>,
    /// Which labels are asked for.
    pub label_selector: String,
    /// Which fields are asked for.
    pub field_selector: String,
}

/// A patch as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchAction {
    /// Its kind.
    pub patch_type: PatchType,
    /// The document: JSON, or YAML for an apply.
    pub body: Bytes,
}

impl FakeAction {
    pub(super) fn of(
        parts: &request::Parts,
        target: &Target<'_>,
        query: &Query,
        body: &Bytes,
        scheme: &Scheme,
    ) -> Self {
        let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default();
        let verb = match target.verb(&parts.method, query) {
            "deletecollection" => "delete-collection",
            verb => verb,
        };
        let patch = (verb == "patch").then(|| PatchType::from_media_type(content_type)).flatten();
        Self {
            verb: verb.to_owned(),
            resource: GroupVersionResource {
                group: target.group.into(),
                version: target.version.into(),
                resource: target.resource.into(),
            },
            subresource: target.subresource.to_owned(),
            namespace: target.namespace.to_owned(),
            name: target.name.to_owned(),
            object: if verb == "patch" { None } else { object(content_type, body, scheme) },
            patch: patch.map(|patch_type| PatchAction { patch_type, body: body.clone() }),
            label_selector: query.get("labelSelector").to_owned(),
            field_selector: query.get("fieldSelector").to_owned(),
        }
    }

    /// Whether a reactor is for this: the verb is its verb or `*`; the resource is `*`, this resource with any
    /// subresource (`pods`), or this very subresource (`pods/status`).
    pub fn matches(&self, verb: &str, resource: &str) -> bool {
        let is_verb = verb == "*"
            || verb == self.verb
            || (verb, &*self.verb) == ("deletecollection", "delete-collection");
        is_verb && self.is_of(resource)
    }

    pub(super) fn is_of(&self, resource: &str) -> bool {
        match resource.split_once('/') {
            Some((resource, subresource)) => {
                resource == &*self.resource.resource
                    && subresource == self.subresource
                    && !subresource.is_empty()
            }
            None => resource == "*" || resource == &*self.resource.resource,
        }
    }

    /// Whether something may come to be by it.
    pub(super) fn creates(&self) -> bool {
        let applies = self.patch.as_ref().is_some_and(|patch| patch.patch_type == PatchType::Apply);
        applies || (self.verb == "create" && self.subresource.is_empty())
    }
}

/// What a body holds; nothing where it is no object, which the storage then says.
fn object(content_type: &str, body: &[u8], scheme: &Scheme) -> Option<Unstructured> {
    if body.is_empty() {
        return None;
    }
    match Encoding::of_content_type(content_type)? {
        Encoding::Json => Unstructured::from_json(body).ok(),
        Encoding::Yaml => Unstructured::from_json(&yaml_to_json(body).ok()?).ok(),
        Encoding::Protobuf => {
            let envelope = Envelope::open(body).ok()?;
            let mut object = scheme.find(envelope.api_version, envelope.kind)?.empty();
            let read = match envelope.format().ok()? {
                Format::Protobuf => decode_protobuf_into,
                Format::Json => decode_json_into,
            };
            read(object.fields_mut(), envelope.raw, &mut Decoding::new()).ok()?;
            Unstructured::from_json(&object.to_json()).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t5_9_07_a_bare_name_matches_its_subresources_and_a_pair_only_itself() {
        let action = |resource: &str, subresource: &str| FakeAction {
            verb: "get".to_owned(),
            resource: GroupVersionResource { resource: resource.into(), ..GroupVersionResource::default() },
            subresource: subresource.to_owned(),
            ..FakeAction::default()
        };
        for (resource, matching, not) in [
            ("*", vec![("pods", ""), ("pods", "status"), ("nodes", "")], vec![]),
            ("pods", vec![("pods", ""), ("pods", "status")], vec![("nodes", "")]),
            (
                "pods/status",
                vec![("pods", "status")],
                vec![("pods", ""), ("pods", "log"), ("nodes", "status")],
            ),
        ] {
            for (found, subresource) in matching {
                assert!(
                    action(found, subresource).matches("*", resource),
                    "{resource}: {found}/{subresource}"
                );
            }
            for (found, subresource) in not {
                assert!(
                    !action(found, subresource).matches("*", resource),
                    "{resource}: {found}/{subresource}"
                );
            }
        }
        assert!(action("pods", "").matches("get", "pods"));
        assert!(!action("pods", "").matches("list", "pods"));
    }
}
